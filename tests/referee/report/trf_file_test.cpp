// The report file of a tournament that was played here, read again.

#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"

#include <gtest/gtest.h>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/contest/trf/trf.h"
#include "referee/tournament/contests/arbiter.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using engines::Score;
using formats::Entry;
using formats::FormatConfig;

struct Kind {
    const char* name;
    std::size_t bots;
    std::function<void(FormatConfig&, formats::SwissOptions&)> change;
    std::function<void(std::vector<Entry>&)> change_entries;
    Twist twist;
    bool has_sums = false;  // of scores, which no system of points gives
};

void forfeit(formats::MatchResult& result, bool both) {
    result.absent = {true, both};
    result.placing = {both ? 1 : 2, 1};
    result.points = {Score{}, both ? Score{} : Score::whole(1)};
    result.scores = result.points;
}

const std::vector<Kind> kinds = {
    {"plain", 16, {}, {}, {}},
    {"odd field", 9, {}, {}, {}},
    {"numbers by lot", 11, [](auto&, auto& swiss) { swiss.draw_numbers = true; }, {}, {}},
    {"accelerated", 20, [](auto&, auto& swiss) { swiss.accelerated = true; }, {}, {}},
    {"teams",
     14,
     [](auto&, auto& swiss) { swiss.keep_teams_apart = true; },
     [](auto& e) {
         for (std::size_t i = 0; i < e.size(); ++i) e[i].team = "team" + std::to_string(i / 3);
     },
     {}},
    {"late, leaving, away",
     13,
     {},
     [](auto& e) {
         e[3].first_round = 3;
         e[12].first_round = 2;
         e[5].last_round = 2;
         e[7].half_point_byes = {2, 4};
     },
     {}},
    {"no-shows",
     12,
     {},
     {},
     [](formats::MatchResult& r) {
         if (r.match % 5 == 0) forfeit(r, r.match % 10 == 0);
     }},
    {"points of their own",
     10,
     [](auto& c, auto&) {
         c.win_points = c.bye_points = Score::whole(2);
         c.draw_points = Score::whole(1);
     },
     {},
     [](formats::MatchResult& r) {
         for (auto& points : r.points) points += points;
         if (r.match % 4 == 0) r.points = {Score::halves(3), Score::halves(1)};
         if (r.match % 4 == 0) r.placing = {1, 2};
     },
     true},
    {"three for a win, byes, no-shows", 11,
     [](auto& c, auto&) {
         c.win_points = c.bye_points = Score::whole(3);
         c.draw_points = Score::whole(1);
     },
     [](auto& e) {
         e[2].first_round = 2;
         e[4].half_point_byes = {2};
     },
     [](formats::MatchResult& r) {
         if (r.match % 7 == 3) forfeit(r, false);
         for (auto& points : r.points) {
             if (points == Score::whole(1)) points = Score::whole(3);
             if (points == Score::halves(1)) points = Score::whole(1);
         }
     }},
    {"an odd field with cheap byes",
     7,
     [](auto& c, auto&) { c.bye_points = Score::halves(1); },
     {},
     {}},
};

TEST(TrfFile, ASwissIsDerivedAgainRoundByRound) {
    for (const auto& kind : kinds) {
        for (std::uint32_t seed = 1; seed <= 6; ++seed) {
            SCOPED_TRACE(std::string(kind.name) + " " + std::to_string(seed));
            FormatConfig format;
            auto& swiss = format.options.emplace<formats::SwissOptions>();
            swiss.rounds = 5;
            if (kind.change) kind.change(format, swiss);
            auto entries = formats::field_of(kind.bots);
            if (kind.change_entries) kind.change_entries(entries);
            const auto ledger = played_ledger(format, entries, seed, lots(seed), kind.twist);
            ASSERT_TRUE(ledger.finished);
            const auto text = trf_file_of(ledger);
            ASSERT_TRUE(text);
            EXPECT_EQ(trf::field_of(*trf::parse(*text)).rounds_played, 5);
            EXPECT_EQ(text->find("\n299") != std::string::npos, kind.has_sums);
            expect_told_by_trf(ledger, *text);
        }
    }
}

