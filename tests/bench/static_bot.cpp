// The bot of sandbox_start_bench, linked statically and without a runtime to speak of: says a line
// at once; then burns as many microseconds as each line asks for, by its own clock, and answers
// with all that it has used so far.

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

long used_us() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * 1'000'000 + used.tv_nsec / 1'000;
}

}  // namespace

int main() {
    constexpr int line_bytes_max = 32;
    char line[line_bytes_max];
    if (write(STDOUT_FILENO, "here\n", 5) != 5) return 1;
    while (std::fgets(line, sizeof line, stdin) != nullptr) {
        const long end = used_us() + std::strtol(line, nullptr, 10);
        while (used_us() < end) {
        }
        const int size = std::snprintf(line, sizeof line, "%ld\n", used_us());
        if (write(STDOUT_FILENO, line, static_cast<size_t>(size)) != size) return 1;
    }
    return 0;
}
