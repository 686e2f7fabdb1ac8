#include "tests/referee/report/played_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "referee/config/config.h"
#include "referee/contest/pairing/dutch.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/report/standings_rows.h"
#include "tests/referee/config/config_reading.h"

namespace referee::report {

using formats::Bye;
using formats::Pairing;
using formats::Schedule;

void count_game(formats::MatchResult& result, const standings::CountedGame& game) {
    result.counted = standings::CountedGames({game}, {result.scores.begin(), result.scores.end()});
}

Ledger played_ledger(const formats::FormatConfig& format, std::vector<formats::Entry> entries,
                     std::uint32_t seed, const formats::Strength& strength, const Twist& twist,
                     std::size_t matches_most) {
    Ledger ledger;
    ledger.config.id = "cup";
    ledger.config.game = "walls";
    ledger.config.seed = seed;
    ledger.config.format = format;
    ledger.config.tie_breaks = {standings::TieBreak::points, standings::TieBreak::buchholz};
    ledger.entries = entries;
    const auto schedule = formats::make_schedule(format, std::move(entries), seed);
    for (;;) {
        const auto next = schedule->next();
        if (const auto* pairing = std::get_if<Pairing>(&next)) {
            ledger.open.push_back(*pairing);
        } else if (const auto* bye = std::get_if<Bye>(&next)) {
            ledger.byes.push_back(*bye);
        } else if (std::holds_alternative<Schedule::Wait>(next)) {
            const auto left = matches_most - std::min(matches_most, ledger.results.size());
            if (left == 0) break;
            auto playing = ledger.open;
            playing.resize(std::min(playing.size(), left));
            ledger.open.erase(ledger.open.begin(),
                              ledger.open.begin() + static_cast<std::ptrdiff_t>(playing.size()));
            for (const auto& match : playing) {
                auto result = formats::result_of(match, strength);
                count_game(result, {});
                if (twist) twist(result);
                schedule->record(result);
                ledger.results.push_back(std::move(result));
            }
        } else {
            ledger.finished = true;
            break;
        }
    }
    ledger.places = schedule->places();
    ledger.rounds_planned = schedule->rounds_planned();
    ledger.ended_early = schedule->ended_early();
    return ledger;
}

formats::FormatConfig format_with(formats::FormatOptions options) {
    formats::FormatConfig format;
    format.options = std::move(options);
    return format;
}

namespace {

using contests::GamePlan;

std::string text_of(std::size_t bots, const std::string& members) {
    std::string names;
    for (std::size_t i = 0; i < bots; ++i) {
        names += (i == 0 ? "" : ", ");
        names += R"({"name": ")" + std::string(1, static_cast<char>('a' + i)) + "\"}";
    }
    return R"({"bots": [)" + names + R"(], "tournaments": [{"id": "t", )" + members + "}]}";
}

config::TournamentConfig read(std::size_t bots, const std::string& members) {
    auto config = config::good(text_of(bots, members));
    return config.tournaments.empty() ? config::TournamentConfig{} : config.tournaments.front();
}

GameResult told(const GamePlan& plan, const std::vector<int>& scores) {
    GameResult result;
    result.key = plan.key;
    result.turns = 10;
    result.reason = "ended by the game's rules";
    for (std::size_t seat = 0; seat < scores.size(); ++seat) {
        result.outcome.scores.push_back(engines::Score::whole(std::max(0, scores[seat])));
        // The first of the config is always the quickest.
        result.used_us.push_back(1000 * static_cast<std::int64_t>(plan.entrants[seat] + 1));
        if (scores[seat] >= 0) continue;
        result.status = GameStatus::forfeited;
        auto& fault = result.faults.emplace_back();
        fault.code = FaultCode::disconnected;
        fault.consequence = Consequence::forfeit;
        fault.seat = seat;
        fault.rule = "match.no_show";
    }
    result.outcome.placing = engines::placing_by_score(result.outcome.scores);
    result.outcome.detail = "{}";
    return result;
}

}  // namespace

PlayedConfig::PlayedConfig(std::size_t bots, const std::string& members, const GameScores& scores,
                           bool withdraws)
    : config_(read(bots, members)), contest_(config_, contests::game_named(config_.game)) {
    constexpr std::size_t window = 64;
    std::vector<config::BotConfig> all(bots);
    for (std::size_t i = 0; i < bots; ++i) all[i].name = std::string(1, static_cast<char>('a' + i));
    player_.begin(config::entries_of(config_, all));
    for (;;) {
        if (contest_.drawing_due()) {
            auto drawing = contest_.drawing();
            drawing.run();
            contest_.adopt(std::move(drawing));
        }
        player_.keep(contest_.draw(window));
        if (contest_.waiting().empty()) break;
        const auto plan = player_.start();
        const auto result = told(plan, scores(plan));
        contest_.finished(result);
        player_.keep({records::GameRecord{result, {}}});
        if (withdraws) player_.keep(contest_.withdraw_idle());
        games_.push_back(plan);
    }
    EXPECT_TRUE(contest_.over());
}

Ledger PlayedConfig::resumed() const {
    contests::Restarted again(config_, player_.log);
    again.draw(1);
    again.committed(again.changes());
    return ledger_of(again.snapshot());
}

void expect_told_by_trf(const Ledger& ledger, const std::string& text) {
    const auto document = trf::parse(text);
    ASSERT_TRUE(document) << document.error().line << ':' << document.error().column
                          << ": expected " << document.error().expected << '\n'
                          << text;
    const bool is_swiss = ledger.config.format.kind() == formats::FormatKind::swiss;
    if (is_swiss) {
        const auto checks = pairing::check_rounds(trf::field_of(*document));
        EXPECT_FALSE(checks.empty());
        for (const auto& check : checks)
            EXPECT_TRUE(check.agrees()) << check.round << '\n'
                                        << pairing::report_of(checks) << text;
    }
    const auto again = standings::crosstable_of(*document);
    const auto ranking = standings::rank_by(again.table, ledger.config.tie_breaks);
    const auto rows = rows_of(ledger);
    for (std::size_t i = 0; i < document->players.size(); ++i) {
        const auto& name = document->players[i].name;
        const auto row = std::ranges::find_if(
            rows, [&](const Row& one) { return ledger.name(one.entrant) == name; });
        ASSERT_NE(row, rows.end()) << name;
        EXPECT_EQ(document->players[i].rank, static_cast<int>(row->rank)) << name;
        // Of other formats only the points are those of the standings.
        const auto columns = is_swiss ? ranking.columns.size() : 1;
        for (std::size_t c = 0; c < columns; ++c)
            EXPECT_EQ(standings::text_of(ranking.columns[c].cells[i]), row->cells[c])
                << name << ' ' << standings::name_of(ranking.columns[c].tie_break);
    }
}

std::string cell_of(const Ledger& ledger, const std::string& bot, standings::TieBreak column) {
    const auto& order = ledger.config.tie_breaks;
    const auto found = std::find(order.begin(), order.end(), column);
    if (found == order.end()) return {};
    for (const auto& row : rows_of(ledger)) {
        if (ledger.entries[row.entrant].name != bot) continue;
        return row.cells[static_cast<std::size_t>(found - order.begin())];
    }
    return {};
}

}  // namespace referee::report
