#pragma once

#include <functional>
#include <string>

#include "referee/tournament/referee.h"
#include "tests/sim/run_plan.h"
#include "tests/sim/run_report.h"
#include "tests/sim/simulated_journal.h"

namespace tests::sim {

// Adds configs to a run that are read again while it is played, good and bad ones.
void add_reloads(RunPlan& plan);
// A run with some: of a ladder, to which bots can register only from then on, or of a tournament
// with other orders too.
RunPlan draw_reload(std::uint64_t seed);

// The config of a run, as its file holds it. Changes the file and gives it to the referee to read
// again; complains where a good config is refused or takes no effect, and where a bad one is taken
// or leaves anything other than it was.
class Reloads {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // The journal and the report, which counts configs, outlive this.
    Reloads(referee::config::Config config, const SimulatedJournal& journal, Random random,
            RunReport& report, Complain complain)
        : config_(std::move(config)),
          journal_(journal),
          random_(random),
          report_(report),
          complain_(std::move(complain)) {}

    // What a referee that begins now is given.
    const referee::config::Config& config() const { return config_; }
    // A referee has begun with that: complains where it doesn't know all of it.
    void on_referee(referee::tournament::Referee& referee);
    // There is no referee until the next one begins.
    void on_cut() { referee_ = nullptr; }

    // What a good config brought.
    struct Brought {
        referee::config::BotConfig bot;                // at the end of the list
        referee::config::TournamentConfig tournament;  // one more; perhaps it waits for an order
    };
    // Where there is no referee, the next one reads it.
    Brought reload();
    // Requires a referee.
    void reload_badly();

 private:
    void take_over(const Brought& brought);
    void check(const Brought& brought) const;
    // As it is now, but with other settings, a bot more and a tournament more.
    referee::config::Config changed();
    // Something that can't be done while tournaments are played; says what.
    std::string spoil(referee::config::Config& config);
    // All that can be seen of the referee.
    std::string view() const;

    referee::config::Config config_;
    referee::tournament::Referee* referee_ = nullptr;  // null while there is none
    const SimulatedJournal& journal_;
    Random random_;
    RunReport& report_;
    Complain complain_;
    std::size_t configs_ = 0;
};

}  // namespace tests::sim
