// What the interface promises of every game, tried on every game of the registry by random play.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "engines/delta.h"
#include "engines/game.h"
#include "protocol/base/visible_text.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/conformance/random_play.h"
#include "tests/places.h"

namespace tests {
namespace {

class Conformance : public RandomPlay {};

void expect_well_formed(const Json& outcome, std::size_t seats) {
    ASSERT_EQ(outcome.size(), 3U);
    const auto scores = outcome.at("scores").get<std::vector<double>>();
    const auto placing = outcome.at("placing").get<std::vector<int>>();
    ASSERT_EQ(scores.size(), seats);
    ASSERT_EQ(placing.size(), seats);
    EXPECT_TRUE(outcome.at("detail").is_object());
    for (std::size_t i = 0; i < seats; ++i) {
        const auto better = std::count_if(placing.begin(), placing.end(),
                                          [&](int place) { return place < placing[i]; });
        EXPECT_EQ(placing[i], better + 1) << outcome;
        for (std::size_t j = 0; j < seats; ++j) {
            if (placing[i] < placing[j]) {
                EXPECT_GE(scores[i], scores[j]) << outcome;
            }
        }
    }
}

TEST_P(Conformance, RandomPlayEndsWithAWellFormedOutcomeThatIsTold) {
    each_game([&](RandomGame& game) {
        std::size_t turns = 0;
        for (; !game.state->over() && turns < turns_max; ++turns) {
            const auto movers = game.state->to_move();
            EXPECT_TRUE(engine().info().simultaneous || movers.count() == 1);
            EXPECT_EQ((movers >> game.state->seats()).count(), 0U);
            game.step(game.next());
        }
        ASSERT_TRUE(game.state->over());
        expect_well_formed(outcome_json(*game.state), game.state->seats());
        const auto text = game.params_text();
        const auto outcome = game.state->outcome();
        protocol::json::Document params;
        protocol::json::Document detail;
        ASSERT_TRUE(params.parse(text));
        ASSERT_TRUE(detail.parse(outcome.detail));
        for (Seat seat = 0; seat < game.state->seats(); ++seat) {
            const auto told = engine().tell_end(params.root(), detail.root(), seat);
            EXPECT_TRUE(base::is_one_printable_line(told)) << told;
            EXPECT_FALSE(told.ends_with('.')) << told;
        }
    });
}

// What rubrics may ask for is known before a game is played.
TEST_P(Conformance, TheNumbersAndTruthsOfEachDetailAreListed) {
    using Is = engines::DetailMember::Is;
    std::map<std::string, bool> always;  // whether what is not listed was a number in every game
    each_game([&](RandomGame& game) {
        while (!game.state->over()) game.step(game.next());
        const auto detail = outcome_json(*game.state).at("detail");
        std::size_t listed = 0;
        for (const auto& [name, value] : detail.items()) {
            const auto& members = engine().info().detail;
            const auto found =
                std::find_if(members.begin(), members.end(),
                             [&, &it = name](const auto& member) { return member.name == it; });
            listed += found == members.end() ? 0 : 1;
            if (found == members.end()) {
                EXPECT_FALSE(value.is_boolean()) << "GameInfo::detail lacks " << name;
                auto& number = always.emplace(name, true).first->second;
                number = number && value.is_number();
            } else {
                EXPECT_TRUE(found->is == Is::truth ? value.is_boolean() : value.is_number())
                    << name;
            }
        }
        EXPECT_EQ(listed, engine().info().detail.size()) << detail;
    });
    // What is not always a number, such as a winner, is none.
    for (const auto& [name, number] : always) {
        EXPECT_FALSE(number)
            << "GameInfo::detail lacks " << name
            << ". Where it may be null, as the winner of a draw, a setup that ends "
               "so is lacking in table() of tests/engines/conformance/games.cpp";
    }
}

// Of a replay that somebody wrote.
TEST_P(Conformance, AnEndIsToldOfAnyDetail) {
    for (const std::string text :
         {R"({})", R"([])", R"({"bricks": [9223372036854775807, -1], "turns": 9223372036854775807,
                                    "eliminated_turn": [9223372036854775807, "x"], "steps": -9223372036854775808, "ended_by": 7})"}) {
        protocol::json::Document any;
        ASSERT_TRUE(any.parse(text));
        EXPECT_FALSE(engine().tell_end(any.root(), any.root(), 0).empty())
            << "override Game::tell_end in engines/" << GetParam().id;
    }
}

// Codes that tell of nobody's fault stand here, and those of a bot that was too slow; all others
// are faults.
TEST_P(Conformance, NotesAreForPeopleAndMachines) {
    constexpr std::size_t message_bytes_max = 1000;
    const std::set<std::string_view> news{"stalled",      "bumped",       "waiting",
                                          "caught",       "won",          "out_of_turns",
                                          "contest_lost", "contest_tied", "plan_rest_ignored",
                                          "out_of_steps", "team_out"};
    const std::set<std::string_view> late{"over_mean", "pace"};
    const auto page = "engines/" + GetParam().id + "/RULES.md";
    const auto rules = read_file(source_root() + "/" + page);
    each_turn([&](RandomGame& game) {
        for (const auto& note : game.step(game.next())) {
            EXPECT_LT(note.seat, game.state->seats());
            EXPECT_FALSE(note.code.empty());
            EXPECT_EQ(note.is_fault, !news.contains(note.code))
                << note.code << ": where it is nobody's fault, add it to `news` here";
            EXPECT_NE(rules.find("`" + std::string(note.code) + "`"), std::string::npos)
                << "In " << page << " tell the note `" << note.code << "`";
            EXPECT_EQ(note.over_time, late.contains(note.code)) << note.code;
            EXPECT_TRUE(std::all_of(note.code.begin(), note.code.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || c == '_';
            })) << note.code;
            EXPECT_FALSE(note.message.empty()) << note.code;
            EXPECT_LT(note.message.size(), message_bytes_max) << note.message;
            EXPECT_NO_THROW(std::ignore = Json(note.message).dump()) << note.code;  // valid UTF-8
        }
    });
}

