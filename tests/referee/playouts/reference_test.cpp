// Playouts by the reference bots of each game.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "referee/playouts/playouts.h"
#include "sample_bots/cpp/reference/reference_players.h"
#include "tests/engines/conformance/driver.h"

namespace referee::playouts {
namespace {

TEST(TimeOfPlayouts, IsThatOfTheirOwnWorkHoweverBusyTheMachineIs) {
    using std::chrono::seconds;
    EXPECT_EQ(spent(seconds(4), seconds(4)), 0.5);
    EXPECT_EQ(spent(seconds(8), seconds(8)), 1);
    EXPECT_LT(spent(seconds(1), seconds(10)), 0.2) << "it had a tenth of a core";
    EXPECT_EQ(spent(seconds(0), seconds(60)), 1) << "it had none";
    const auto now = time_spent();
    EXPECT_LT(now(), 1);
}

TEST(ReferencePlayers, AreAllReferenceBotsOfAllGames) {
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        for (const auto program : game->info().reference_bots) {
            const auto* player = bots::reference_player(program);
            ASSERT_NE(player, nullptr) << program;
            EXPECT_EQ(player->game, game->info().id);
        }
        const auto* quick = bots::quick_player(game->info().id);
        ASSERT_NE(quick, nullptr) << "One reference_bot() in sample_bots/cpp/" << game->info().id
                                  << "/CMakeLists.txt must be QUICK";
        EXPECT_FALSE(quick->timed);
    }
    for (const auto& player : bots::reference_players()) {
        const auto named = registry.find(player.game)->info().reference_bots;
        EXPECT_NE(std::find(named.begin(), named.end(), player.program), named.end())
            << "GameInfo::reference_bots in engines/" << player.game << " lacks " << player.program;
    }
    EXPECT_EQ(bots::reference_player("no-such-bot"), nullptr);
}

// Maps that some games can't start without.
std::string params_of(std::string_view game) {
    if (game == "e7_planets") return R"({"map":"spiral"})";
    return game == "snake_labyrinth" ? R"({"maze":"handout"})" : "{}";
}

// Playouts of the game with these params, in which one player has all seats.
InsideTerms terms_of(const engines::Game& game, const std::string& params, std::size_t seats,
                     const bots::ReferencePlayer* player, unsigned slips_percent) {
    return {&game.info(), tests::full_params(game, params), std::vector<std::string>(seats, "bot"),
            std::vector<const bots::ReferencePlayer*>(seats, player), slips_percent};
}

TEST(ReferencePlayers, QuickOnesPlayWholeGamesWithoutAFault) {
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        const auto& info = game->info();
        SCOPED_TRACE(info.id);
        const auto state = tests::start(*game, params_of(info.id));
        protocol::json::Document params;
        ASSERT_TRUE(params.parse(tests::full_params(*game, params_of(info.id))));
        protocol::json::Document shown;
        ASSERT_TRUE(shown.parse(tests::state_text(*state)));
        std::vector<std::unique_ptr<bots::Player>> players;
        const std::vector<std::string> names(state->seats(), "bot");
        for (std::size_t seat = 0; seat < names.size(); ++seat)
            players.push_back(bots::quick_player(info.id)->make(
                {"game/1.1", info.id, seat, names, params.root(), shown.root()}));
        for (std::int64_t turn = 1; !state->over(); ++turn) {
            ASSERT_TRUE(shown.parse(tests::state_text(*state)));
            std::vector<std::string> moves(names.size(), "null");
            for (std::size_t seat = 0; seat < names.size(); ++seat)
                if (state->to_move()[seat])
                    moves[seat] = players[seat]->move({turn, info.clock.budget_us, shown.root()});
            for (const auto& note : tests::play(*state, moves))
                EXPECT_TRUE(!note.is_fault || std::ranges::count(info.blameless, note.code) > 0)
                    << "turn " << turn << ": " << note.message;
        }
    }
}

TEST(ReferencePlayers, PlayTheSameGameAgainByTheSameNumberAlone) {
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        const auto id = game->info().id;
        const auto start = tests::start(*game, params_of(id));
        ASSERT_NE(start, nullptr);
        ASSERT_NE(bots::quick_player(id), nullptr) << id;
        const auto seats = start->seats();
        // In Snake Labyrinth a whole way is one move: half of them are slips.
        auto terms = terms_of(*game, params_of(id), seats, bots::quick_player(id), 50);
        InsidePlayouts playouts(terms);
        const auto once = playouts.play({1}, *start, 3, 2);
        const auto again = playouts.play({1}, *start, 4, 1);
        ++terms.seed;
        const auto other = InsidePlayouts(terms).play({1}, *start, 3, 2);
        terms.slips_percent = 100;
        const auto by_lot = InsidePlayouts(terms).play({1}, *start, 3, 2);
        ASSERT_TRUE(once && again && other && by_lot) << id;
        EXPECT_EQ((*once)[1].course, (*again)[0].course) << id;
        EXPECT_EQ((*once)[1].worth, (*again)[0].worth) << id;
        EXPECT_NE((*once)[0].course, (*once)[1].course) << id;
        EXPECT_NE((*other)[0].course + (*other)[1].course, (*once)[0].course + (*once)[1].course)
            << id;
        EXPECT_NE((*by_lot)[0].course, (*by_lot)[1].course) << id;
        EXPECT_EQ((*once)[0].worth.size(), seats) << id;
    }
}

TEST(ReferencePlayers, PlayAlikeByTheTextOfAPositionAndByThePositionItself) {
    const engines::Registry registry;
    std::size_t compared = 0;
    for (const auto& player : bots::reference_players()) {
        if (player.make_inside == nullptr) continue;
        const auto& game = *registry.find(player.game);
        for (const auto* params : {R"({"map":"spiral_ghosts"})", R"({"map":"two_scrap_nebula"})",
                                   R"({"map":"three_blocks_ghosts"})"}) {
            const auto start = tests::start(game, params);
            ASSERT_NE(start, nullptr);
            auto without_inside = player;
            without_inside.make_inside = nullptr;
            InsidePlayouts by_text(terms_of(game, params, 1, &without_inside, 20));
            InsidePlayouts inside(terms_of(game, params, 1, &player, 20));
            const auto a = by_text.play({1}, *start, 0, 12);
            const auto b = inside.play({1}, *start, 0, 12);
            ASSERT_TRUE(a && b);
            for (std::size_t number = 0; number < a->size(); ++number, ++compared)
                EXPECT_EQ((*a)[number].course, (*b)[number].course) << player.program << params;
        }
    }
    EXPECT_GT(compared, 0U);
}

TEST(Idle, TakesNoCoreThatOthersWant) {
    const auto child = ::fork();  // it can't be taken back
    if (child == 0) ::_exit(take_idle_cores_only() ? ::sched_getscheduler(0) : -1);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), SCHED_IDLE);
}

}  // namespace
}  // namespace referee::playouts
