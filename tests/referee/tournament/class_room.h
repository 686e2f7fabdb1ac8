#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "referee/tournament/referee.h"
#include "tests/referee/tournament/plain_tokens.h"
#include "tests/sim/lobby_room.h"
#include "tests/sim/simulated_journal.h"

namespace tests::sim {

using namespace std::chrono_literals;

// A whole referee with a ladder of walls, on simulated time. Bots are played by the test.
class ClassRoom final : public referee::tournament::RefereeObserver,
                        public referee::scheduler::BotSupply {
 public:
    ClassRoom();
    ~ClassRoom() override;

    // Requires: `config` is as the test wants it. Goes on with what the journal has.
    void open();
    // The referee's process is gone, with its connections and all that it had not recorded.
    void cut_off();
    // A connection from that address, whose bot has sent its login: it is answered when time
    // passes.
    std::shared_ptr<ScriptedBot> log_in(const std::string& name, const std::string& address,
                                        const std::string& token,
                                        const Json& extra = Json::object());
    // Time goes by; those who play answer what they are asked.
    void play_on(Duration time, const std::vector<std::shared_ptr<ScriptedBot>>& players);
    referee::contests::ContestSnapshot ladder() const {
        return referee->scheduler().contest("practice").snapshot();
    }
    // Matches of the ladder with a result, by name.
    std::map<std::string, std::size_t> played() const;

    void know(const referee::config::BotConfig& bot) override { known_[bot.name] = bot.handed_in; }
    void retire(referee::lobby::Bot& bot) override {
        known_.erase(bot.name());
        retired.push_back(bot.name());
    }
    bool launches(const referee::lobby::Bot& bot) const override { return is_launched(bot.name()); }
    bool is_launched(const std::string& bot) const { return known_.contains(bot); }
    bool is_handed_in(const std::string& bot) const { return known_.at(bot); }
    void on_state(const std::string& tournament, referee::records::TournamentState state,
                  const std::string& reason) override {
        states.push_back(tournament + " " + std::string(name_of(state)) + ": " + reason);
    }
    void on_waits(const std::vector<referee::scheduler::Wait>& waiting) override {
        for (const auto& wait : waiting) waits.insert(subject_of(wait));
    }
    void on_timetable(const referee::contests::ContestStatus& contest) override {
        told_next[contest.config->id] = contest.comes_next;
    }
    void on_dropped(const std::string& /*tournament*/, const std::string& reason) override {
        dropped.push_back(reason);
    }

    World world{1};
    SimulatedJournal journal{world, Random(1), 1ms, 0};
    InstantBackground background{world};
    referee::tournament::PlainTokens tokens;
    referee::config::Config config;
    std::unique_ptr<referee::tournament::Referee> referee;
    referee::tournament::Calendar::WallClock wall_clock;
    std::vector<std::string> states;               // as they came, with their reasons
    std::set<std::string> waits;                   // all that were ever told
    std::map<std::string, std::string> told_next;  // by tournament
    std::vector<std::string> dropped;
    std::vector<std::string> retired;
    std::string ending;  // what was told at the end

 private:
    static constexpr Duration step = 10ms;

    std::uint64_t dialled_ = 0;
    std::map<std::string, bool> known_;  // launched bots, and whether they were handed in
    std::vector<std::shared_ptr<ScriptedBot>> bots_;
};

}  // namespace tests::sim
