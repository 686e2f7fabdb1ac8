// How exactly a launched bot is charged for its processor time: a bot burns known amounts, by
// its own clock, and each means of accounting is asked what it saw. Once beside an idle machine,
// once with every core kept busy. Also what a launch, a read, and a turn's two looks at its waits
// for a core cost.
//
// cpu_charge_bench [ROUNDS]

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "referee/launch/process/launcher.h"

namespace {

using namespace referee::process;

constexpr int rounds_by_default = 200;
constexpr int reads = 2000;
constexpr std::uint64_t burned_us[] = {200, 1'000, 10'000};

// The program beside this one.
std::string test_bot() {
    return std::filesystem::read_symlink("/proc/self/exe").replace_filename("launcher_test_bot");
}

double microseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

std::string read_line(int descriptor) {
    std::string line;
    for (;;) {
        char letter = 0;
        const ssize_t got = ::read(descriptor, &letter, 1);
        if (got == 0 || (got == 1 && letter == '\n')) return line;
        if (got == 1) {
            line += letter;
            continue;
        }
        pollfd watched = {descriptor, POLLIN, 0};
        ::poll(&watched, 1, -1);
    }
}

struct Figures {
    std::vector<double> values;

    double at(double share) {
        if (values.empty()) return 0;
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
};

// The bot's own clock, read by itself right after burning, is what the charge is held against.
void measure(Launcher& launcher, const char* load, int rounds) {
    LaunchSpec spec;
    spec.command = {test_bot(), "burn"};
    const auto start = std::chrono::steady_clock::now();
    auto launched = launcher.launch(spec);
    const double launch_us = microseconds_since(start);
    if (!launched) {
        std::printf("%s\n", launched.error().message.c_str());
        return;
    }
    auto& process = **launched;
    const Descriptor input = process.take_input();
    const Descriptor output = process.take_output();
    read_line(output.get());
    for (const std::uint64_t wished_us : burned_us) {
        Figures errors;
        const std::string request = std::to_string(wished_us) + "\n";
        std::uint64_t own_before = 0;
        std::uint64_t charged_before = 0;
        for (int round = -1; round < rounds; ++round) {
            if (::write(input.get(), request.data(), request.size()) < 0) return;
            const std::uint64_t own = std::stoull(read_line(output.get()));
            const std::uint64_t charged = process.cpu_time_us();
            if (round >= 0) {
                errors.values.push_back(std::abs(static_cast<double>(charged - charged_before) -
                                                 static_cast<double>(own - own_before)));
            }
            own_before = own;
            charged_before = charged;
        }
        const auto read_start = std::chrono::steady_clock::now();
        for (int i = 0; i < reads; ++i) process.cpu_time_us();
        const double read_us = microseconds_since(read_start) / reads;
        const auto wait_start = std::chrono::steady_clock::now();
        for (int i = 0; i < reads; ++i) {
            process.begin_turn();
            process.core_wait_min(std::chrono::milliseconds(1));
        }
        const double waits_us = microseconds_since(wait_start) / reads;
        std::printf("%-10s  %-5s  %6llu  %7.0f  %7.0f  %7.0f  %8.2f  %8.2f  %9.0f\n",
                    std::string(name_of(process.accounting())).c_str(), load,
                    static_cast<unsigned long long>(wished_us), errors.at(0.5), errors.at(0.99),
                    errors.at(1), read_us, waits_us, launch_us);
    }
}

// Bots that spin, one for each core.
std::vector<OwnedProcess> keep_cores_busy(Launcher& launcher) {
    std::vector<OwnedProcess> busy;
    LaunchSpec spec;
    spec.command = {"sh", "-c", "while :; do :; done"};
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        auto launched = launcher.launch(spec);
        if (launched) busy.push_back(*std::move(launched));
    }
    return busy;
}

}  // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : rounds_by_default;
    std::printf(
        "means       cores  burned      error of one charge (us)  read (us)  both looks at waits "
        "(us)  launch (us)\n");
    std::printf("                     (us)      p50      p99      max\n");
    for (const Accounting accounting : all_accountings) {
        boost::asio::io_context context;
        LauncherOptions options;
        options.accounting = accounting;
        auto made = Launcher::create(context.get_executor(), options);
        if (!made) {
            std::printf("%s\n", made.error().message.c_str());
            continue;
        }
        auto& launcher = **made;
        measure(launcher, "idle", rounds);
        const auto busy = keep_cores_busy(launcher);
        measure(launcher, "busy", rounds);
    }
    return 0;
}
