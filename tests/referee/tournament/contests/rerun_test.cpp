#include "referee/tournament/contests/play_again.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "referee/tournament/contests/arbiter.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {
namespace {

using formats::FormatKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const Case round_robin_of_four{"round_robin", FormatKind::round_robin, 4};

// A contest that was played to its end by programs that results name, and what it recorded.
class Rerunning : public testing::Test {
 protected:
    // Each bot has a program, unless the test has named them otherwise.
    void play_it() {
        if (programs.empty()) name_all();
        Begun nameless(round_robin_of_four);
        nameless.player.play();
        log = nameless.player.log;
        for_each_game([&](auto& game) {
            for (const auto& bot : game.bots) game.program.push_back(programs[bot]);
        });
        restart();
        EXPECT_TRUE(contest->draw(1).empty());
        ASSERT_TRUE(contest->over());
    }
    void restart() { contest = std::make_unique<Restarted>(config, log); }
    ProgramsNow now() const {
        ProgramsNow now;
        for (const auto& [bot, program] : programs) now[bot] = {program, "it says none", false};
        return now;
    }
    // Carries it out, and keeps what is recorded.
    std::vector<records::Record> order(Ordered ordered) {
        contest->carry_out(ordered.value());
        log.insert(log.end(), ordered->begin(), ordered->end());
        contest->committed(contest->changes());
        return *std::move(ordered);
    }
    // Each game on record; changes what the log says of it.
    void for_each_game(const std::function<void(GameResult&)>& change) {
        for (auto& record : log) {
            if (auto* game = std::get_if<records::GameRecord>(&record)) change(game->result);
        }
    }
    Rerun planned() const {
        auto rerun = plan_rerun(*contest, now());
        EXPECT_TRUE(rerun) << rerun.error();
        return rerun ? *std::move(rerun) : Rerun{};
    }
    static std::vector<std::uint64_t> matches_of(const Rerun& rerun) {
        std::vector<std::uint64_t> matches;
        for (const auto& match : rerun.again) matches.push_back(match.match);
        return matches;
    }
    std::vector<std::uint64_t> matches_with(const std::string& bot) const {
        std::vector<std::uint64_t> matches;
        for (const auto& [match, result] : contest->results()) {
            for (const auto entrant : result.seats) {
                if (contest->name(entrant) == bot) matches.push_back(match);
            }
        }
        return matches;
    }
    std::string first() const { return contest->name(0); }

    const config::TournamentConfig config = config_of(round_robin_of_four);
    std::map<std::string, std::string> programs;
    std::vector<records::Record> log;
    std::unique_ptr<Restarted> contest;

