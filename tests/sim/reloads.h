#pragma once

#include <functional>
#include <string>

#include "referee/arena/house/referee.h"
#include "tests/sim/plan.h"
#include "tests/sim/simulated_journal.h"

namespace tests::sim {

// A run whose config is read again while it is played, good and bad ones: of a ladder, to which
// bots can register only from then on, or of a tournament with other orders too.
RunPlan draw_reload(std::uint64_t seed);

// Gives a referee configs to read again, and complains where a good one is refused or takes no
// effect, and where a bad one is taken or leaves anything other than it was.
class Reloads {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // All of it outlives this.
    Reloads(referee::house::Referee& referee, const SimulatedJournal& journal, Random random,
            Complain complain)
        : referee_(referee), journal_(journal), random_(random), complain_(std::move(complain)) {}

    // What a good config brought.
    struct Brought {
        referee::config::BotConfig bot;                // at the end of the list
        referee::config::TournamentConfig tournament;  // one more; perhaps it waits for an order
    };
    Brought reload();
    void reload_badly();

    // Configs that were taken, and those that were refused.
    std::size_t taken() const { return taken_; }
    std::size_t refused() const { return refused_; }

 private:
    // As it is now, but with other settings, a bot more and a tournament more.
    referee::config::Config changed();
    // Something that can't be done while tournaments are played; says what.
    std::string spoil(referee::config::Config& config);
    // All that can be seen of the referee.
    std::string view() const;

    referee::house::Referee& referee_;
    const SimulatedJournal& journal_;
    Random random_;
    Complain complain_;
    std::size_t configs_ = 0;
    std::size_t taken_ = 0;
    std::size_t refused_ = 0;
};

}  // namespace tests::sim
