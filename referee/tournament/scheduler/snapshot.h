#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/config/config.h"
#include "referee/contest/formats/schedule.h"
#include "referee/contest/standings/result_list.h"
#include "referee/game/clock/time.h"
#include "referee/store/records/journal.h"
#include "referee/tournament/scheduler/annulled_games.h"
#include "referee/tournament/scheduler/arbiter_log.h"
#include "referee/tournament/scheduler/committed_view.h"

// What others see of a contest: values that say how it stood at one moment. They share what never
// changes (config, field, results), so they are cheap to make. They may be read on any thread while
// the contest goes on.

namespace referee::scheduler {

// Those who are withdrawn, and why.
using Withdrawn = std::map<formats::Entrant, std::string>;

// How a tournament stands, without its matches.
struct ContestStatus {
    std::shared_ptr<const config::TournamentConfig> config;
    std::shared_ptr<const std::vector<formats::Entry>> entries;  // by entrant
    std::shared_ptr<const Withdrawn> withdrawn;
    records::TournamentState state = records::TournamentState::waiting;
    std::string state_reason;  // given by whoever brought it into this state
    bool begun = false;
    bool over = false;  // every match has its result
    std::uint32_t round = 0;
    std::uint64_t games_played = 0;
    std::uint64_t matches_played = 0;
    std::optional<std::uint64_t> matches_total;   // as of the last draw
    std::uint64_t games_annulled = 0;             // attempts, whatever became of the game
    CommittedView::GameAnnulled last_annulled{};  // where there is one
    // Until no more rounds are drawn, in formats that end by their time.
    std::optional<Duration> time_left{};
    std::string set_aside;  // games that were annulled again and again, and why; empty: none

    const std::string& name(formats::Entrant entrant) const { return (*entries)[entrant].name; }
    bool is_withdrawn(formats::Entrant entrant) const { return withdrawn->contains(entrant); }
    std::optional<formats::Entrant> entrant_named(std::string_view bot) const;
};

// All that its files are written from.
struct ContestSnapshot : ContestStatus {
    standings::ResultList results;       // of a ladder the last ones
    std::vector<formats::Pairing> open;  // drawn, without a result; by ordinal
    std::vector<formats::Bye> byes;      // in the order in which they were given
    std::string ended_early;             // why it ended before its last round
    // Those of the withdrawn who lost something by it: a match that they had yet to play, or could
    // have been drawn for.
    std::shared_ptr<const Withdrawn> left_early;
    // A copy of the schedule, where the format has places of its own; otherwise null.
    std::shared_ptr<const formats::Schedule> schedule;
    std::shared_ptr<const ArbiterLog> arbiter;           // what was ordered; never null
    std::shared_ptr<const AnnulledGames::All> annulled;  // by order; never null

    // On a ladder: whether it has played a match that counts.
    bool has_played(formats::Entrant entrant) const {
        return schedule == nullptr || schedule->has_played(entrant);
    }
    // May take long.
    std::optional<std::vector<std::size_t>> places() const {
        return schedule == nullptr ? std::nullopt : schedule->places();
    }
};

}  // namespace referee::scheduler
