#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "tests/sim/link.h"
#include "tests/sim/timing/simulated_line.h"

namespace tests::sim::timing {

// What truly happened in a turn of a bot, as nobody but the simulator can know it.
struct Truth {
    std::shared_ptr<const Line> line;
    Instant left{};             // the turn left the referee's kernel
    std::uint32_t end = 0;      // by which its line knows the turn
    Instant reached{};          // it was there
    unsigned segment = 0;       // it came so many segments after hello
    Duration thought{};         // by the bot's own clock
    Instant answered{};         // the last byte of the answer was sent
    Instant arrived{};          // it came to the referee's kernel; zero: it never did
    Instant read{};             // the referee read it
    bool ahead = false;         // a move for it was sent before the turn had come
    Duration least_measured{};  // round trip, when the answer arrived
    // How long its way took, there and back.
    Duration way() const { return (reached - left) + (arrived - answered); }
    Duration wall() const { return arrived - left; }
};

// A line that a bot may send whenever it likes.
inline constexpr std::string_view ping_line = "{\"type\":\"ping\",\"id\":1}\n";

// How a bot answers.
struct Answering {
    // What it thinks, as a share of its budget in thousandths, by lot.
    std::uint64_t thinks_least = 100;
    std::uint64_t thinks_most = 900;
    // It spends this on top: what it believes that its way is good for.
    Duration adds{};
    // A line that it sends behind its move, in a segment of its own, and how long behind it.
    std::string_view behind{};
    Duration behind_after{};
    std::size_t pieces = 1;          // of its line
    Duration piece_gap{};            // between them
    bool early_first_bytes = false;  // half of its line comes at once
    std::size_t floods = 0;          // so many pings come before its answer
    bool answers_ahead = false;      // for the next two turns too, in the same segment
    bool reconnects = false;         // before each answer
};

// A bot at the other end of a line. It plays all games that it is asked to, with moves that say
// nothing: how it uses its time is all that counts.
class TimedBot final {
 public:
    using Key = std::tuple<std::string, std::int64_t, std::string>;  // game, turn, bot
    using Truths = std::map<Key, Truth>;

    // The world and the truths outlive it.
    TimedBot(World& world, std::string name, LineTraits line, Answering answering, Random random,
             Truths& truths);
    ~TimedBot();
    TimedBot(const TimedBot&) = delete;
    TimedBot& operator=(const TimedBot&) = delete;

    const std::string& name() const { return name_; }
    std::shared_ptr<Line> shared_line() { return line_; }
    // How long a thought takes on its machine; by default as long as the thought.
    using Takes = std::function<Duration(Duration thought)>;
    void takes(Takes call) { takes_ = std::move(call); }
    // How it dials in anew.
    using Dials = std::function<void(const std::shared_ptr<Line>& line)>;
    void dials(Dials call) { dials_ = std::move(call); }

 private:
    void on_line(std::string_view line, Line::Left left);
    void on_turn(std::string_view line, Line::Left left);
    void listen();
    void reconnect(const Key& key);
    void answer(const Key& key);
    std::string move_of(const Key& key, std::int64_t ahead = 0) const;
    void later(Duration after, std::function<void()> call);

    World& world_;
    std::string name_;
    Answering answering_;
    Random random_;
    Truths& truths_;
    std::shared_ptr<Line> line_;
    LineCutter lines_;
    Takes takes_ = [](Duration thought) { return thought; };
    Dials dials_;
    bool dialling_ = false;
    std::set<Key> ahead_;
    std::set<Key> reconnected_;               // before they were answered
    std::map<Key, std::string> begun_lines_;  // what is left to send of them
    std::shared_ptr<const bool> life_ = std::make_shared<const bool>(true);
};

}  // namespace tests::sim::timing
