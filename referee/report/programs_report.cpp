#include "referee/report/reports.h"

#include <algorithm>
#include <set>

#include "protocol/base/text.h"
#include "referee/game/result/game_result.h"

namespace referee::report {
namespace {

using formats::FormatKind;

// Who mends a bug three times in a row does no harm.
constexpr std::uint64_t changes_told_least = 4;
// A program that plays fewer matches than that before the next one comes tells nothing.
constexpr std::uint64_t matches_of_program_least = 4;

struct Played {
    ProgramChange change;
    std::uint32_t first = 0;  // versions, as they came: matches may end in another order
    std::uint32_t last = 0;
    std::set<std::string> all;
};

std::string what_becomes_of_former(const Ledger& ledger) {
    switch (ledger.config.format.kind()) {
        case FormatKind::ladder:
            return "what the one before played is a start for its ratings, and no more";
        case FormatKind::adaptive:
            return "matches of the one before keep their points, and tell nothing of its share and "
                   "rating";
        case FormatKind::round_robin:
        case FormatKind::leaderboard:
        case FormatKind::gauntlet:
            return "its place and ratings are of both; the order rerun --changed plays the "
                   "matches of the one before again";
        case FormatKind::swiss:
        case FormatKind::knockout:
        case FormatKind::stages:
            break;
    }
    return "its place and ratings are of both";
}

}  // namespace

bool ProgramChange::is_restless() const {
    return changes >= changes_told_least && matches < changes * matches_of_program_least;
}

std::vector<ProgramChange> program_changes(const Ledger& ledger) {
    std::map<standings::Entrant, Played> played;
    for (const auto& match : ledger.results) {
        for (std::size_t seat = 0; seat < match.programs.size(); ++seat) {
            const auto& program = match.programs[seat];
            if (program.empty()) continue;
            const auto version = match.version_of(seat);
            auto& its = played[match.seats[seat]];
            its.change.entrant = match.seats[seat];
            its.all.insert(program);
            if (++its.change.matches == 1 || version > its.last) {
                if (its.change.matches == 1) its.first = version;
                its.last = version;
                its.change.since = match.match;
                its.change.matches_since = 0;
            }
            its.first = std::min(its.first, version);
            if (version == its.last) ++its.change.matches_since;
        }
    }
    std::vector<ProgramChange> found;
    for (auto& [entrant, its] : played) {
        its.change.programs = its.all.size();
        its.change.changes = its.last - its.first;
        if (its.change.changes > 0) found.push_back(its.change);
    }
    return found;
}

std::vector<std::string> program_sentences(const Ledger& ledger) {
    std::vector<std::string> sentences;
    for (const auto& change : program_changes(ledger)) {
        const auto& name = ledger.entries[change.entrant].name;
        if (change.is_restless()) {
            sentences.push_back(
                fmt::format("Warning: the program of {} changed {} times in {} matches, or it says "
                            "so: no figure of it is of one program.",
                            name, change.changes, change.matches));
            continue;
        }
        sentences.push_back(
            fmt::format("Another program plays for {} since match {}, in {} of its {} matches: {}.",
                        name, match_id(ledger.config.id, change.since), change.matches_since,
                        change.matches, what_becomes_of_former(ledger)));
    }
    return sentences;
}

void write_program_changes(protocol::json::Writer& writer, const Ledger& ledger) {
    const auto changes = program_changes(ledger);
    if (changes.empty()) return;
    writer.key("program_changes").begin_array();
    for (const auto& change : changes)
        writer.begin_object()
            .member("bot", ledger.entries[change.entrant].name)
            .member("programs", change.programs)
            .member("changes", change.changes)
            .member("since", match_id(ledger.config.id, change.since))
            .member("matches_since", change.matches_since)
            .member("matches", change.matches)
            .member("restless", change.is_restless())
            .end_object();
    writer.end_array();
}

}  // namespace referee::report
