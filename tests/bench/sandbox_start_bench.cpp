// What the sandbox costs: how long a static program takes from its launch to its first line, alone
// and eight at once, in each tier that this machine gives, as ratios to a launch without a sandbox;
// and how exactly a loop that burns 20 ms by its own clock is charged there.
//
// sandbox_start_bench [ROUNDS]

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "referee/launch/process/launcher.h"

namespace {

using namespace referee::process;
using referee::sandbox::Tier;
using Stream = boost::asio::posix::stream_descriptor;
using Clock = std::chrono::steady_clock;

constexpr int rounds_by_default = 100;
constexpr std::array<std::size_t, 2> at_once{1, 8};
constexpr const char* burn = "20000\n";

double at(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

struct Bot {
    explicit Bot(boost::asio::io_context& context) : output(context) {}

    OwnedBot process;
    Stream output;
    boost::asio::streambuf line;
    double took_ms = 0;
};

class Bench {
 public:
    // Without a sandbox where there is no tier.
    explicit Bench(std::optional<Tier> tier) : tier_(tier) {
        LauncherOptions options;
        options.sandbox = tier.has_value();
        options.tier_most = tier.value_or(Tier::none);
        auto created = Launcher::create(context_.get_executor(), options);
        if (!created) {
            std::printf("%s\n", created.error().message.c_str());
            return;
        }
        launcher_ = *std::move(created);
        // The program beside this one.
        spec_.command = {
            std::filesystem::read_symlink("/proc/self/exe").replace_filename("static_bot")};
        if (tier) spec_.sandbox.emplace().reads = spec_.command;
    }
    bool is_offered() const {
        return launcher_ != nullptr && (!tier_ || launcher_->sandbox().tier == *tier_);
    }
    std::string name() const { return tier_ ? std::string(name_of(*tier_)) : "plain"; }

    // Milliseconds of each of `bots` that are launched in the same moment, over all rounds.
    std::vector<double> starts(std::size_t bots, int rounds) {
        std::vector<double> all;
        for (int round = -1; round < rounds; ++round) {
            std::vector<std::unique_ptr<Bot>> started;
            const auto begun = Clock::now();
            for (std::size_t i = 0; i < bots; ++i) {
                started.push_back(std::make_unique<Bot>(context_));
                begin(*started.back(), begun);
            }
            run();
            for (const auto& bot : started) {
                if (round >= 0) all.push_back(bot->took_ms);
            }
            started.clear();
            launcher_->wait_until_released(std::chrono::seconds(5));
        }
        return all;
    }

    // By how many microseconds the charge of each burning differs from the bot's own clock.
    std::vector<double> charge_errors(int rounds) {
        std::vector<double> errors;
        Bot bot(context_);
        begin(bot, Clock::now());
        run();
        if (bot.process == nullptr) return errors;
        Stream input(context_, bot.process->take_input().release());
        auto charged_before = bot.process->cpu_time_us();
        double own_before = 0;
        for (int round = -1; round < rounds; ++round) {
            boost::asio::write(input, boost::asio::buffer(std::string(burn)));
            const auto bytes = boost::asio::read_until(bot.output, bot.line, '\n');
            const auto charged = bot.process->cpu_time_us();
            const double own = std::atof(static_cast<const char*>(bot.line.data().data()));
            bot.line.consume(bytes);
            if (round >= 0)
                errors.push_back(static_cast<double>(charged - charged_before) -
                                 (own - own_before));
            charged_before = charged;
            own_before = own;
        }
        return errors;
    }

 private:
    void begin(Bot& bot, Clock::time_point begun) {
        ++awaited_;
        launcher_->async_launch(spec_, [this, &bot, begun](LaunchResult result) {
            if (!result) {
                std::printf("%s\n", result.error().message.c_str());
                std::exit(1);
            }
            bot.process = *std::move(result);
            bot.output.assign(bot.process->take_output().release());
            boost::asio::async_read_until(
                bot.output, bot.line, '\n', [this, &bot, begun](auto /*error*/, std::size_t bytes) {
                    bot.line.consume(bytes);
                    bot.took_ms =
                        std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
                    --awaited_;
                });
        });
    }
    // Until each of them has said its line.
    void run() {
        context_.restart();
        while (awaited_ > 0) context_.run_one();
    }

    std::optional<Tier> tier_;
    boost::asio::io_context context_;
    std::unique_ptr<Launcher> launcher_;
    LaunchSpec spec_;
    std::size_t awaited_ = 0;  // bots that have not said their first line
};

}  // namespace

int main(int count, char** words) {
    const int rounds = count > 1 ? std::atoi(words[1]) : rounds_by_default;
    std::array<double, at_once.size()> plain{};
    std::printf("%-6s  %7s  %26s  %8s  %s\n", "tier", "at once", "ms: median, 9 of 10, most",
                "to plain", "charge of 20 ms, off by us: median, 99 of 100, most");
    for (const std::optional<Tier> tier : {std::optional<Tier>(), std::optional(Tier::c),
                                           std::optional(Tier::b), std::optional(Tier::a)}) {
        Bench bench(tier);
        if (!bench.is_offered()) {
            std::printf("%-6s  not offered here\n", bench.name().c_str());
            continue;
        }
        for (std::size_t i = 0; i < at_once.size(); ++i) {
            const auto times = bench.starts(at_once[i], rounds);
            if (!tier) plain[i] = at(times, 0.5);
            std::printf("%-6s  %7zu  %8.2f %8.2f %8.2f  %8.1f", bench.name().c_str(), at_once[i],
                        at(times, 0.5), at(times, 0.9), at(times, 1), at(times, 0.5) / plain[i]);
            if (i == 0) {
                auto errors = bench.charge_errors(rounds);
                for (auto& error : errors) error = std::abs(error);
                std::printf("  %8.0f %8.0f %8.0f", at(errors, 0.5), at(errors, 0.99),
                            at(errors, 1));
            }
            std::printf("\n");
        }
    }
    return 0;
}
