#include <gtest/gtest.h>

#include <map>

#include "referee/contest/standings/standings.h"

namespace referee::standings {
namespace {

using engines::Score;
using pairing::PairingOutcome;

// A match of two entrants, their points in halves; it took them `number` and twice as many
// microseconds.
MatchResult match(std::uint64_t number, std::uint32_t round, Entrant first, Entrant second,
                  std::int64_t first_halves, std::int64_t second_halves) {
    MatchResult result;
    result.match = number;
    result.round = round;
    result.seats = {first, second};
    result.points = {engines::Score::halves(first_halves), engines::Score::halves(second_halves)};
    result.scores = result.points;
    result.placing = {first_halves < second_halves ? 2 : 1, second_halves < first_halves ? 2 : 1};
    result.used_us = {static_cast<std::int64_t>(number), 2 * static_cast<std::int64_t>(number)};
    result.absent = {false, false};
    result.games = 1;
    return result;
}

StandingsSetup field_of(std::size_t size) {
    return {std::vector<std::int32_t>(size, 1500), {}, {}, 0};
}

std::vector<TieBreak> all_tie_breaks() {
    std::vector<TieBreak> all;
    for (const auto& entry : tie_break_names) all.push_back(entry.value);
    return all;
}

// Five entrants, three rounds, a bye in each.
struct Tournament {
    std::vector<MatchResult> matches = {match(1, 1, 0, 2, 2, 0), match(2, 1, 3, 1, 1, 1),
                                        match(3, 2, 4, 0, 0, 2), match(4, 2, 1, 2, 2, 0),
                                        match(5, 3, 0, 1, 1, 1), match(6, 3, 2, 4, 0, 2)};
    std::vector<Bye> byes = {{1, 4, Score::whole(1), ByeKind::pairing},
                             {2, 3, Score::whole(1), ByeKind::pairing},
                             {3, 3, Score::halves(1), ByeKind::half_point}};
};

std::string cell(const Standings& standings, TieBreak tie_break, Entrant entrant) {
    for (const auto& column : standings.ranking.columns) {
        if (column.tie_break == tie_break) return text_of(column.cells[entrant]);
    }
    return "no column";
}

TEST(Fold, WorkedByHand) {
    const Tournament t;
    const auto standings = standings_of(field_of(5), t.matches, t.byes, all_tie_breaks());
    struct Case {
        TieBreak tie_break;
        Entrant entrant;
        const char* cell;
    };
    for (const auto& [tie_break, entrant, text] :
         {// 0: win over 2, win over 4, draw with 1. 1: draw with 3, win over 2, draw with 0.
          Case{TieBreak::points, 0, "2.5"}, Case{TieBreak::points, 1, "2"},
          Case{TieBreak::points, 2, "0"}, Case{TieBreak::points, 3, "2"},
          Case{TieBreak::points, 4, "2"},
          // 0 met 2 (0 points), 4 (2), 1 (2).
          Case{TieBreak::buchholz, 0, "4"}, Case{TieBreak::buchholz_cut_1, 0, "4"},
          Case{TieBreak::median_buchholz, 0, "2"}, Case{TieBreak::sonneborn_berger, 0, "3"},
          Case{TieBreak::progressive, 0, "5.5"},
          // 4 had a bye: its dummy opponent has 4's own 2 points, but at most three draws: 1.5.
          Case{TieBreak::buchholz, 4, "4"}, Case{TieBreak::wins, 4, "2"},
          Case{TieBreak::games_won, 4, "1"}, Case{TieBreak::second_seat_games, 4, "1"},
          Case{TieBreak::second_seat_wins, 4, "1"}, Case{TieBreak::second_seat_wins, 1, "0"},
          Case{TieBreak::rounds_played, 3, "2"}, Case{TieBreak::time_used, 0, "12"},
          Case{TieBreak::average, 1, "0.67"}})
        EXPECT_EQ(cell(standings, tie_break, entrant), text) << name_of(tie_break) << entrant;
    EXPECT_EQ(standings.ranking.rank[0], 1U);
    EXPECT_EQ(standings.ranking.rank[2], 5U);
    // Every number can be followed to its match.
    EXPECT_EQ(standings.table.rows[0].rounds[1].match, 3U);
    EXPECT_EQ(standings.table.rows[4].rounds[0].match, 0U);
    // Other machines tell times that nobody can have taken.
    auto lying = t.matches;
    for (auto& told : lying) told.used_us = {std::int64_t{1} << 53, std::int64_t{1} << 53};
    const auto lied = standings_of(field_of(5), lying, t.byes, all_tie_breaks());
    EXPECT_EQ(cell(lied, TieBreak::time_used, 0), cell(lied, TieBreak::time_used, 2));
    EXPECT_GT(std::stod(cell(lied, TieBreak::time_used, 0)), 1e14);
}

// Of the rounds with the lowest score of an opponent the one that brought least is cut, not the one
// that brought least of all.
TEST(Fold, SonnebornBergerCutsByTheOpponentsScore) {
    const std::vector<MatchResult> matches = {match(1, 1, 0, 1, 0, 2), match(2, 1, 2, 3, 0, 2),
                                              match(3, 2, 0, 2, 2, 0), match(4, 2, 1, 3, 0, 2),
                                              match(5, 3, 0, 3, 1, 1), match(6, 3, 1, 2, 0, 2)};
    const auto standings = standings_of(field_of(4), matches, {}, all_tie_breaks());
    // 0 has 1.5 points, 1 and 2 have 1, 3 has 2.5. 0 lost to 1 (1 x 0), beat 2 (1 x 1) and drew
    // with 3 (2.5 x 1/2).
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 0), "2.25");
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger_cut_1, 0), "2.25");
    // 3 drew with 0 (1.5 x 1/2) and beat 1 and 2 (1 x 1 each).
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 3), "2.75");
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger_cut_1, 3), "1.75");
}