    void name_all() {
        for (const auto& entry : field_of(round_robin_of_four))
            programs[entry.name] = "said: 1 of " + entry.name;
    }
};

TEST_F(Rerunning, PlaysOnlyMatchesAgainInWhichSomethingChanged) {
    play_it();
    EXPECT_TRUE(planned().again.empty());
    EXPECT_EQ(planned().kept, 6u);

    const auto bot = first();
    programs[bot] = "said: 2";
    const auto rerun = planned();
    EXPECT_EQ(matches_of(rerun), matches_with(bot));
    EXPECT_EQ(rerun.games(), 6u);
    EXPECT_EQ(rerun.kept, 3u);
    ASSERT_EQ(rerun.changes.size(), 1u);
    EXPECT_THAT(rerun.changes.at(bot).before, ElementsAre("said: 1 of " + bot));
    EXPECT_EQ(rerun.changes.at(bot).now, "said: 2");

    const auto before = points_of(*contest);
    const auto records = order(records_of(*contest, rerun, "changed"));
    const auto annuls = [](const auto& record) {
        return std::holds_alternative<records::AnnulmentRecord>(record);
    };
    EXPECT_EQ(std::ranges::count_if(records, annuls), 6);
    EXPECT_EQ(contest->results().size(), 3u);
    ASSERT_EQ(contest->waiting().size(), 6u);
    EXPECT_EQ(contest->waiting().front().key,
              (GameKey{config.id, matches_of(rerun).front(), 1, 2}));
    const auto waiting = waiting_in(*contest);
    restart();
    EXPECT_EQ(waiting_in(*contest), waiting);
    Player player(*contest, 2);
    player.play();
    EXPECT_TRUE(contest->over());
    EXPECT_EQ(points_of(*contest), before) << "the simulated results are the same again";
}

TEST_F(Rerunning, OfAMatchOnlyTheGamesOfTheFormerProgram) {
    play_it();
    const auto bot = first();
    programs[bot] = "said: 2";
    const auto match = matches_with(bot).front();
    for_each_game([&](auto& game) {
        if (game.key.match != match || game.key.number != 2) return;
        for (std::size_t seat = 0; seat < game.bots.size(); ++seat) {
            if (game.bots[seat] == bot) game.program[seat] = "said: 2";
        }
    });
    restart();
    const auto rerun = planned();
    ASSERT_EQ(rerun.again.front().match, match);
    EXPECT_THAT(rerun.again.front().games, ElementsAre(GameKey{config.id, match, 1, 1}));
}

TEST_F(Rerunning, ResultsTellWhichVersionPlayed) {
    play_it();
    const auto bot = first();
    std::uint64_t last = 0;  // the match of its last game
    for (auto record = log.rbegin(); record != log.rend() && last == 0; ++record) {
        auto* game = std::get_if<records::GameRecord>(&*record);
        if (game == nullptr) continue;
        for (std::size_t seat = 0; seat < game->result.bots.size(); ++seat) {
            if (game->result.bots[seat] != bot) continue;
            game->result.program[seat] = "said: 2";
            last = game->result.key.match;
        }
    }
    restart();
    for (const auto& [match, result] : contest->results()) {
        for (std::size_t seat = 0; seat < result.seats.size(); ++seat) {
            const bool is_new = match == last && contest->name(result.seats[seat]) == bot;
            EXPECT_EQ(result.version_of(seat) > 0, is_new) << match;
        }
    }
}

TEST_F(Rerunning, TellsWhatCanNotBeToldAndKeepsIt) {
    name_all();
    const auto bot = programs.begin()->first;
    const auto other = programs.rbegin()->first;
    programs[bot].clear();
    play_it();
    auto today = now();
    today[other] = {"", "it is not here", false};
    auto rerun = plan_rerun(*contest, today);
    ASSERT_TRUE(rerun) << rerun.error();
    EXPECT_TRUE(rerun->again.empty());
    EXPECT_EQ(rerun->untold.at(bot).matches, 3u);
    EXPECT_EQ(rerun->untold.at(bot).why, "it says none");
    EXPECT_EQ(rerun->untold.at(other).why, "it is not here");
    today[bot].program = "said: 7";
    EXPECT_THAT(plan_rerun(*contest, today)->untold.at(bot).why, HasSubstr("without a version"));
    today[bot].is_said_to_have_changed = true;
    rerun = plan_rerun(*contest, today);
    EXPECT_EQ(matches_of(*rerun), matches_with(bot));
    EXPECT_FALSE(rerun->untold.contains(bot));
}

TEST_F(Rerunning, OfAMachinePlaysItsGamesAndKeepsTheRest) {
    play_it();
    std::set<GameKey> theirs;
    for_each_game([&](auto& game) {
        // Of the second match one game alone.
        if (game.key.match > 2 || (game.key.match == 2 && game.key.number == 2)) return;
        game.machine.name = "node7";
        theirs.insert(game.key);
    });
    restart();
    const auto rerun = plan_rerun_of(*contest, "node7");
    ASSERT_TRUE(rerun) << rerun.error();
    EXPECT_THAT(matches_of(*rerun), ElementsAre(1u, 2u));
    EXPECT_EQ(rerun->games(), theirs.size());
    EXPECT_EQ(rerun->again[1].games.size(), 1u);
    EXPECT_EQ(rerun->kept, 4u);
    const auto plays = [this] { return contest->matches().machine_plays().plays.size(); };
    const auto all = plays();
    order(records_of(*contest, *rerun, "it differs"));
    EXPECT_EQ(plays(), all - theirs.size());
    EXPECT_FALSE(plan_rerun_of(*contest, "node7"));
    order(records_of(*contest, *plan_restoration(*contest), "nobody wanted that"));
    EXPECT_EQ(plays(), all);
    const auto seat = contest->entrant_named(rerun->again[0].bots[0]);
    order(contest->withdraw(contest->name(*seat), "ill"));
    const auto without = plan_rerun_of(*contest, "node7");
    ASSERT_FALSE(without->kept_although.empty());
    EXPECT_EQ(without->kept_although[0].why, "one of its bots is withdrawn");
}

TEST_F(Rerunning, OfAMachineIsRefusedWithTheMachinesThatPlayed) {
    play_it();
    EXPECT_THAT(plan_rerun_of(*contest, "node7").error(),
                HasSubstr("the referee itself played it"));
    for_each_game([](auto& game) { game.machine.name = game.key.match > 2 ? "node1" : "node2"; });
    restart();
    EXPECT_THAT(plan_rerun_of(*contest, "node7").error(),
                HasSubstr("\"node7\"; expected one of the machines that played: node1, node2"));
    const Contest swiss(config_of({"other", FormatKind::swiss, 8}), game_named("walls"));
    EXPECT_THAT(plan_rerun_of(swiss, "node1").error(), HasSubstr("can't be played again in part"));
}

TEST_F(Rerunning, RefusesWhatItCanNotDo) {
    for (const auto& entry : field_of(round_robin_of_four)) programs[entry.name];
    play_it();
    EXPECT_THAT(plan_rerun(*contest, now()).error(),
                HasSubstr("versions can't be told apart in " + config.id));
    for (const auto kind : {FormatKind::swiss, FormatKind::knockout, FormatKind::ladder}) {
        const Contest other(config_of({"other", kind, 8}), game_named("walls"));
        EXPECT_THAT(plan_rerun(other, {}).error(), HasSubstr("can't be played again in part"));
    }
    const Contest unbegun(config, game_named("walls"));
    EXPECT_THAT(plan_rerun(unbegun, {}).error(), HasSubstr("has not begun"));
}

TEST_F(Rerunning, KeepsWhatAnArbiterSetAndMatchesOfTheWithdrawn) {
    play_it();
    const auto bot = first();
    const auto ruled = matches_with(bot).front();
    const auto seats = contest->results().find(ruled)->seats;
    order(rule(*contest, {config.id, ruled, {1, 2}, "agreed", "ada"}));
    std::string gone;
    for (const auto& [name, program] : programs) {
        const auto sits = std::ranges::find(seats, contest->entrant_named(name));
        if (name != bot && sits == seats.end()) gone = name;
    }
    order(contest->withdraw(gone, "ill"));
    programs[bot] = "said: 2";
    const auto rerun = planned();
    EXPECT_EQ(rerun.again.size(), 1u);
    std::vector<std::string> whys;
    for (const auto& kept : rerun.kept_although) whys.push_back(kept.why);
    EXPECT_THAT(
        whys, UnorderedElementsAre("its result is the arbiter's", "one of its bots is withdrawn"));
}

TEST_F(Rerunning, KeepsMatchesWhoseOtherBotIsAway) {
    play_it();
    const auto bot = first();
    programs[bot] = "said: 2";
    auto today = now();
    std::string other;
    for (const auto& [name, program] : programs) {
        if (name != bot) other = name;
    }
    const auto all = plan_rerun(*contest, today)->again.size();
    today[other].is_away = true;
    const auto rerun = plan_rerun(*contest, today);
    ASSERT_TRUE(rerun) << rerun.error();
    EXPECT_EQ(rerun->again.size(), all - 1);
    ASSERT_EQ(rerun->kept_although.size(), 1u);
    EXPECT_THAT(rerun->kept_although[0].why, HasSubstr(other + " is not here"));
    today[other].is_away = false;
    today[bot].is_away = true;
    EXPECT_TRUE(plan_rerun(*contest, today)->again.empty());
}

}  // namespace
}  // namespace referee::contests
