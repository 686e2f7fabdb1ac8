// Moves against the rules, crashes, no-shows, and what they cost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/game/play/play.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST(PlayFaultsTest, BadMovesAreFaultsWithTheGamesOwnRule) {
    struct Case {
        const char* move;
        FaultCode code;
        const char* rule;
    };
    for (const auto& [move, code, rule] : {
             Case{"\"X\"", FaultCode::malformed, "walls.malformed_move"},
             Case{"[1,2]", FaultCode::malformed, "walls.malformed_move"},
             Case{"null", FaultCode::malformed, "walls.missing_move"},
         }) {
        BegunPlay driver(walls_setup());
        EXPECT_EQ(driver.moves(0, move), AnswerFate::taken) << move;
        EXPECT_THAT(driver.done, ElementsAre("drop 0", "fault 0", "turn 1"));
        ASSERT_THAT(driver.play.faults(), SizeIs(1));
        const auto& fault = driver.play.faults()[0];
        EXPECT_EQ(fault.code, code) << move;
        EXPECT_EQ(fault.rule, rule) << move;
        EXPECT_EQ(fault.consequence, Consequence::missing_move);
        EXPECT_FALSE(fault.rule_text.empty());
        EXPECT_THAT(fault.message, HasSubstr("Expected"));
        EXPECT_EQ(fault.evidence.received, "{\"move\":" + std::string(move) + "}");
        EXPECT_EQ(fault.evidence.charged_us, 1000);
    }
}

// The text is the bot's own affair: where the fault forfeits the game, everybody reads why.
TEST(PlayFaultsTest, WhoGivesATurnAwayIsToldWhatItSaidOfIt) {
    auto setup = walls_setup();
    setup.faults.set(FaultCode::malformed, Consequence::forfeit);
    BegunPlay driver(setup);
    driver.sent(0, 10ms);
    driver.answer(0, 1, "null",
                  {.at = Stamp::exact(at(11ms)), .debug = "threw: KeyError('map')\nmore"});
    const auto& fault = driver.play.faults().at(0);
    EXPECT_THAT(fault.message, StartsWith("alice gave the turn away, and its debug text says: "
                                          "threw: KeyError('map'). No move was given"));
    EXPECT_THAT(driver.play.result().reason, Not(HasSubstr("KeyError")));
}

TEST(PlayFaultsTest, WhatABotSaysBesideAMoveIsNoFaultsCause) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms);
    driver.answer(0, 1, "7", {.at = Stamp::exact(at(11ms)), .debug = "all is well"});
    EXPECT_THAT(driver.play.faults().at(0).message, Not(HasSubstr("all is well")));
}

TEST(PlayFaultsTest, FormAndRulesAreDifferentFaults) {
    struct Case {
        const char* move;
        FaultCode code;
        const char* rule;
    };
    for (const auto& [move, code, rule] : {
             Case{"[[3,3]]", FaultCode::illegal, "light_cycles.not_a_step"},
             Case{"[[-1,0]]", FaultCode::illegal, "light_cycles.outside"},
             Case{"[[\"a\",0]]", FaultCode::malformed, "light_cycles.malformed_cell"},
             Case{"7", FaultCode::malformed, "light_cycles.malformed_move"},
         }) {
        BegunPlay driver(cycles_setup(3));
        driver.moves(0, move);
        driver.moves(1, "[[6,5]]");
        driver.moves(2, "[[5,0]]");
        EXPECT_THAT(driver.done, ElementsAre("drop 2", "fault 0", "turn 1", "turn 2")) << move;
        EXPECT_EQ(driver.play.faults().at(0).code, code) << move;
        EXPECT_EQ(driver.play.faults().at(0).rule, rule) << move;
    }
}