TEST_P(Conformance, SameMovesGiveTheSameGame) {
    each_game([&](RandomGame& game) {
        const auto twin = game.state->clone();
        const auto initial = state_text(*game.state);
        std::vector<TurnMoves> turns;
        std::string states;
        while (!game.state->over()) {
            turns.push_back(game.next());
            states += notes_text(game.step(turns.back())) + state_text(*game.state);
        }
        EXPECT_EQ(state_text(*twin), initial) << "a clone changed with its original";
        std::string again;
        for (const auto& [moves, used_us] : turns) {
            again += notes_text(play(*twin, moves, used_us)) + state_text(*twin);
        }
        ASSERT_EQ(again, states);
        EXPECT_EQ(outcome_json(*twin), outcome_json(*game.state));
    });
}

TEST_P(Conformance, SetupAloneDecidesTheStart) {
    each_game([&](RandomGame& game) {
        const auto initial = state_text(*game.state);
        RandomGame second = RandomGame(GetParam(), GetParam().setups.front(), 1);
        ASSERT_TRUE(second.state);
        second.step(second.next());  // must change nothing in the first game
        EXPECT_EQ(state_text(*game.state), initial);
    });
}

TEST_P(Conformance, CloneThenApplyAgreesWithApply) {
    each_turn([&](RandomGame& game) {
        const auto turn = game.next();
        const auto before = state_text(*game.state);
        const auto copy = game.state->clone();
        ASSERT_EQ(state_text(*copy), before);
        const auto copy_notes = play(*copy, turn.moves, turn.used_us);
        ASSERT_EQ(state_text(*game.state), before) << "playing a clone changed its original";
        ASSERT_EQ(notes_text(game.step(turn)), notes_text(copy_notes));
        ASSERT_EQ(state_text(*copy), state_text(*game.state));
        ASSERT_EQ(copy->to_move(), game.state->to_move());
        ASSERT_EQ(delta_json(*copy), delta_json(*game.state));
    });
}