TEST(TrfFile, OfASwissThatIsStillPlayedHasTheRoundsThatAreOver) {
    const auto ledger = played_ledger(format_with(formats::SwissOptions{.rounds = 5}),
                                      formats::field_of(9), 1, lots(1), {}, 10);
    const auto field = trf::field_of(*trf::parse(*trf_file_of(ledger)));
    EXPECT_EQ(field.rounds_played, 2);
    EXPECT_EQ(field.rounds_total, 5);
    for (const auto& check : pairing::check_rounds(field)) EXPECT_TRUE(check.agrees());
}

// As the rounds were drawn: what the config forbids, and behind that what an arbiter said.
TEST(TrfFile, TellsWhoWasKeptApartByTheConfigOrByOrder) {
    using records::PairOrder;
    auto ledger = played_ledger(
        format_with(formats::SwissOptions{
            .rounds = 5, .forbidden_pairs = {{{"bot1", "bot2"}}, {{"bot3", "bot4"}}}}),
        formats::field_of(10), 1, lots(1));
    contests::ArbiterLog log;
    log.forbidden = {{"cup", {"bot5", "bot7", "bot6"}, 2, 3, PairOrder::forbidden, {}, "ada"},
                     {"cup", {"bot1", "bot2"}, 3, UINT32_MAX, PairOrder::lifted, {}, "ada"},
                     {"cup", {"bot8", "bot9"}, 4, UINT32_MAX, PairOrder::forbidden, {}, "ada"},
                     {"cup", {"bot3", "bot4"}, 1, UINT32_MAX, PairOrder::lifted, {}, "ada"}};
    ledger.arbiter = std::make_shared<const contests::ArbiterLog>(std::move(log));
    const std::vector<trf::ForbiddenRecord> kept_apart{
        {1, 2, {1, 2}}, {2, 3, {5, 6, 7}}, {4, 5, {8, 9}}};
    EXPECT_EQ(trf::parse(*trf_file_of(ledger))->forbidden, kept_apart);
}

TEST(TrfFile, TellsTheRoundsOfItsFieldAndNothingOfPointsThatAreUsual) {
    const auto text = trf_file_of(
        played_ledger(format_with(formats::SwissOptions{}), formats::field_of(6), 1, lots(1)));
    ASSERT_TRUE(text);
    EXPECT_EQ(trf::field_of(*trf::parse(*text)).rounds_total, 3);
    EXPECT_EQ(text->find("\n162"), std::string::npos) << *text;
    EXPECT_EQ(text->find("\nXXS"), std::string::npos) << *text;
}

TEST(TrfFile, OtherTournamentsOfTwoHaveTheSamePlaces) {
    const std::vector<formats::FormatOptions> all = {formats::RoundRobinOptions{.cycles = 2},
                                                     formats::KnockoutOptions{},
                                                     formats::GauntletOptions{2, {}}};
    for (const auto& options : all) {
        for (const std::size_t bots : {2U, 5U, 8U}) {
            const auto ledger =
                played_ledger(format_with(options), formats::field_of(bots), 3, lots(3));
            const auto text = trf_file_of(ledger);
            ASSERT_TRUE(text);
            expect_told_by_trf(ledger, *text);
        }
    }
}

TEST(TrfFile, PodsAndLeaderboardsHaveNone) {
    for (const formats::FormatOptions& options : std::vector<formats::FormatOptions>{
             formats::SwissOptions{.seats = 4}, formats::LeaderboardOptions{}})
        EXPECT_FALSE(
            trf_file_of(played_ledger(format_with(options), formats::field_of(8), 1, lots(1))));
}

}  // namespace
}  // namespace referee::report