TEST(Fold, ARoundLeftOutIsCutUnlessAnotherBroughtMore) {
    const std::vector<Bye> byes = {{3, 0, Score::halves(1), ByeKind::half_point},
                                   {3, 3, Score::whole(1), ByeKind::pairing}};
    // 0 beat 1 (1 x 1) and 2 (2 x 1), and left a round out (1.5 x 1/2).
    const std::vector<MatchResult> won = {match(1, 1, 0, 1, 2, 0), match(2, 1, 2, 3, 2, 0),
                                          match(3, 2, 0, 2, 2, 0), match(4, 2, 1, 3, 2, 0),
                                          match(5, 3, 1, 2, 0, 2)};
    auto standings = standings_of(field_of(4), won, byes, all_tie_breaks());
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 0), "3.75");
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger_cut_1, 0), "2.75");
    EXPECT_EQ(cell(standings, TieBreak::buchholz_cut_1, 0), "3");
    // The same, but 0 lost to 1 (1 x 0), and 3 beat 1.
    const std::vector<MatchResult> lost = {match(1, 1, 0, 1, 0, 2), match(2, 1, 2, 3, 2, 0),
                                           match(3, 2, 0, 2, 2, 0), match(4, 2, 1, 3, 0, 2),
                                           match(5, 3, 1, 2, 0, 2)};
    standings = standings_of(field_of(4), lost, byes, all_tie_breaks());
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 0), "2.75");
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger_cut_1, 0), "2");
    EXPECT_EQ(cell(standings, TieBreak::buchholz_cut_1, 0), "3");
}

TEST(Fold, EqualInEverythingSharesTheRank) {
    const std::vector<MatchResult> matches = {match(1, 1, 0, 1, 1, 1), match(2, 1, 2, 3, 2, 0)};
    const std::vector<TieBreak> order = {TieBreak::points};
    const auto standings = standings_of(field_of(4), matches, {}, order);
    EXPECT_EQ(standings.ranking.rank, (std::vector<std::size_t>{2, 2, 1, 4}));
    EXPECT_EQ(standings.ranking.order, (std::vector<std::size_t>{2, 0, 1, 3}));
}

