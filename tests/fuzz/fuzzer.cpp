// The fuzzer of one target, which the build names: a complaint ends it, and the bytes are written
// down.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto complaint = fuzz::FUZZ_CHECK({reinterpret_cast<const char*>(data), size});
    if (!complaint.empty()) {
        std::fprintf(stderr, "broken promise: %s\n", complaint.c_str());
        std::abort();
    }
    return 0;
}
