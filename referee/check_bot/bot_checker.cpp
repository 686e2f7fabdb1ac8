#include "referee/check_bot/bot_checker.h"

#include <algorithm>

#include "referee/net/loop/timers.h"

namespace referee::check_bot {
namespace {

using loop::monotonic_now;

// A person has to type the command.
constexpr Duration start_by_hand_max = std::chrono::minutes(5);
// The end of a program is told a moment after that of its connection.
constexpr Duration last_words_max = std::chrono::seconds(1);

}  // namespace

BotChecker::BotChecker(boost::asio::io_context& loop, Entrance& entrance,
                       const engines::Registry& registry, CheckBotOptions options)
    : loop_(loop), entrance_(entrance), registry_(registry), options_(std::move(options)) {}

std::optional<std::string> BotChecker::connect() {
    const bool used_up = one_game_a_launch_ && has_played_;
    if (connected() && !fallen_ && !used_up) return std::nullopt;
    connection_.reset();
    entrance_.start_over();
    fallen_ = false;
    has_played_ = false;
    const bool by_hand = entrance_.comes() == ConnectsBy::by_hand;
    if (by_hand && options_.on_waiting)
        options_.on_waiting(came_
                                ? "waiting for the bot to come again: start it anew if it has ended"
                                : "waiting for the bot");
    const auto began = monotonic_now();
    auto failed = greet(by_hand ? start_by_hand_max : options_.start_within);
    if (!failed && !came_) {
        came_ = true;
        start_up_ = monotonic_now() - began - entrance_.start_waited();
    }
    return failed;
}

std::optional<std::string> BotChecker::come_back(Duration within) {
    connection_.reset();
    return greet(within);
}

std::optional<std::string> BotChecker::greet(Duration within) {
    entrance_.begin_start(within);
    auto came = entrance_.next();
    if (!came) return came.error();
    connection_ = std::make_unique<BotConnection>(loop_, *std::move(came), observations_);
    const auto told = connection_->log_in("s" + std::to_string(++sessions_),
                                          [this] { return entrance_.start_ends(); });
    if (!told) {
        auto why = connection_->why();
        said_something_else_ = connection_->said_something();
        connection_.reset();
        if (const auto exit = entrance_.await_exit(monotonic_now() + last_words_max))
            why += "; its program has ended: " + exit->text();
        return why;
    }
    login_ = *told;
    std::vector<std::string> known;
    for (const auto& game : login_.games) {
        if (registry_.find(game) != nullptr) known.push_back(game);
    }
    connection_->welcome(login_, known);
    return std::nullopt;
}

void BotChecker::drop() {
    fallen_ = true;
}

std::vector<std::string> BotChecker::games() const {
    std::vector<std::string> played;
    for (const auto& game : options_.games.empty() ? login_.games : options_.games) {
        const bool named = std::count(login_.games.begin(), login_.games.end(), game) > 0;
        if (named && registry_.find(game) != nullptr) played.push_back(game);
    }
    return played;
}

// Wall time is measured, whatever the game's page says: it is what the student sees.
clock::ClockConfig BotChecker::clock_of(const engines::Game& game) const {
    if (options_.clock) return *options_.clock;
    auto clock = clock::default_clock(game.info());
    clock.measure = clock::Measure::wall;
    return clock;
}

PlayedTrial BotChecker::play(const Position& position, LineStyle style, TrialGame::OnTurn on_turn,
                             bool whole_states) {
    const auto* game = registry_.find(position.game);
    connection_->set_manner(style);
    has_played_ = true;
    TrialGame::Setup setup;
    setup.game = game;
    setup.position = position;
    setup.clock = clock_of(*game);
    setup.bot = login_.name;
    setup.number = ++matches_;
    setup.delta = login_.delta && !whole_states;
    setup.entrance = &entrance_;
    TrialGame trial_game(connection_, observations_, std::move(setup), std::move(on_turn));
    auto played = trial_game.play();
    if (connection_ != nullptr) connection_->set_manner({});
    if (!played.went_well()) {
        drop();
        if (played.ending == TrialEnding::gone && connection_ != nullptr) {
            connection_->close();
            const auto exit = entrance_.await_exit(monotonic_now() + last_words_max);
            played.program_ended = exit.has_value();
            if (exit) played.why += "; its program has ended: " + exit->text();
            const auto tail = entrance_.remains().error_tail;
            if (!tail.empty()) played.why += "; the end of its standard error:\n" + tail;
        }
    }
    return played;
}

}  // namespace referee::check_bot
