#include "referee/connect/relay/record_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "protocol/json/printable.h"
#include "referee/connect/relay/words.h"

namespace referee::relay {
namespace {

using Row = std::vector<std::string>;

std::string tally_text(const RelayTally& tally) {
    return std::to_string(tally.won) + " " + std::to_string(tally.drawn) + " " +
           std::to_string(tally.lost);
}

void add(RelayTally& sum, const RelayTally& more) {
    sum.won += more.won;
    sum.drawn += more.drawn;
    sum.lost += more.lost;
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
        sum.games += standing.games;
        add(sum.of_games, standing.of_games);
        add(sum.of_matches, standing.of_matches);
        sum.score += standing.score;
        sum.faults += standing.faults;
        sum.longest_us = std::max(sum.longest_us, standing.longest_us);
    }
    return sum;
}

// Letters and not bytes, so that columns stand below each other.
std::size_t width_of(const std::string& text) {
    constexpr unsigned mask = 0xC0;
    constexpr unsigned continuation = 0x80;
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & mask) != continuation;
    }));
}

}  // namespace

std::string score_text(double score) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), score);
    return {text.data(), written.ptr};
}

std::string table_of(const Standings& standings) {
    if (standings.empty()) return "no game was played\n";
    std::vector<Row> rows = {{"game", "against", "games", "won drawn lost",
                              "matches won drawn lost", "score", "best", "faults",
                              "longest answer"}};
    for (const auto& [key, standing] : standings)
        rows.push_back(row_of(key.first, key.second, standing));
    if (standings.size() > 1) rows.push_back(row_of("in all", "", sum_of(standings)));
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i]));
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size()) text.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

}  // namespace referee::relay
