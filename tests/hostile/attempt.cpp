#include "tests/hostile/attempt.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace hostile {

namespace {

int told_on = STDOUT_FILENO;

}  // namespace

void tell_on_standard_error() {
    told_on = STDERR_FILENO;
}

void tell(std::string_view probe, int error) {
    tell(probe, error == 0, error == 0 ? "" : std::strerror(error));
}

void tell(std::string_view probe, bool allowed, std::string_view why) {
    std::string line(probe);
    line += allowed ? " allowed\n" : " denied: ";
    if (!allowed) line.append(why).append("\n");
    [[maybe_unused]] const ssize_t told = ::write(told_on, line.data(), line.size());
}

int errno_of(long result) {
    return result == -1 ? errno : 0;
}

Labelled labelled(const std::string& argument) {
    const std::size_t sign = argument.find('=');
    if (sign == std::string::npos) return {argument, ""};
    return {argument.substr(0, sign), argument.substr(sign + 1)};
}

long number(const std::string& argument) {
    return std::strtol(argument.c_str(), nullptr, 10);
}

}  // namespace hostile
