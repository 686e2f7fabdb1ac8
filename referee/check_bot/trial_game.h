#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/check_bot/bot_connection.h"
#include "referee/game/clock/time.h"
#include "referee/game/play/play.h"

namespace referee::check_bot {

// Who plays the seats beside the bot's.
enum class Others : std::uint8_t {
    random,  // any legal move
    idle,    // the example of the game's page, always
};

// A game that brings about something which a bot may not expect. All comes about by the rules.
struct TrialCase {
    std::string_view game;
    std::string_view what;  // "a board of another size", for the report
    std::string_view params;
    std::uint32_t seed = 1;
    std::size_t seat = 0;  // of the bot
    Others others = Others::random;
};

// Of each game the first is a plain one: trial_cases.cpp.
std::span<const TrialCase> trial_cases();

// The params as a referee gives them to a bot that has so much time for a turn: where a rule of the
// game looks at the time, it is as generous.
std::string params_of(const TrialCase& trial, Duration budget);

// How a game with the bot came out, as the checker looks at it.
enum class TrialEnding : std::uint8_t {
    over,        // to its end by the rules
    broken_off,  // long enough: the bot was told that the game doesn't count
    not_ready,   // no `ready` came in time
    silent,      // turns were not answered, again and again
    gone,        // its connection ended
};

struct PlayedTrial {
    TrialEnding ending = TrialEnding::over;
    std::string why;                      // in words, where the game did not go well
    std::vector<Fault> faults;            // its own, and not brought about by us
    std::size_t answers = 0;              // in time
    std::vector<std::string> moves = {};  // those, as they came
    std::string misnumbered = {};  // its first move for a turn that it was not sent, in words
    bool program_ended = false;    // behind its connection

    bool went_well() const {
        return ending == TrialEnding::over || ending == TrialEnding::broken_off;
    }
};

// One game with the bot: all that it is told is what a table of a tournament would say. Requires
// that the bot is logged in, and plays the game.
class TrialGame {
 public:
    struct Setup {
        const engines::Game* game = nullptr;
        TrialCase trial;
        clock::ClockConfig clock;
        std::string bot;
        std::uint64_t number = 1;  // of the match
        bool delta = false;        // what the bot asked for
        // Knows how long a bot that we launched waited for a core: that is not blamed on it.
        Entrance* entrance = nullptr;
    };
    // Called when a turn of the bot has been sent, and before its time runs; its how manyth,
    // from 1.
    using OnTurn = std::function<void(TrialGame&, std::size_t nth)>;

    // `connection` holds the bot's present connection; all references outlive this.
    TrialGame(std::unique_ptr<BotConnection>& connection, BotObservations& observations,
              Setup setup, OnTurn on_turn = nullptr);
    TrialGame(const TrialGame&) = delete;
    TrialGame& operator=(const TrialGame&) = delete;

    PlayedTrial play();

    // For on_turn. The present turn's answer will count as a malformed move, whatever it is, so
    // that the bot is told of a fault.
    void spoil_answer() { spoiled_turn_ = play_.turn(); }
    // The bot has come back on another connection: it is told all that a bot is told then.
    void resume();
    // Gives the game up.
    void give_up(TrialEnding ending, std::string why);

 private:
    engines::Seat seat() const { return setup_.trial.seat; }
    void perform();
    void perform(const play::Action& action);
    void send_turn();
    void answer_for(engines::Seat other);
    void time_is_up();
    // What the bot may have waited for a core since its start, or its last turn, was sent.
    Duration core_wait_max();
    void take(const BotConnection::Heard& heard);
    void take_move(const protocol::Move& move, const BotConnection::Heard& heard);
    void say_end();
    play::Arrival arrival_at(Instant at, std::string_view line = {}) const;
    void note_answer(Duration took, Duration budget, bool late);

    std::unique_ptr<BotConnection>& connection_;
    BotObservations& observations_;
    Setup setup_;
    OnTurn on_turn_;
    play::Play play_;
    play::Actions actions_;
    std::mt19937_64 random_;
    std::optional<Instant> deadline_;  // of what is awaited from the bot
    std::optional<Instant> patience_;  // the late answer is waited for until then
    Instant asked_{};                  // its start, or its last turn, was sent
    Duration core_wait_{};             // since then, as far as core_wait_max() has seen
    Duration limit_{};                 // of its last turn
    std::size_t turns_ = 0;            // of the bot
    std::size_t missed_ = 0;
    std::size_t missed_in_a_row_ = 0;
    std::int64_t spoiled_turn_ = -1;
    std::set<std::int64_t> sent_;        // turns of the bot
    std::set<std::int64_t> unanswered_;  // of these, whose time ran out
    std::set<std::int64_t> answered_;    // turns, in time or not
    std::set<std::int64_t> excused_;     // turns whose faults are ours, or can't be helped
    bool disturbed_ = false;             // the present turn is no measure of its speed
    PlayedTrial played_;
};

}  // namespace referee::check_bot
