#include "referee/report/machines_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "protocol/base/text.h"
#include "referee/files/text_table.h"

namespace referee::report {
namespace {

namespace json = protocol::json;

using certainty::MachineEffect;
using certainty::MachineMeasure;
using certainty::NoComparison;
using files::fixed_text;
using files::write_fixed;
using files::write_span;

constexpr int ratio_decimals = 3;
constexpr int part_decimals = 4;
constexpr int chance_decimals_of_machines = 6;
constexpr double percent_in_whole = 100;
// A machine may tell any times; up to here readers of JSON count in ones.
constexpr std::int64_t used_us_most = std::int64_t{1} << 53;
constexpr std::array<std::string_view, certainty::machine_measures> measure_names{"time", "faults"};
constexpr std::array<std::string_view, 5> untold_names{"told", "alone", "few", "apart", "nothing"};

struct Counted {
    MachineRow row;
    std::set<std::uint64_t> matches;
    std::vector<std::int64_t> calibrations;
};

void count(const contests::MachinePlay& play, Counted& counted) {
    auto& row = counted.row;
    const auto& machine = *play.machine;
    const auto note = [](std::set<std::string>& texts, const std::string& text) {
        if (!text.empty()) texts.insert(text);
    };
    row.name = machine.name;
    note(row.processors, machine.processor);
    note(row.kernels, machine.kernel);
    note(row.sandboxes, machine.sandbox);
    if (machine.cores > 0) row.cores.insert(machine.cores);
    if (machine.calibration_us > 0) counted.calibrations.push_back(machine.calibration_us);
    if (!play.counts) {
        ++row.annulled;
        return;
    }
    counted.matches.insert(play.match);
    ++row.games;
    for (const auto& seat : play.seats) {
        ++row.seats;
        row.faulty += seat.faulty ? 1 : 0;
        row.turns += seat.turns;
        row.used_us += std::min(seat.used_us, used_us_most - row.used_us);
    }
}

certainty::MachineGame game_of(const contests::MachinePlay& play, std::size_t machine) {
    certainty::MachineGame game{play.match, machine};
    for (const auto& seat : play.seats) {
        certainty::MachineSeat its{seat.player};
        if (seat.turns > 0)
            its.log_us = std::log(static_cast<double>(std::max<std::int64_t>(1, seat.used_us)) /
                                  static_cast<double>(seat.turns));
        its.faulty = seat.faulty;
        game.seats.push_back(its);
    }
    return game;
}

std::string called(const MachineRow& machine) {
    return machine.name.empty() ? "the referee's own machine" : machine.name;
}

std::string points(double part) {
    return fixed_text(part * percent_in_whole, 1);
}

std::string sentence_of(const MachineRow& machine, const MachineEffect& effect) {
    const auto& [low, high] = effect.interval;
    if (effect.measure == MachineMeasure::time)
        return "Bots take " + fixed_text(std::exp(effect.difference), 2) +
               " times as long a turn on " + called(machine) +
               " as the same bots elsewhere (95%: " + fixed_text(std::exp(low), 2) + " to " +
               fixed_text(std::exp(high), 2) + ").";
    return "Bots have faults in " + points(effect.share) + "% of their games on " +
           called(machine) + ", " + points(std::abs(effect.difference)) + " points " +
           (effect.difference < 0 ? "less" : "more") +
           " than those of the same bots elsewhere (95%: " + points(low) + " to " + points(high) +
           ").";
}

void tell_untold(const std::vector<MachineRow>& machines, std::vector<std::string>& sentences) {
    std::map<NoComparison, std::vector<std::string>> untold;
    for (const auto& machine : machines) {
        const auto& effect = machine.effects.front();
        untold[effect.untold].push_back(called(machine));
    }
    if (const auto few = untold.find(NoComparison::few); few != untold.end())
        sentences.push_back("Too few matches were played to judge " + base::joined(few->second) +
                            ".");
    if (const auto apart = untold.find(NoComparison::apart); apart != untold.end())
        sentences.push_back("Hardly any bot that played on " + base::joined(apart->second) +
                            " played elsewhere too: nobody can tell machine and bots apart.");
}

void write_effect(json::Writer& writer, const MachineEffect& effect) {
    writer.key(measure_names[static_cast<std::size_t>(effect.measure)]).begin_object();
    const bool is_time = effect.measure == MachineMeasure::time;
    if (!is_time) {
        write_fixed(writer, "share", effect.share, part_decimals);
        const auto& span = effect.share_interval;
        write_span(writer, "share95", span.low, span.high, part_decimals);
    }
    if (effect.untold != NoComparison::told) {
        writer.member("untold", untold_names[static_cast<std::size_t>(effect.untold)]);
    } else {
        const auto& [low, high] = effect.interval;
        if (is_time) {
            write_fixed(writer, "ratio", std::exp(effect.difference), ratio_decimals);
            write_span(writer, "ratio95", std::exp(low), std::exp(high), ratio_decimals);
        } else {
            write_fixed(writer, "difference", effect.difference, part_decimals);
            write_span(writer, "difference95", low, high, part_decimals);
        }
        write_fixed(writer, "p", effect.p, chance_decimals_of_machines);
    }
    writer.member("differs", effect.real).end_object();
}

bool differs(const MachineRow& machine) {
    return std::ranges::any_of(machine.effects, [](const auto& effect) { return effect.real; });
}

}  // namespace

std::vector<MachineRow> machines_report(const contests::MachinePlays& plays) {
    std::map<std::string, Counted> by_name;
    for (const auto& play : plays.plays) count(play, by_name[play.machine->name]);
    std::vector<MachineRow> rows;
    std::map<std::string, std::size_t> numbers;
    for (auto& [name, counted] : by_name) {
        auto& row = counted.row;
        row.matches = counted.matches.size();
        auto& times = counted.calibrations;
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        if (!times.empty()) row.calibration_us = *middle;
        for (std::size_t m = 0; m < row.effects.size(); ++m)
            row.effects[m].measure = static_cast<MachineMeasure>(m);
        numbers[name] = rows.size();
        rows.push_back(std::move(row));
    }
    std::vector<certainty::MachineGame> games;
    for (const auto& play : plays.plays) {
        if (play.counts) games.push_back(game_of(play, numbers.at(play.machine->name)));
    }
    for (const auto& effect : certainty::compare_machines(plays.players, rows.size(), games))
        rows[effect.machine].effects[static_cast<std::size_t>(effect.measure)] = effect;
    return rows;
}

std::vector<std::string> unlike_machines(const std::vector<MachineRow>& machines) {
    std::vector<std::string> names;
    for (const auto& machine : machines) {
        if (differs(machine)) names.push_back(machine.name);
    }
    return names;
}

std::vector<std::string> machine_sentences(const std::vector<MachineRow>& machines) {
    std::vector<std::string> sentences;
    const bool is_pair = machines.size() == 2;
    for (const auto& machine : machines) {
        for (const auto& effect : machine.effects) {
            if (effect.real) sentences.push_back(sentence_of(machine, effect));
        }
        // Of the other of two the same would be said once more.
        if (is_pair && !sentences.empty()) {
            sentences.emplace_back(
                "Games don't tell which of the two is as it should be; calibrations may.");
            break;
        }
    }
    const bool any_told = std::ranges::any_of(machines, [](const auto& machine) {
        return machine.effects.front().untold == NoComparison::told;
    });
    if (sentences.empty() && any_told)
        sentences.emplace_back("No machine differs from the others beyond chance.");
    if (machines.size() < 2)
        sentences.emplace_back(machines.empty() ? "Nothing has been played yet."
                                                : "All was played on " + called(machines.front()) +
                                                      ": there is no other to compare it with.");
    tell_untold(machines, sentences);
    return sentences;
}

void write_machines(json::Writer& writer, const std::vector<MachineRow>& machines) {
    write_fixed(writer, "level", certainty::machines_alpha, 2);
    writer.key("hosts").begin_array();
    for (const auto& machine : machines) {
        writer.begin_object().member("host", machine.name);
        writer.key("processors").texts(machine.processors);
        writer.key("kernels").texts(machine.kernels);
        writer.key("sandboxes").texts(machine.sandboxes);
        writer.key("cores").begin_array();
        for (const auto cores : machine.cores) writer.unsigned_integer(cores);
        writer.end_array()
            .member("calibration_us", machine.calibration_us)
            .member("matches", machine.matches)
            .member("games", machine.games)
            .member("annulled", machine.annulled)
            .member("bot_games", machine.seats)
            .member("turns", machine.turns)
            .member("used_us", machine.used_us)
            .member("faulty_games", machine.faulty);
        for (const auto& effect : machine.effects) write_effect(writer, effect);
        writer.member("differs", differs(machine)).end_object();
    }
    writer.end_array();
}

}  // namespace referee::report