TEST_P(Conformance, StateJsonRoundTripsAlsoBesideOtherMembers) {
    each_turn([&](RandomGame& game) {
        std::string text;
        protocol::json::Writer writer(text);
        writer.begin_object().member("before", 1).key("state");
        game.state->write_state(writer);
        writer.member("after", 2).end_object();
        const auto alone = state_text(*game.state);
        ASSERT_EQ(text, R"({"before":1,"state":)" + alone + R"(,"after":2})");
        ASSERT_TRUE(Json::accept(alone)) << alone;
        ASSERT_TRUE(Json::parse(alone).is_object());
        protocol::json::Document document;
        ASSERT_TRUE(document.parse(alone)) << alone;
        std::string again;
        protocol::json::Writer second(again);
        document.root().write(second);
        ASSERT_EQ(again, alone);
        game.step(game.next());
    });
}

// What the last turn changed: as the game itself tells it or, where it doesn't, computed.
Json change(const State& state, const Json& before) {
    engines::DeltaWriter changes;
    changes.begin(before.dump());
    std::string text;
    protocol::json::Writer writer(text);
    changes.write(state, writer);
    return Json::parse(text);
}

void expect_delta(const State& state, const Json& before) {
    const auto delta = change(state, before);
    for (const auto& operation : delta) {
        const auto kind = operation.at("op").get<std::string>();
        EXPECT_TRUE(kind == "add" || kind == "replace" || kind == "remove") << kind;
    }
    ASSERT_EQ(before.patch(delta), state_json(state)) << delta;
}

// What check() says of a move is among what apply() notes, and no fault is noted where check() had
// nothing to say.
TEST_P(Conformance, CheckAgreesWithApply) {
    each_turn([&](RandomGame& game) {
        const auto turn = game.next(true);
        const auto before = game.state->clone();
        const auto notes = game.step(turn);
        for (Seat seat = 0; seat < before->seats(); ++seat) {
            if (!before->to_move()[seat]) continue;
            const auto checked = check(*before, seat, turn.moves[seat]);
            const auto agrees = [&](const engines::Note& note) {
                return checked ? note.seat == seat && note.is_fault && !note.over_time
                               : notes_text({note}) == notes_text({checked.error()});
            };
            const bool found = std::any_of(notes.begin(), notes.end(), agrees);
            ASSERT_EQ(found, !checked) << turn.moves[seat] << "\n" << notes_text(notes);
        }
    });
}

TEST_P(Conformance, ForfeitsEndOrGoOnSanely) {
    constexpr std::size_t forfeit_percent = 10;
    each_game([&](RandomGame& game) {
        std::vector<Seat> forfeited;
        while (!game.state->over()) {
            const auto before = state_json(*game.state);
            const auto seat = game.random().below(game.state->seats());
            if (!game.state->to_move()[seat] || !game.random().chance(forfeit_percent)) {
                game.step(game.next());
                continue;
            }
            const auto copy = game.state->clone();
            copy->forfeit(seat);
            game.state->forfeit(seat);
            forfeited.push_back(seat);
            ASSERT_EQ(state_text(*copy), state_text(*game.state));
            ASSERT_FALSE(game.state->to_move()[seat]);
            expect_delta(*game.state, before);
        }
        const auto outcome = outcome_json(*game.state);
        expect_well_formed(outcome, game.state->seats());
        for (const auto seat : forfeited) {
            if (game.state->seats() == 1) {
                EXPECT_EQ(outcome.at("scores").at(seat), 0) << outcome;
            } else if (forfeited.size() == 1) {
                EXPECT_GT(outcome.at("placing").at(seat), 1) << outcome;
            }
        }
    });
}

TEST_P(Conformance, PicturesAreTextThatFitsTheScreen) {
    constexpr std::size_t bytes_max = 1U << 20U;
    const auto fits = [](const State& state, const engines::Screen& screen) {
        for (Seat seat = 0; seat < state.seats(); ++seat) {
            const auto text = state.render_for(seat, screen);
            ASSERT_TRUE(text.ends_with('\n'));
            EXPECT_LE(widest_line(text), screen.columns) << text;
            EXPECT_LE(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(screen.lines))
                << text;
        }
    };
    each_game([&](RandomGame& game) {
        for (;; game.step(game.next())) {
            const auto text = game.state->render();
            ASSERT_TRUE(text.ends_with('\n'));
            EXPECT_LE(text.size(), bytes_max);
            EXPECT_EQ(text, game.state->clone()->render());
            fits(*game.state, {});
            fits(*game.state, {100, 20});
            if (game.state->over()) return;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(AllGames, Conformance, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace tests
