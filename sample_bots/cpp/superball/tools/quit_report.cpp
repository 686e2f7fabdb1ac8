#include "sample_bots/cpp/superball/tools/quit_report.h"

#include <pthread.h>
#include <signal.h>

#include <cstdio>

namespace bots::superball::tools {
namespace {

sigset_t only_quit() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGQUIT);
    return set;
}

}  // namespace

QuitReport::QuitReport() {
    const auto set = only_quit();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    listener_ = std::thread([this] { listen(); });
}

QuitReport::~QuitReport() {
    ending_ = true;
    pthread_kill(listener_.native_handle(), SIGQUIT);
    listener_.join();
}

void QuitReport::listen() {
    const auto set = only_quit();
    int signal = 0;
    while (sigwait(&set, &signal) == 0 && !ending_) {
        std::printf("Score so far: %lld\n", static_cast<long long>(score_));
        std::fflush(stdout);
    }
}

}  // namespace bots::superball::tools