// The game's rules have terminated the team: nothing more follows, whatever the policy.
TEST(PlayFaultsTest, TimeThatTheGamesRulesForbidIsAFaultBesideAValidMove) {
    auto setup = cycles_setup(3);
    setup.params.replace(setup.params.find("1000000"), 7, "10000");
    setup.faults.set(FaultCode::over_budget, Consequence::forfeit);
    BegunPlay driver(setup);
    for (Seat seat = 0; seat < 3; ++seat) driver.sent(seat, 10ms);
    driver.answer(0, "[[1,0]]", 22ms);
    driver.answer(1, "[[6,5]]", 15ms);
    driver.answer(2, "[[5,0]]", 15ms);
    EXPECT_THAT(driver.done, ElementsAre("drop 2", "fault 0", "turn 1", "turn 2"));
    const auto& fault = driver.play.faults().at(0);
    EXPECT_EQ(fault.code, FaultCode::over_budget);
    EXPECT_EQ(fault.consequence, Consequence::lost_turn);
    EXPECT_EQ(fault.rule, "light_cycles.over_mean");
    EXPECT_THAT(fault.message,
                HasSubstr("used 12.000 ms in turn 1, and the mean of its turns may be no more"));
    driver.moves(1, "null");
    driver.moves(2, "[[4,0]]");
    EXPECT_THAT(driver.play.result().valid_moves, ElementsAre(1, 1, 2));
    EXPECT_EQ(driver.play.result().status, GameStatus::played);
}

