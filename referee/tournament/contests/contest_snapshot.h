#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/config/config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/standings/match_result.h"
#include "referee/game/clock/time.h"
#include "referee/game/result/game_result.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest_view.h"

// What others see of a contest: values that say how it stood at one moment. They share what never
// changes (config, field, results), so they are cheap to make. They may be read on any thread while
// the contest goes on.

namespace referee::contests {

// A value that its owner changes, and that others get as it stood at one moment, also on other
// threads: calls between two changes share one copy.
template <typename Value>
class Shared {
 public:
    const Value& operator*() const { return value_; }
    const Value* operator->() const { return &value_; }
    Value& change() {
        shared_ = nullptr;
        return value_;
    }
    // Never null, and never changed.
    std::shared_ptr<const Value> shared() const {
        if (shared_ == nullptr) shared_ = std::make_shared<const Value>(value_);
        return shared_;
    }

 private:
    Value value_;
    mutable std::shared_ptr<const Value> shared_;  // null where there is none since the last change
};

struct ArbiterLog;  // arbiter.h

// Plays that counted and were annulled by order, and why.
using AnnulledGames = std::map<GameKey, std::string>;

// Those who are withdrawn, and why.
using Withdrawn = std::map<formats::Entrant, std::string>;

// How a tournament stands, without its matches.
struct ContestStatus : CommittedCounts {
    std::shared_ptr<const config::TournamentConfig> config;
    std::shared_ptr<const std::vector<formats::Entry>> entries;  // by entrant
    std::shared_ptr<const Withdrawn> withdrawn;
    records::TournamentState state = records::TournamentState::waiting;
    std::string state_reason;  // given by whoever brought it into this state
    bool begun = false;
    bool over = false;  // every match has its result
    std::uint32_t round = 0;
    std::optional<std::uint32_t> rounds_planned;  // where that is known beforehand
    std::optional<std::uint64_t> matches_total;   // as of the last draw
    // Until no more rounds are drawn, in formats that end by their time.
    std::optional<Duration> time_left{};
    // What the calendar brings next, such as "begins on Fri 2026-11-27 14:00 +0100"; empty:
    // nothing.
    std::string comes_next{};
    std::string set_aside;  // games that were annulled again and again, and why; empty: none

    const std::string& name(formats::Entrant entrant) const { return (*entries)[entrant].name; }
    bool is_withdrawn(formats::Entrant entrant) const { return withdrawn->contains(entrant); }
    std::optional<formats::Entrant> entrant_named(std::string_view bot) const {
        return formats::entrant_named(*entries, bot);
    }
};

// All that its files are written from.
struct ContestSnapshot : ContestStatus {
    standings::ResultList results;       // of a ladder the last ones
    std::vector<formats::Pairing> open;  // drawn, without a result; by ordinal
    std::vector<formats::Bye> byes;      // in the order in which they were given
    std::string ended_early;             // why it ended before its last round
    // Those of the withdrawn of whom Contest::left_early() says so.
    std::shared_ptr<const Withdrawn> left_early;
    // A copy of the schedule, where the format has places of its own; otherwise null.
    std::shared_ptr<const formats::Schedule> schedule;
    std::shared_ptr<const ArbiterLog> arbiter;      // what was ordered; never null
    std::shared_ptr<const AnnulledGames> annulled;  // by order; never null
    std::size_t late_entries = 0;  // the last of the entries: they came when rounds were drawn

    // On a ladder: whether it has played a match that counts, and enough of them to stand before
    // those who have not.
    bool has_played(formats::Entrant entrant) const {
        const auto* ladder = formats::ladder_of(schedule.get());
        return ladder == nullptr || ladder->has_played(entrant);
    }
    bool ranks(formats::Entrant entrant) const {
        const auto* ladder = formats::ladder_of(schedule.get());
        return ladder == nullptr || ladder->ranks(entrant);
    }
    struct SplitResults {
        std::vector<formats::MatchResult> counted;
        // They count for nobody, because one of their bots is withdrawn and the config says so.
        std::vector<formats::MatchResult> dropped{};
    };
    // Both in the order of their ordinals. May take long.
    SplitResults split_results() const;
    // May take long.
    std::optional<std::vector<std::size_t>> places() const {
        return schedule == nullptr ? std::nullopt : schedule->places();
    }
};

inline ContestSnapshot::SplitResults ContestSnapshot::split_results() const {
    SplitResults split{results.copied()};
    if (!config->drops_withdrawn) return split;
    const auto stays = [this](const formats::MatchResult& match) {
        return std::ranges::none_of(match.seats,
                                    [this](auto entrant) { return left_early->contains(entrant); });
    };
    auto& counted = split.counted;
    const auto gone = std::stable_partition(counted.begin(), counted.end(), stays);
    split.dropped.assign(gone, counted.end());
    counted.erase(gone, counted.end());
    return split;
}

}  // namespace referee::contests
