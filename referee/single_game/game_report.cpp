#include "referee/single_game/single_game.h"

#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codes.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay.h"
#include "referee/tournament/table/table.h"

namespace referee::single_game {

namespace {

constexpr std::size_t texts_told_max = 5;  // of a bot; a replay of a tournament has all

// What the reason ends with is told there.
void tell_seats(std::ostream& screen, const engines::Game& game, const GameResult& result) {
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        screen << result.bots[seat] << " (seat " << seat << "): ";
        if (counts(result.status)) {
            screen << "score " << result.outcome.scores[seat].text() << ", place "
                   << result.outcome.placing[seat] << ", ";
        }
        screen << "charged " << result.used_us[seat] << " us\n";
        if (const auto told = told_by_rules(game, result, seat);
            !told.empty() && !result.reason.ends_with(told))
            screen << "  " << terminal_text(told) << '\n';
    }
}

// "3, 5, 7 and 40 more"
std::string turns_text(const std::vector<const Fault*>& faults) {
    constexpr std::size_t shown_max = 10;
    return base::first_of(faults, shown_max,
                          [](const Fault* fault) { return std::to_string(fault->turn); });
}

}  // namespace

std::string terminal_text(std::string_view text) {
    return base::visible_lines(text, base::further_line);
}

std::string said_text(const std::string& bot, std::string_view debug_lines, std::size_t most,
                      const std::string& all_of_it) {
    std::string told;
    std::string last;
    std::size_t count = 0;
    trace::for_each_debug(debug_lines, [&](std::int64_t turn, std::string_view said) {
        if (said.empty() || said == last || count > most) return;
        ++count;
        told += count > most ? "  ... (" + all_of_it + ")\n"
                             : fmt::format("  turn {}: {}\n", turn, base::visible_line(said));
        last = said;
    });
    return told.empty() ? told : "\nWhat " + bot + " said of its moves:\n" + told;
}

void tell_result(std::ostream& screen, const engines::Game& game, const table::Table& table,
                 std::optional<engines::Seat> left) {
    const auto& result = table.play().result();
    tell_seats(screen, game, result);
    std::set<engines::Seat> at_fault;
    // Of faults that a seat repeats the first is told, and when there were others.
    std::map<std::pair<engines::Seat, protocol::FaultCode>, std::vector<const Fault*>> alike;
    std::vector<const Fault*> firsts;
    for (const auto& fault : result.faults) {
        if (fault.seat == left) continue;
        at_fault.insert(fault.seat);
        auto& same = alike[{fault.seat, fault.code}];
        if (same.empty()) firsts.push_back(&fault);
        same.push_back(&fault);
    }
    for (const auto* fault : firsts) {
        screen << "turn " << fault->turn << ", " << result.bots[fault->seat] << ": "
               << terminal_text(fault->message) << '\n';
        const auto& same = alike[{fault->seat, fault->code}];
        if (same.size() > 1)
            screen << "  " << protocol::name_of(fault->code) << " again, " << same.size()
                   << " times in all: in turns " << turns_text(same) << '\n';
    }
    for (const auto seat : at_fault) {
        screen << said_text(result.bots[seat], table.debug_text(seat), texts_told_max, "and more");
    }
    screen << name_of(result.status) << ": " << terminal_text(result.reason) << '\n';
    if (counts(result.status)) screen << "detail: " << result.outcome.detail << '\n';
}

std::string as_json(const GameEnding& ending) {
    return protocol::json::object_text([&](protocol::json::Writer& writer) {
        writer.member("status", ending.status);
        if (!ending.message.empty()) writer.member("message", ending.message);
        if (!ending.result.empty()) writer.key("result").raw(ending.result);
    });
}

std::string result_in(std::string_view replay) {
    protocol::json::Document document;
    if (!document.parse(base::last_line(replay))) return {};
    const auto result = document.root().find("result");
    return result ? result.json_text() : std::string();
}

}  // namespace referee::single_game
