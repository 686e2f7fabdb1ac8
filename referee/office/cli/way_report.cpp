#include "referee/office/cli/way_report.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "protocol/base/milliseconds.h"
#include "referee/games/clock/way_loss.h"

namespace referee::cli {
namespace {

using clock::AllowedBy;
using std::chrono::milliseconds;

// A bot of a tournament that loses too much of a budget.
struct Loser {
    std::string bot;
    clock::Allowance way;
    clock::WayLoss loss;
};

std::string text_of(Duration time) {
    return base::milliseconds(in_us(time));
}

// As a config has it: "250ms", "2s".
std::string config_text(Duration time) {
    const auto ms = std::chrono::duration_cast<milliseconds>(time).count();
    constexpr auto ms_per_s = milliseconds(std::chrono::seconds(1)).count();
    return ms % ms_per_s == 0 ? std::to_string(ms / ms_per_s) + "s" : std::to_string(ms) + "ms";
}

// "2026-11-20 16:05 UTC"
std::string time_text(std::int64_t ms) {
    const auto seconds = static_cast<std::time_t>(ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
    return text.data();
}

std::string count_of(std::uint64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

// What set the allowance that a loss comes of.
std::string bound_text(const clock::ClockConfig& clock, const clock::Allowance& way) {
    if (!clock.allowance) return "\"network_allowance\" of the clock is off";
    if (way.by == AllowedBy::nothing || clock.allowance_max < way.bound)
        return "\"allowance_max\" of the clock";
    return way.by == AllowedBy::peers ? "what the other bots of its network need"
                                      : "the cap of its range of addresses";
}

// Who dials in to play a tournament: those whom the config names, and those who have entered it, or
// the ladder that it takes the best of. In the order of their names.
std::vector<std::string> players_of(const config::Config& config,
                                    const config::TournamentConfig& tournament,
                                    const MeasuredWays& measured) {
    std::set<std::string> names = measured.entrants(tournament.id);
    if (tournament.field_from)
        names.merge(std::set(measured.entrants(tournament.field_from->ladder)));
    for (const auto bot : tournament.bots) names.insert(config.bots[bot].name);
    for (const auto& bot : config.bots) {
        if (bot.launched()) names.erase(bot.name);
    }
    std::erase_if(names,
                  [&](const auto& bot) { return measured.is_withdrawn(tournament.id, bot); });
    return {names.begin(), names.end()};
}

Duration fair_budget(clock::ClockConfig clock, const std::vector<Loser>& losers) {
    const auto loses = [&clock](const Loser& one) {
        return clock::way_loss(clock, one.way).has_value();
    };
    while (std::any_of(losers.begin(), losers.end(), loses))
        clock.budget = round_figure(clock.budget + milliseconds(1));
    return clock.budget;
}

// "a turn's budget of 50.000 ms"
std::string budget_text(const clock::ClockConfig& clock) {
    return (clock.kind == clock::ClockKind::game ? "a game's budget of " : "a turn's budget of ") +
           text_of(clock.budget);
}

std::string cures_of(const clock::ClockConfig& clock, const std::vector<Loser>& losers) {
    std::vector<std::string> cures;
    for (const auto& loser : losers) {
        auto cure = clock::how_to_allow_more(clock, loser.way);
        if (std::find(cures.begin(), cures.end(), cure) == cures.end())
            cures.push_back(std::move(cure));
    }
    return joined(cures);
}

std::string warning_of(const config::TournamentConfig& tournament, std::size_t measured,
                       std::vector<Loser> losers) {
    std::stable_sort(losers.begin(), losers.end(),
                     [](const auto& a, const auto& b) { return a.loss.lost > b.loss.lost; });
    auto text = "tournament " + tournament.id + ": " + budget_text(tournament.clock) +
                " is not fair to " + std::to_string(losers.size()) + " of the " +
                count_of(measured, "bot") + " that " + (measured == 1 ? "was" : "were") +
                " measured:";
    for (const auto& [bot, way, loss] : losers) {
        text += "\n    " + bot + " loses " + text_of(loss.lost) + " of each turn: its way takes " +
                text_of(way.round_trip) + ", and " + text_of(loss.allowed) + " are allowed (" +
                bound_text(tournament.clock, way) + ")";
        if (loss.turns > 1)
            text += "; in " + count_of(static_cast<std::uint64_t>(loss.turns), "turn") + " " +
                    text_of(loss.turns * loss.lost);
    }
    return text + "\n    a budget of \"" + config_text(fair_budget(tournament.clock, losers)) +
           "\", or " + cures_of(tournament.clock, losers) + ", would be fair to all of them";
}

void report_on(const config::Config& config, const config::TournamentConfig& tournament,
               const MeasuredWays& measured, WayReport& report) {
    const auto& clock = tournament.clock;
    std::vector<std::string> unknown;
    std::vector<std::string> little;  // who loses something of a game, but not too much
    std::vector<Loser> losers;
    std::size_t known = 0;
    for (const auto& bot : players_of(config, tournament, measured)) {
        const auto way = measured.ways().find(bot);
        if (way == measured.ways().end()) {
            unknown.push_back(bot);
            continue;
        }
        ++known;
        if (const auto loss = clock::way_loss(clock, way->second)) {
            losers.push_back({bot, way->second, *loss});
            continue;
        }
        const auto cost = clock::way_cost(clock, way->second);
        if (cost && clock.kind == clock::ClockKind::game && cost->lost > Duration::zero())
            little.push_back(bot + " " + text_of(cost->turns * cost->lost));
    }
    const bool by_wall =
        clock.kind != clock::ClockKind::none && clock.measure == clock::Measure::wall;
    if (!little.empty())
        report.notes.push_back("tournament " + tournament.id + ": of " + budget_text(clock) +
                               " a game of " + std::to_string(clock::game_turns_assumed) +
                               " turns costs " + joined(little) +
                               ", by ways that are longer than what is allowed in each turn");
    if (!losers.empty()) {
        report.warnings.push_back(warning_of(tournament, known, std::move(losers)));
    } else if (by_wall && known > 0) {
        report.notes.push_back("tournament " + tournament.id + ": " + budget_text(clock) +
                               " is fair to the " + count_of(known, "bot") + " that " +
                               (known == 1 ? "was" : "were") + " measured");
    }
    if (!unknown.empty())
        report.notes.push_back("tournament " + tournament.id +
                               ": not measured yet: " + joined(unknown));
}

}  // namespace

Duration round_figure(Duration time) {
    constexpr std::array tenths{10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
    // Below 10 ms only what is whole counts.
    for (milliseconds power(1);; power *= 10) {
        for (const auto figure : tenths) {
            const auto us = std::chrono::microseconds(power) * figure / 10;
            if (us >= time && us % milliseconds(1) == Duration::zero()) return us;
        }
    }
}

WayReport way_report(const config::Config& config, const MeasuredWays& measured,
                     const std::string& out) {
    WayReport report;
    if (measured.measurements() == 0) {
        report.notes.push_back(out + ": no bot's way was measured there yet");
    } else {
        report.notes.push_back(
            out + ": " + count_of(measured.measurements(), "measurement") + " of the ways of " +
            count_of(measured.ways().size(), "bot") + ", in games that ended from " +
            time_text(measured.first_ms()) + " to " + time_text(measured.last_ms()) +
            "; of each bot its last game counts, with what was allowed for its way then");
    }
    for (const auto& tournament : config.tournaments)
        report_on(config, tournament, measured, report);
    return report;
}

}  // namespace referee::cli
