#include <algorithm>
#include <map>
#include <set>

#include "protocol/base/find.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/swiss.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"
#include "referee/tournament/contests/arbiter.h"

namespace referee::report {
namespace {

using standings::Entrant;

// The most that the columns of such a file can hold.
constexpr std::uint32_t rounds_most = 300;
constexpr std::size_t entrants_most = 9999;
constexpr std::int64_t match_halves_most = 199;

const formats::SwissOptions* swiss_of(const Ledger& ledger) {
    return ledger.config.format.as<formats::SwissOptions>();
}

// A Swiss is written only up to its last finished round: a round that is still played would look as
// if it had other pairs. Nothing where all is written.
std::optional<Ledger> cut_short(const Ledger& ledger) {
    if (swiss_of(ledger) == nullptr || ledger.open.empty()) return std::nullopt;
    const auto open = std::ranges::min(ledger.open, {}, &formats::Pairing::round).round;
    const auto is_played = [open](const auto& one) { return one.round >= open; };
    auto written = ledger;
    std::erase_if(written.results, is_played);
    std::erase_if(written.byes, is_played);
    return written;
}

standings::Tenths bye_points_of(const Ledger& ledger) {
    const auto bye =
        std::ranges::find(ledger.byes, standings::ByeKind::pairing, &formats::Bye::kind);
    return standings::tenths_of(bye == ledger.byes.end() ? ledger.config.format.bye_points
                                                         : bye->points);
}

bool can_be_told(const Ledger& ledger) {
    if (ledger.results.empty() || ledger.entries.size() > entrants_most) return false;
    if (ledger.config.format.kind() == formats::FormatKind::ladder) return false;  // has no rounds
    const auto points = formats::points_of(ledger.config.format);
    constexpr auto tenths_most = standings::tenths_of(engines::Score::halves(match_halves_most));
    if (std::max({points.win, points.draw, bye_points_of(ledger)}) > tenths_most) return false;
    std::set<std::pair<Entrant, std::uint32_t>> lines;
    for (const auto& match : ledger.results) {
        if (match.seats.size() != 2 || match.round > rounds_most) return false;
        for (std::size_t seat = 0; seat < 2; ++seat) {
            const auto halves = match.points[seat].in_halves();
            if (halves < 0 || halves > match_halves_most) return false;
            if (!lines.emplace(match.seats[seat], match.round).second) return false;
        }
    }
    return std::ranges::all_of(ledger.byes, [&lines](const auto& bye) {
        return bye.round <= rounds_most && lines.emplace(bye.entrant, bye.round).second;
    });
}

// Numbers are drawn by lot, or follow the list; late entries come after them.
std::vector<std::size_t> entrants_by_number(const Ledger& ledger) {
    const auto& config = ledger.config;
    const auto first = ledger.entries.size() - ledger.late_entries;
    auto numbers = formats::numbers_of(config.format, first, config.seed);
    for (auto late = first; late < ledger.entries.size(); ++late) numbers.push_back(late);
    return numbers;
}

std::vector<trf::AccelerationRecord> accelerations_of(const Ledger& ledger, std::size_t rounds) {
    if (!swiss_of(ledger)->accelerated) return {};
    pairing::PairingField field;
    field.rounds_total = static_cast<int>(rounds);
    const auto points = formats::points_of(ledger.config.format);
    field.points.win = static_cast<int>(points.win);
    field.points.draw = static_cast<int>(points.draw);
    for (std::size_t i = 0; i < ledger.entries.size() - ledger.late_entries; ++i)
        field.entrants.emplace_back().number = static_cast<int>(i) + 1;
    pairing::accelerate_baku(field);
    std::vector<trf::AccelerationRecord> records;
    for (const auto& entrant : field.entrants)
        trf::add_virtual_points(records, entrant.number, entrant.acceleration_tenths);
    return records;
}

std::vector<trf::ForbiddenRecord> teams_apart(const Ledger& ledger,
                                              const std::vector<std::size_t>& by_number) {
    if (!swiss_of(ledger)->keep_teams_apart) return {};
    std::map<std::string, std::vector<int>> teams;
    for (std::size_t i = 0; i < by_number.size(); ++i) {
        const auto& team = ledger.entries[by_number[i]].team;
        if (!team.empty()) teams[team].push_back(static_cast<int>(i) + 1);
    }
    std::vector<trf::ForbiddenRecord> forbidden;
    for (auto& [name, numbers] : teams) {
        if (numbers.size() < 2) continue;
        forbidden.emplace_back().numbers = std::move(numbers);
    }
    return forbidden;
}

std::vector<formats::ForbiddenPairs> forbidden_pairs_of(const Ledger& ledger) {
    const auto& by_config = swiss_of(ledger)->forbidden_pairs;
    return ledger.arbiter == nullptr ? by_config : ledger.arbiter->forbidden_after(by_config);
}

std::vector<trf::ForbiddenRecord> forbidden_of(const Ledger& ledger,
                                               const std::vector<std::size_t>& by_number,
                                               std::size_t rounds) {
    auto forbidden = teams_apart(ledger, by_number);
    for (const auto& pairs : forbidden_pairs_of(ledger)) {
        trf::ForbiddenRecord record;
        record.first_round = static_cast<int>(pairs.first_round);
        record.last_round = static_cast<int>(
            std::min<std::size_t>(pairs.last_round, std::max<std::size_t>(rounds, 1)));
        for (std::size_t i = 0; i < by_number.size(); ++i) {
            const auto& name = ledger.name(by_number[i]);
            if (base::contains(pairs.bots, name)) record.numbers.push_back(static_cast<int>(i) + 1);
        }
        if (record.numbers.size() > 1 && record.first_round <= record.last_round)
            forbidden.push_back(std::move(record));
    }
    return forbidden;
}

}  // namespace

std::optional<std::string> trf_file_of(const Ledger& ledger) {
    const auto cut = cut_short(ledger);
    const auto& written = cut ? *cut : ledger;
    if (!can_be_told(written)) return std::nullopt;
    const auto standings = folded(written);
    const auto& config = ledger.config;
    standings::TrfHead head;
    head.tournament = config.id;
    head.rounds_total = standings.table.rounds;
    head.bye_points = bye_points_of(written);
    if (ledger.places) head.places = *ledger.places;
    if (swiss_of(ledger) != nullptr) {
        head.rounds_total =
            std::max<std::size_t>(head.rounds_total, ledger.rounds_planned.value_or(0));
        head.first_is_white = formats::first_begins_in_first_seat(config.seed);
        head.by_number = entrants_by_number(ledger);
        head.accelerations = accelerations_of(ledger, head.rounds_total);
        head.forbidden = forbidden_of(ledger, head.by_number, head.rounds_total);
    }
    std::vector<std::string> names;
    for (const auto& entry : ledger.entries) names.push_back(entry.name);
    return trf::write(standings::trf_report(standings, names, head));
}

}  // namespace referee::report
