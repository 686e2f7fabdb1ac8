#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "referee/connect/relay/game_log.h"

namespace referee::relay {
namespace {

using base::columns_of;

std::string ordinal(std::int64_t number) {
    constexpr std::int64_t ten = 10;
    constexpr std::int64_t hundred = 100;
    static constexpr std::array<const char*, 4> endings = {"th", "st", "nd", "rd"};
    const auto last = static_cast<std::size_t>(number % ten);
    const bool teen = number % hundred / ten == 1;
    return std::to_string(number) + endings[teen || last >= endings.size() ? 0 : last];
}

using Row = std::vector<std::string>;

std::string tally_text(const RelayTally& tally) {
    return fmt::format("{} {} {}", tally.won, tally.drawn, tally.lost);
}

Row row_of(const std::string& game, const std::string& others, const RelayStanding& standing) {
    return {game,
            others.empty() ? "-" : others,
            std::to_string(standing.games),
            standing.alone ? "-" : tally_text(standing.of_games),
            tally_text(standing.of_matches),
            score_text(standing.score),
            standing.games == 0 ? "-" : score_text(standing.best),
            std::to_string(standing.faults),
            milliseconds_text(standing.longest_us)};
}

RelayStanding sum_of(const Standings& standings) {
    RelayStanding sum;
    for (const auto& [key, standing] : standings) {
        if (standing.games > 0)
            sum.best = sum.games == 0 ? standing.best : std::max(sum.best, standing.best);
        add(sum, standing);
        sum.longest_us = std::max(sum.longest_us, standing.longest_us);
    }
    return sum;
}

}  // namespace

void add(RelayStanding& sum, const RelayStanding& more, bool take_away) {
    const auto change = [take_away](auto& count, auto by) {
        count = take_away ? count - by : count + by;
    };
    change(sum.games, more.games);
    change(sum.score, more.score);
    change(sum.faults, more.faults);
    for (auto [of_sum, by] :
         {std::pair(&sum.of_games, &more.of_games), std::pair(&sum.of_matches, &more.of_matches)}) {
        change(of_sum->won, by->won);
        change(of_sum->drawn, by->drawn);
        change(of_sum->lost, by->lost);
    }
}

std::string milliseconds_text(std::int64_t us) {
    return base::thousandths_text(us) + " ms";
}

std::string others_text(const std::vector<std::string>& names, std::size_t seat) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (i != seat) others.push_back(base::visible_line(names[i]));
    return base::listed(others);
}

std::string cause_of(const protocol::Fault& fault) {
    const auto& known = fault.evidence;
    if (fault.code != protocol::FaultCode::late || !known.charged_us || !known.budget_us ||
        *known.charged_us <= *known.budget_us)
        return base::visible_line(fault.message);
    const auto budget = milliseconds_text(*known.budget_us);
    // Where both are there, the line was an answer to an earlier turn, or none at all.
    if (!known.received || known.noticed_us) return "no answer came within your " + budget;
    return "your answer came " + milliseconds_text(*known.charged_us - *known.budget_us) +
           " late: it was charged " + milliseconds_text(*known.charged_us) + " of " + budget;
}

std::string_view outcome_of(protocol::Consequence consequence) {
    switch (consequence) {
        case protocol::Consequence::none:
            return "";
        case protocol::Consequence::missing_move:
            return "the move counts as missing";
        case protocol::Consequence::lost_turn:
            return "the turn is lost";
        case protocol::Consequence::strike:
            return "it counts as a strike";
        case protocol::Consequence::forfeit:
            return "the game is lost";
    }
    return "";
}

std::string verdict_of(const std::vector<std::int64_t>& places, std::size_t seat,
                       const std::string& score) {
    if (places.size() == 1) return "you scored " + score;
    const auto own = places[seat];
    if (own == 1) return std::count(places.begin(), places.end(), 1) > 1 ? "you drew" : "you won";
    if (places.size() == 2) return "you lost";
    return fmt::format("you came {} of {}", ordinal(own), places.size());
}

std::string score_text(double score) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), score);
    return {text.data(), written.ptr};
}

std::string table_of(const Standings& standings) {
    if (standings.empty()) return "no game was played to its end\n";
    std::vector<Row> rows = {{"game", "against", "games", "won drawn lost",
                              "matches won drawn lost", "score", "best", "faults",
                              "longest answer"}};
    for (const auto& [key, standing] : standings)
        rows.push_back(row_of(key.first, key.second, standing));
    if (standings.size() > 1) rows.push_back(row_of("in all", "", sum_of(standings)));
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns_of(row[i]));
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size()) text.append(widths[i] - columns_of(row[i]) + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

}  // namespace referee::relay