TEST(Fold, DirectEncounterDecidesInsideTheTieBeforeIt) {
    const std::vector<MatchResult> matches = {match(1, 1, 1, 0, 2, 0), match(2, 1, 2, 3, 2, 0),
                                              match(3, 2, 0, 2, 2, 0), match(4, 2, 1, 3, 0, 2)};
    const auto rank = [&](std::vector<TieBreak> order) {
        return standings_of(field_of(4), matches, {}, order).ranking.rank;
    };
    // All have a point, and nobody has met everybody.
    EXPECT_EQ(rank({TieBreak::points}), (std::vector<std::size_t>{1, 1, 1, 1}));
    EXPECT_EQ(rank({TieBreak::points, TieBreak::direct_encounter}),
              (std::vector<std::size_t>{1, 1, 1, 1}));
    // Only 3 won in the second seat; of the other three, 1 beat 0 and 0 beat 2, but 1 and 2 didn't
    // meet.
    EXPECT_EQ(rank({TieBreak::points, TieBreak::second_seat_wins, TieBreak::direct_encounter}),
              (std::vector<std::size_t>{2, 2, 2, 1}));
    EXPECT_EQ(rank({TieBreak::points, TieBreak::time_used, TieBreak::direct_encounter})[0], 2U);
}

TEST(Fold, UnplayedMatchesAreForfeits) {
    auto forfeit = match(1, 1, 0, 1, 2, 0);
    forfeit.absent = {false, true};
    auto none = match(2, 1, 2, 3, 0, 0);
    none.absent = {true, true};
    // A pod is a game for those who came, where these are two or more.
    auto pod = match(3, 2, 0, 1, 2, 0);
    pod.seats.push_back(2);
    pod.placing.push_back(3);
    for (auto* of_each : {&pod.points, &pod.scores}) of_each->push_back(Score::halves(0));
    pod.used_us.push_back(0);
    pod.absent.push_back(true);
    const auto table = crosstable_of(field_of(4), std::vector{forfeit, none, pod}, {});
    EXPECT_EQ(table.rows[0].rounds[0].outcome, PairingOutcome::forfeit_win);
    EXPECT_EQ(table.rows[1].rounds[0].outcome, PairingOutcome::forfeit_loss);
    EXPECT_EQ(table.rows[2].rounds[0].outcome, PairingOutcome::forfeit_loss);
    EXPECT_TRUE(table.rows[0].rounds[0].won);
    EXPECT_FALSE(table.rows[2].rounds[0].won);
    EXPECT_EQ(table.rows[0].rounds[1].outcome, PairingOutcome::win);
    EXPECT_EQ(table.rows[1].rounds[1].outcome, PairingOutcome::loss);
    EXPECT_EQ(table.rows[2].rounds[1].outcome, PairingOutcome::forfeit_loss);
}

TEST(Fold, RoundsThatAreStillPlayedCountForNothing) {
    Tournament t;
    t.matches.pop_back();
    const auto standings = standings_of(field_of(5), t.matches, t.byes,
                                        std::vector{TieBreak::points, TieBreak::buchholz});
    EXPECT_EQ(standings.table.rows[2].rounds[2].outcome, std::nullopt);
    EXPECT_EQ(cell(standings, TieBreak::buchholz, 2), "4.5");
}

TEST(Fold, PodsCountTheMeanOfThoseMet) {
    MatchResult pod;
    pod.match = 1;
    pod.seats = {0, 1, 2, 3};
    pod.placing = {1, 2, 2, 4};
    for (const std::int64_t halves : {6, 3, 3, 0}) {
        pod.points.push_back(Score::halves(halves));
        pod.absent.push_back(false);
    }
    pod.scores = pod.points;
    pod.used_us.assign(4, 0);
    const auto standings = standings_of(field_of(4), std::vector{pod}, {}, all_tie_breaks());
    // Those that 0 met have 1.5, 1.5 and 0 points; it won against all of them.
    EXPECT_EQ(cell(standings, TieBreak::buchholz, 0), "1");
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 0), "1");
    // 1 lost to 0 (3), drew with 2 (1.5) and won against 3 (0): 0.75 / 3.
    EXPECT_EQ(cell(standings, TieBreak::sonneborn_berger, 1), "0.25");
    EXPECT_EQ(cell(standings, TieBreak::wins, 0), "1");
    EXPECT_EQ(cell(standings, TieBreak::wins, 1), "0");
    const std::vector<TieBreak> order = {TieBreak::points, TieBreak::buchholz,
                                         TieBreak::sonneborn_berger};
    EXPECT_EQ(standings_of(field_of(4), std::vector{pod}, {}, order).ranking.rank,
              (std::vector<std::size_t>{1, 2, 2, 4}));
}

