#pragma once

#include <deque>

#include "engines/game.h"
#include "referee/net/lobby/lobby.h"
#include "referee/tournament/table/table.h"
#include "tests/sim/open_roster.h"
#include "tests/sim/timing/timed_bot.h"

namespace tests::sim::timing {

// A game without a game: each seat is to move in each turn, any move is good, and after so many
// turns it is over. {"turns": 20, "seats": 2}
class CountingGame final : public engines::Game {
 public:
    const engines::GameInfo& info() const override;
    engines::StartResult start(engines::json::View params, std::uint32_t seed) const override;
    std::string full_params(engines::json::View params) const override;
    std::optional<std::string> params_for(std::size_t seats) const override;
};

// What the referee made of a turn of a bot, and what truly happened in it.
struct Judged {
    TimedBot::Key key;
    referee::clock::Charge charge;
    std::string stall_cause;
    referee::clock::Allowance allowance;
    Duration budget{};
    bool answered = false;  // its move was played
    Instant told{};         // the turn was over for all seats
    Truth truth;
    std::shared_ptr<const Line> line;
    // The moments around the call by which the turn was sent.
    referee::Stamp handed() const { return line->handed(truth.end); }
};

// A lobby, tables and bots on one simulated time line: everything between the game's rules and the
// kernel is what is used on real machines. It keeps each verdict.
class TimedRoom final : public OpenRoster,
                        public referee::lobby::LobbyEvents,
                        public referee::table::Watcher {
 public:
    explicit TimedRoom(std::uint64_t seed, std::vector<referee::clock::NetworkRange> network = {});
    ~TimedRoom() override;

    // Before open(): what tells how long the referee stood still. By default nobody does.
    void watched_by(const referee::loop::StallSource& stalls) { stalls_ = &stalls; }
    // A bot dials in.
    TimedBot& add(const std::string& name, const LineTraits& line, const Answering& answering);
    // The bot is a process of ours, which outlives the room.
    void launch(const std::string& bot, referee::lobby::Process& process) {
        lobby_->bot(bot).set_process(&process);
    }
    // A game of these bots, all of which are to move in each turn. What is late is a turn without a
    // move, and nothing else.
    referee::table::Table& open(const std::vector<std::string>& bots,
                                const referee::clock::ClockConfig& clock, std::int64_t turns);
    // Plays until all games are over; false where they aren't by then.
    bool play(Duration at_most);

    const std::vector<Judged>& verdicts() const { return verdicts_; }
    // Why games ended that don't count.
    const std::vector<std::string>& annulled() const { return annulled_; }
    std::shared_ptr<const Line> line_of(const std::string& bot) const;
    Random& random() { return random_; }
    // A time of `most` at most.
    Duration up_to(Duration most) { return random_up_to(random_, most); }

    World world;

 private:
    class NoStalls final : public referee::loop::StallSource {
     public:
        Duration stalled(referee::loop::StallsOf /*whose*/, Instant /*from*/,
                         Instant /*to*/) const override {
            return {};
        }
    };
    void on_arrived(referee::lobby::Bot& /*bot*/) override {}
    void on_left(referee::lobby::Bot& /*bot*/, referee::session::CloseCause /*cause*/) override {}
    void on_position(const referee::table::Table& table) override;

    Random random_;
    NoStalls no_stalls_;
    const referee::loop::StallSource* stalls_ = &no_stalls_;
    CountingGame game_;
    referee::table::Cores cores_{64};
    std::unique_ptr<referee::lobby::Lobby> lobby_;
    TimedBot::Truths truths_;
    std::deque<std::unique_ptr<TimedBot>> bots_;
    std::deque<std::unique_ptr<referee::table::Table>> tables_;
    std::size_t playing_ = 0;
    std::vector<Judged> verdicts_;
    std::vector<std::string> annulled_;
};

// What is said of a verdict where it is wrong.
std::string describe(const Judged& verdict);

}  // namespace tests::sim::timing
