#pragma once

// An assertion that stays on in release builds: what we did wrong, never what a bot, a user or
// the machine did. It prints the broken promise and aborts.

#include <cstdio>
#include <cstdlib>

#define REFEREE_ASSERT(promise)                                                                \
    do {                                                                                       \
        if (!(promise)) [[unlikely]] {                                                         \
            std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #promise); \
            std::abort();                                                                      \
        }                                                                                      \
    } while (false)