TEST(Fold, FixedOpponentsAreNotRanked) {
    auto field = field_of(3);
    field.unranked = {1};
    const std::vector<MatchResult> matches = {match(1, 1, 0, 1, 0, 2), match(2, 1, 2, 1, 2, 0)};
    const auto standings = standings_of(field, matches, {}, std::vector{TieBreak::points});
    EXPECT_EQ(standings.ranking.order, (std::vector<std::size_t>{2, 0}));
    EXPECT_EQ(standings.ranking.rank, (std::vector<std::size_t>{2, 0, 1}));
}

TEST(TieBreaks, HaveNamesAndCodes) {
    for (const auto& entry : tie_break_names) {
        EXPECT_EQ(tie_break_named(entry.name), entry.value);
        EXPECT_EQ(tie_break_named(entry.code), entry.value);
    }
    EXPECT_FALSE(tie_break_named("luck"));
}

TEST(TieBreaks, TextIsShortAndExact) {
    EXPECT_EQ(text_of(std::nullopt), "-0");
    EXPECT_EQ(text_of(0), "0");
    EXPECT_EQ(text_of(parts_per_unit * 5 / 2), "2.5");
    EXPECT_EQ(text_of(parts_per_unit / 4), "0.25");
    EXPECT_EQ(text_of(-parts_per_unit / 2), "-0.5");
    EXPECT_EQ(text_of(parts_per_unit * 2500), "2500");
}

std::map<std::uint64_t, std::uint32_t> rounds_of(const ResultList& list) {
    std::map<std::uint64_t, std::uint32_t> rounds;
    for (const auto& [ordinal, result] : list) {
        EXPECT_TRUE(rounds.empty() || rounds.rbegin()->first < ordinal) << "out of order";
        rounds[ordinal] = result.round;
    }
    return rounds;
}

// Whatever ordinals are put in and taken out, the list holds what a map holds after the same calls.
TEST(ResultList, HoldsWhatAMapHolds) {
    std::uint64_t lot = 7;
    const auto draw = [&lot](std::uint64_t below) {
        lot = lot * 6364136223846793005U + 1442695040888963407U;
        return (lot >> 33U) % below;
    };
    for (const std::uint64_t base : {std::uint64_t{1}, std::uint64_t{100'000}}) {
        ResultList list;
        std::map<std::uint64_t, std::uint32_t> expected;
        std::vector<std::pair<ResultList, std::map<std::uint64_t, std::uint32_t>>> copies;
        for (std::uint32_t step = 1; step <= 3000; ++step) {
            const auto ordinal = base + draw(400);
            if (draw(3) == 0) {
                list.erase(ordinal);
                expected.erase(ordinal);
            } else {
                list.put(match(ordinal, step, 0, 1, 2, 0));
                expected[ordinal] = step;
            }
            ASSERT_EQ(list.size(), expected.size());
            ASSERT_EQ(list.contains(ordinal), expected.contains(ordinal));
            if (step % 300 == 0) copies.emplace_back(list, expected);
        }
        EXPECT_EQ(rounds_of(list), expected);
        EXPECT_EQ(list.front().match, expected.begin()->first);
        EXPECT_EQ(list.back().match, expected.rbegin()->first);
        EXPECT_EQ(list.copied().size(), expected.size());
        // What came after a copy shows in no copy.
        for (const auto& [copy, then] : copies) EXPECT_EQ(rounds_of(copy), then);
        for (const auto& [ordinal, step] : expected) list.erase(ordinal);
        EXPECT_TRUE(list.empty());
        EXPECT_TRUE(rounds_of(list).empty());
        list.put(match(3, 1, 0, 1, 2, 0));
        EXPECT_EQ(list.at(3).round, 1U);
    }
}

// A copy shares the results themselves.
TEST(ResultList, CopiesNoResult) {
    ResultList list;
    for (std::uint64_t ordinal = 1; ordinal <= 200; ++ordinal)
        list.put(match(ordinal, 1, 0, 1, 2, 0));
    const auto copy = list;
    list.put(match(201, 1, 0, 1, 2, 0));
    for (std::uint64_t ordinal = 1; ordinal <= 200; ++ordinal)
        EXPECT_EQ(copy.find(ordinal), list.find(ordinal));
    EXPECT_EQ(copy.find(201), nullptr);
}

}  // namespace
}  // namespace referee::standings