TEST(PlayFaultsTest, ABadMovesTimesAreItsOwn) {
    BegunPlay driver(cycles_setup(3));
    for (Seat seat = 0; seat < 3; ++seat) driver.sent(seat, 10ms);
    driver.answer(0, "7", 12ms);
    driver.answer(1, "[[6,5]]", 40ms);
    driver.answer(2, "[[5,0]]", 90ms);  // the moves are made only now
    const auto& evidence = driver.play.faults().at(0).evidence;
    EXPECT_EQ(evidence.sent_us, 10'000);
    EXPECT_EQ(evidence.received_us, 12'000);
    EXPECT_EQ(evidence.charged_us, 2000);
    EXPECT_EQ(evidence.budget_us, 100'000);
    EXPECT_EQ(evidence.method, "test stamp");
}

TEST(PlayFaultsTest, NewsAreNoFaults) {
    BegunPlay driver(walls_setup());
    for (Seat seat = 0; !driver.play.finished(); seat = 1 - seat) driver.moves(seat, "\"L\"");
    EXPECT_THAT(driver.play.faults(), IsEmpty()) << "both were stalled, which is told as a note";
}

TEST(PlayFaultsTest, DefaultsOfTheGames) {
    for (const auto& game : games().games()) {
        const auto policy = default_faults(game->info());
        const bool pieces = game->info().id == "light_cycles";
        for (const auto code : {FaultCode::late, FaultCode::malformed, FaultCode::illegal}) {
            EXPECT_EQ(policy.of(code), pieces ? Consequence::lost_turn : Consequence::missing_move)
                << game->info().id;
        }
        EXPECT_EQ(policy.of(FaultCode::crashed), Consequence::forfeit) << game->info().id;
    }
}

// What a fault of that kind comes to in seat 0's turn, told as it happens in a game.
enum class Comes : std::uint8_t { to_nothing, to_a_missing_move, to_a_forfeit };

Comes outcome_of(FaultCode code, Consequence consequence, unsigned strikes, int times) {
    auto setup = walls_setup();
    setup.faults.set(code, consequence);
    setup.faults.strikes_max = strikes;
    if (code == FaultCode::over_budget)
        setup.clock =
            clock::completed({.kind = clock::ClockKind::game, .budget = 100ms, .increment = 100ms});
    if (code == FaultCode::hung) {
        setup.clock.waits_for_late = true;
        setup.clock.hung_after = 10ms;
        setup.faults.set(FaultCode::late, Consequence::none);
    }
    BegunPlay driver(setup);
    Duration now{};
    for (int i = 0; i < times && !driver.play.finished(); ++i) {
        driver.sent(0, now);
        switch (code) {
            case FaultCode::late:
                driver.deadline(0, now += 100ms);
                break;
            case FaultCode::over_budget:
                driver.deadline(0, now += 200ms);
                break;
            case FaultCode::hung:
                driver.deadline(0, now += 100ms);
                driver.deadline(0, now += 10ms);
                break;
            case FaultCode::malformed:
            case FaultCode::illegal:
                driver.answer(0, "\"X\"", now += 1ms);
                break;
            default:
                driver.misbehaved(0, code, now += 1ms);
                break;
        }
        for (const auto& fault : driver.play.faults()) {
            if (fault.code == code) {
                EXPECT_EQ(fault.consequence, consequence);
                EXPECT_FALSE(fault.rule.empty() || fault.rule_text.empty());
            }
        }
        if (driver.play.finished()) break;
        if (driver.play.awaits(0)) return Comes::to_nothing;
        driver.moves(1, "\"L\"");
    }
    return driver.play.finished() ? Comes::to_a_forfeit : Comes::to_a_missing_move;
}

TEST(PlayFaultsTest, EachCodeHasEachConsequence) {
    using enum FaultCode;
    for (const auto code : protocol::all_codes<FaultCode>()) {
        if (code == illegal) continue;  // Walls has no illegal moves; it goes malformed's way
        const auto name = protocol::name_of(code);
        // Where the answer itself is bad or missing there is no move in any case.
        const bool about_a_move =
            code == late || code == malformed || code == hung || code == over_budget;
        const auto least = about_a_move ? Comes::to_a_missing_move : Comes::to_nothing;
        EXPECT_EQ(outcome_of(code, Consequence::none, 3, 1), least) << name;
        EXPECT_EQ(outcome_of(code, Consequence::missing_move, 3, 1), Comes::to_a_missing_move)
            << name;
        EXPECT_EQ(outcome_of(code, Consequence::lost_turn, 3, 1), Comes::to_a_missing_move) << name;
        EXPECT_EQ(outcome_of(code, Consequence::strike, 2, 1), least) << name;
        EXPECT_EQ(outcome_of(code, Consequence::strike, 1, 1), Comes::to_a_forfeit) << name;
        EXPECT_EQ(outcome_of(code, Consequence::forfeit, 3, 1), Comes::to_a_forfeit) << name;
        if (about_a_move) {
            EXPECT_EQ(outcome_of(code, Consequence::strike, 2, 2), Comes::to_a_forfeit) << name;
        }
    }
}

TEST(PlayFaultsTest, StrikesAreCountedAloud) {
    auto setup = walls_setup();
    setup.faults.set(FaultCode::protocol, Consequence::strike);
    BegunPlay driver(setup);
    driver.misbehaved(0, FaultCode::protocol);
    driver.misbehaved(0, FaultCode::protocol);
    EXPECT_EQ(driver.play.faults().at(1).message, "it did something (strike 2 of 3)");
}

TEST(PlayFaultsTest, AMoveThatWasTakenAwayIsChargedUpToThen) {
    auto setup = walls_setup();
    setup.faults.set(FaultCode::disconnected, Consequence::missing_move);
    BegunPlay driver(setup);
    driver.sent(0, 10ms);
    EXPECT_THAT(driver.misbehaved(0, FaultCode::disconnected, 35ms),
                ElementsAre("fault 0", "drop 0", "turn 1"));
    EXPECT_EQ(driver.play.history(), "{\"moves\":[null,null],\"used_us\":[25000,0]}\n");
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", {}), AnswerFate::old_turn);
    driver.misbehaved(0, FaultCode::disconnected, 40ms);
    EXPECT_EQ(driver.play.turn(), 2) << "not its turn: nothing to take";
}

TEST(PlayFaultsTest, ALostConnectionIsBookedAndTheGameGoesOn) {
    PlayDriver driver(walls_setup());
    EXPECT_THAT(driver.misbehaved(0, FaultCode::disconnected), IsEmpty()) << "before the start";
    driver.begin();
    EXPECT_THAT(driver.misbehaved(0, FaultCode::disconnected), ElementsAre("fault 0"));
    EXPECT_TRUE(driver.play.awaits(0));
    EXPECT_EQ(driver.moves(0, "\"L\""), AnswerFate::taken);
}

TEST(PlayFaultsTest, ATeamThatForfeitsInTheMiddleOfATurn) {
    BegunPlay driver(cycles_setup(3));
    EXPECT_EQ(driver.moves(0, "[[1,0]]"), AnswerFate::taken);
    EXPECT_THAT(driver.misbehaved(1, FaultCode::flooding), ElementsAre("fault 0", "drop 1"));
    EXPECT_EQ(driver.answer(1, "[[6,5]]", 5ms), AnswerFate::not_to_move);
    EXPECT_EQ(driver.moves(2, "[[5,0]]"), AnswerFate::taken);
    EXPECT_THAT(driver.done, ElementsAre("drop 2", "turn 0", "turn 2"));
    EXPECT_THAT(driver.misbehaved(2, FaultCode::flooding),
                ElementsAre("fault 1", "drop 0", "drop 1", "drop 2", "finish"));
    EXPECT_THAT(driver.play.result().reason,
                testing::AllOf(HasSubstr("bob forfeits"), HasSubstr("carol forfeits")));
    EXPECT_EQ(driver.play.result().outcome.placing.at(0), 1);
    EXPECT_EQ(driver.play.history(),
              "{\"forfeit\":1}\n{\"moves\":[[[1,0]],null,[[5,0]]],\"used_us\":[1000,0,1000]}\n{"
              "\"forfeit\":2}\n");
}

TEST(PlayFaultsTest, TheLastAwaitedSeatsForfeitEndsTheTurn) {
    BegunPlay driver(cycles_setup(3));
    driver.moves(0, "[[1,0]]");
    driver.moves(2, "[[5,0]]");
    EXPECT_THAT(driver.misbehaved(1, FaultCode::crashed),
                ElementsAre("fault 0", "drop 1", "turn 0", "turn 2"));
    EXPECT_EQ(driver.play.turn(), 2);
}

TEST(PlayFaultsTest, AForfeitWhileGettingReady) {
    PlayDriver driver(cycles_setup(3));
    driver.start();
    driver.ready(0);
    EXPECT_THAT(driver.misbehaved(1, FaultCode::crashed), ElementsAre("fault 0", "drop 1"));
    EXPECT_THAT(driver.ready(2), ElementsAre("drop 2", "turn 0", "turn 2"));
}

TEST(PlayFaultsTest, NoShows) {
    PlayDriver one(walls_setup());
    EXPECT_THAT(one.start({1}), ElementsAre("fault 0", "drop 0", "drop 1", "finish"));
    EXPECT_EQ(one.play.result().status, GameStatus::forfeited);
    EXPECT_EQ(one.play.result().turns, 0);
    EXPECT_THAT(one.play.result().outcome.placing, ElementsAre(1, 2));
    EXPECT_THAT(one.play.result().reason, HasSubstr("bob did not show up"));
    EXPECT_EQ(one.play.faults().at(0).rule, "match.no_show");
    EXPECT_EQ(one.play.faults().at(0).seat, 1U);

    PlayDriver both(walls_setup());
    both.start({0, 1});
    EXPECT_TRUE(both.play.finished());
    EXPECT_THAT(both.play.faults(), SizeIs(2)) << "each absence counts";
    for (const auto& fault : both.play.faults()) EXPECT_EQ(fault.consequence, Consequence::forfeit);

    PlayDriver third(cycles_setup(3));
    EXPECT_THAT(third.start({2}),
                ElementsAre("fault 0", "start 0", "start 1", "arm 0 10000000", "arm 1 10000000"));
    third.ready(0);
    EXPECT_THAT(third.ready(1), ElementsAre("drop 1", "turn 0", "turn 1"));
}

TEST(PlayFaultsTest, OneBotsFaultsAreCountedBeyondThoseKept) {
    BegunPlay driver(walls_setup());
    constexpr std::size_t more = 50;
    for (std::size_t i = 0; i < faults_kept_max + more; ++i)
        driver.misbehaved(0, FaultCode::protocol);
    EXPECT_THAT(driver.done, IsEmpty()) << "counted, not told";
    EXPECT_THAT(driver.play.faults(), SizeIs(faults_kept_max));
    EXPECT_THAT(driver.misbehaved(1, FaultCode::protocol), ElementsAre("fault 200"))
        << "the other has its own";
    driver.misbehaved(0, FaultCode::crashed);
    EXPECT_EQ(driver.play.faults().back().code, FaultCode::crashed)
        << "what ends the game is always kept";
    EXPECT_EQ(driver.play.result().faults_total, faults_kept_max + more + 2);
}

TEST(PlayFaultsTest, EvidenceIsCapped) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 0ms);
    const std::string line(5000, 'x');
    driver.answer(0, 1, "\"X\"", {.at = Stamp::exact(at(1ms)), .line = line});
    EXPECT_EQ(driver.play.faults().at(0).evidence.received,
              line.substr(0, protocol::limits::evidence_received_bytes_max));
}

}  // namespace
}  // namespace referee::play
