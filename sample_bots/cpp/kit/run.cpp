#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "sample_bots/cpp/kit/bot.h"
#include "sample_bots/cpp/kit/client.h"
#include "sample_bots/cpp/kit/connection.h"
#include "sample_bots/cpp/kit/enquiry.h"
#include "sample_bots/cpp/kit/options.h"

namespace kit {
namespace {

constexpr int exit_finished = 0;
constexpr int exit_bot_failed = 1;
constexpr int exit_refused = 2;
constexpr int exit_lost = 3;

constexpr std::chrono::milliseconds pause_first{50};
constexpr std::chrono::milliseconds pause_max{2'000};
// A referee that stays away longer has given the game up.
constexpr std::chrono::seconds reconnect_time_max{60};

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
}

// Growing pauses between attempts, until patience is used up.
class BackOff {
 public:
    explicit BackOff(std::chrono::milliseconds patience) : patience_(patience) {}

    // Sleeps a while; false, at once, where there is no patience left.
    bool pause() {
        if (waited_ >= patience_) return false;
        std::this_thread::sleep_for(pause_);
        waited_ += pause_;
        pause_ = std::min(pause_ * 2, pause_max);
        return true;
    }

 private:
    std::chrono::milliseconds patience_;
    std::chrono::milliseconds waited_{0};
    std::chrono::milliseconds pause_ = pause_first;
};

int status_of(Ending ending) {
    switch (ending) {
        case Ending::finished:
            return exit_finished;
        case Ending::refused:
            return exit_refused;
        case Ending::lost:
            return exit_lost;
    }
    return exit_lost;
}

int play(const Options& options, const BotInfo& info, const MakePlayer& make_player) {
    Client client(options, info, make_player);
    if (options.address.empty()) {
        return status_of(client.play(*Connection::over_standard_streams()));
    }
    BackOff back_off(options.wait);
    std::string error;
    do {
        const auto connection = Connection::to(options.address);
        if (!connection) {
            error = connection.error().message;
            if (connection.error().for_good) break;
            continue;
        }
        const auto ending = client.play(**connection);
        if (ending != Ending::lost || !client.is_playing()) return status_of(ending);
        error = "the connection was lost in a game";
        std::fprintf(stderr, "%s: %s, trying again\n", options.name.c_str(), error.c_str());
        if (client.was_welcomed()) back_off = BackOff(reconnect_time_max);
    } while (back_off.pause());
    std::fprintf(stderr, "%s: no connection: %s\n", options.name.c_str(), error.c_str());
    return exit_lost;
}

int ask(const Options& options, const BotInfo& info) {
    const auto connection = Connection::to(options.address);
    if (!connection) {
        std::fprintf(stderr, "%s: no connection: %s\n", options.name.c_str(),
                     connection.error().message.c_str());
        return exit_lost;
    }
    const auto answer = answer_for_people(**connection, options, info);
    if (!answer) {
        std::fprintf(stderr, "%s: %s\n", options.name.c_str(), answer.error().message.c_str());
        return exit_refused;
    }
    std::fputs(answer->c_str(), stdout);
    return exit_finished;
}

}  // namespace

int run(int argc, char** argv, const BotInfo& info, const MakePlayer& make_player) {
    const std::string_view program = argc > 0 ? argv[0] : "bot";
    const std::vector<std::string_view> arguments(argv + std::min(argc, 1), argv + argc);
    const auto read = read_options(arguments, environment, info);
    if (!read) {
        std::fprintf(stderr, "%s (--help shows all options)\n", read.error().message.c_str());
        return exit_refused;
    }
    const auto* const options = std::get_if<Options>(&*read);
    if (options == nullptr) {
        std::fputs(help_text(program, info).c_str(), stdout);
        return exit_finished;
    }
    std::signal(SIGPIPE, SIG_IGN);  // a lost connection is a result of write()
    try {
        const bool asks = options->asks_games || !options->asked_game.empty();
        return asks ? ask(*options, info) : play(*options, info, make_player);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "%s failed: %s\n", info.name.c_str(), failure.what());
        return exit_bot_failed;
    }
}

}  // namespace kit
