#include "referee/watch/review/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"

namespace referee::review {
namespace {

constexpr int turns = 12;

// Twelve turns in which both only turn around; nobody ends the game.
std::string turning_game(int of = turns) {
    std::string replay =
        R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":1,"params":{"size":5,"first":0},)"
        R"("bots":["alice","bob"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000}})"
        "\n";
    for (int turn = 0; turn < of; ++turn)
        replay += turn % 2 == 0 ? "{\"moves\":[\"L\",null]}\n" : "{\"moves\":[null,\"R\"]}\n";
    return replay + R"({"result":{"status":"interrupted","outcome":null}})"
                    "\n";
}

// What each playout comes to is written down beforehand.
class Scripted final : public Playouts {
 public:
    base::Result<std::vector<PlayedOut>, std::string> play(const Branch& branch,
                                                           const engines::State& /*from*/,
                                                           std::uint64_t first,
                                                           std::size_t count) override {
        if (fails) return base::failure(std::string("the bot is gone"));
        played += count;
        std::vector<PlayedOut> all;
        const auto next = branch.turn + (branch.moves.empty() ? 0 : 1);
        const bool other_move = !branch.moves.empty() && branch.moves[0] == "\"F\"";
        for (auto number = first; number < first + count; ++number) {
            const bool lucky = number < lucky_before;
            if (costs) {
                // A coin, which the fatal turn makes worse.
                base::SplitMix coin(
                    base::SplitMix::mixed(luck + number) +
                    static_cast<std::uint64_t>(2 * branch.turn + (next - branch.turn)));
                const bool heads = coin.below(100) < (next <= fatal_turn ? 50U : 50U - *costs);
                all.push_back({heads ? Worth{1, 0} : Worth{0, 1}, std::to_string(number)});
                continue;
            }
            if (noise) {
                const bool lucky_one = (number * 7 + static_cast<std::uint64_t>(next)) % 2 == 0;
                all.push_back({lucky_one ? Worth{1, 0} : Worth{0, 1}, std::to_string(number)});
                continue;
            }
            const bool won =
                next <= fatal_turn || (other_move && lucky && branch.turn == fatal_turn);
            all.push_back({won ? Worth{1, 0} : Worth{0, 1},
                           chance ? std::to_string(number) : std::string("one")});
        }
        return all;
    }
    bool cost_much() const override { return costly; }

    std::int64_t fatal_turn = 7;
    std::uint64_t lucky_before = std::numeric_limits<std::uint64_t>::max();
    bool chance = true;
    bool costly = false;
    bool fails = false;
    bool noise = false;                  // wins come and go from turn to turn
    std::optional<std::uint64_t> costs;  // hundredths that the fatal turn takes off an even game
    std::uint64_t luck = 0;
    std::size_t played = 0;
};

class ReviewTest : public testing::Test {
 protected:
    std::unique_ptr<showing::ReplayFrames> frames_of(const std::string& replay) {
        auto replay_frames = showing::ReplayFrames::of(replay, "game.ndjson", registry_, {});
        EXPECT_TRUE(replay_frames) << replay_frames.error().message;
        return *std::move(replay_frames);
    }
    Review reviewed(const ReviewOptions& options) {
        auto found = review(*replay_frames_, scripted_, options, [](const auto&) {});
        EXPECT_TRUE(found) << found.error();
        return *std::move(found);
    }

    engines::Registry registry_;
    std::unique_ptr<showing::ReplayFrames> replay_frames_ = frames_of(turning_game());
    Scripted scripted_;
    ReviewFacts about_{"friday/1.1", "walls", {"alice", "bob"}, 0, 1, {"x", "y"}, {}, {}};
};

TEST_F(ReviewTest, FindsTheTurnThatLostTheGameBetweenThePositionsThatItLooksAt) {
    const auto found = reviewed({0, 6, 40, 1});
    ASSERT_EQ(found.lost.size(), 1U);
    const auto& lost = found.lost.front();
    EXPECT_EQ(lost.turn, 7);
    EXPECT_EQ(lost.played, "\"L\"");
    EXPECT_EQ(lost.cost.value, 1);
    EXPECT_TRUE(lost.cost.is_sure());
    ASSERT_TRUE(lost.liked);
    EXPECT_EQ(lost.liked->move, "\"F\"");
    EXPECT_EQ(lost.liked->gain.value, 1);
    EXPECT_EQ(lost.moves_tried, 2U);
    EXPECT_TRUE(lost.all_tried);
    EXPECT_FALSE(found.ended_by_moves);
    EXPECT_THAT(told(lost, found, about_),
                testing::StartsWith("Turn 7: alice played \"L\"; the playouts liked \"F\" better: "
                                    "1.00 (0.91 to 1.00) for 0.00 (0.00 to 0.09), 1.00 ("));
}

// Of many moves one is always liked best by some playouts.
TEST_F(ReviewTest, AMoveThatOtherPlayoutsDoNotLikeIsNotTold) {
    scripted_.lucky_before = 3 * playouts_max;  // those that try moves, not those that compare
    const auto found = reviewed({0, 6, 40, 1});
    ASSERT_EQ(found.lost.size(), 1U);
    EXPECT_FALSE(found.lost.front().liked);
    EXPECT_EQ(found.lost.front().cost.value, 1);
    scripted_.lucky_before = 2 * playouts_max;  // found by none
    EXPECT_FALSE(reviewed({0, 6, 40, 1}).lost.front().liked);
}

TEST_F(ReviewTest, LooksAtEachSoManyTurnsAndAtTheEnd) {
    const auto found = reviewed({1, 5, 10, 1});
    std::vector<std::int64_t> at;
    for (const auto& point : found.points) at.push_back(point.turn);
    EXPECT_EQ(at, (std::vector<std::int64_t>{1, 6, 11, 13}));
    EXPECT_TRUE(found.lost.empty());  // bob only gained
    EXPECT_EQ(reviewed({1, 0, 10, 1}).every, 1);
}

TEST_F(ReviewTest, ATurnOfTheOtherIsNoTurnOfOnesOwn) {
    scripted_.fatal_turn = 8;  // bob's
    EXPECT_TRUE(reviewed({0, 4, 10, 1}).lost.empty());
}

TEST_F(ReviewTest, BotsWithoutChanceAreNotPlayedAgainAndAgain) {
    scripted_.chance = false;
    scripted_.costly = true;
    const auto found = reviewed({1, 6, 40, 1});
    EXPECT_TRUE(found.alike);
    EXPECT_EQ(found.points.front().sample.worths.size(), alike_enough);
    EXPECT_EQ(scripted_.played, found.points.size() * alike_enough);
    about_.seat = 1;
    EXPECT_THAT(text_of(found, about_, true), testing::HasSubstr("one piece of evidence"));
    scripted_.chance = true;
    EXPECT_EQ(reviewed({1, 6, 40, 1}).points.front().sample.worths.size(), 40U);
}

TEST_F(ReviewTest, TheVerdictComesFirstAndTheRestIsAskedFor) {
    const auto found = reviewed({0, 6, 40, 1});
    const auto text = text_of(found, about_, false);
    EXPECT_THAT(text, testing::StartsWith(
                          "review of friday/1.1 (walls): alice (seat 0), bob (seat 1)\n\n"
                          "Turn 7 cost alice most: it played \"L\", and its share of the points "
                          "fell by 1.00 (0.76 to 1.00 in 95 of 100 cases). The playouts liked "
                          "\"F\" better, by 1.00 (0.76 to 1.00 in 95 of 100 cases).\n"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("What was assumed")));
    auto doubtful = found;
    doubtful.lost.front().liked->gain = {0.7, {-0.03, 1}};
    EXPECT_THAT(verdict(doubtful, about_), testing::Not(testing::HasSubstr("better")))
        << "what can't be told from chance is no advice";
    EXPECT_THAT(text_of(found, about_, true), testing::HasSubstr("What was assumed"));
}

// What a crash cost is no move's fault.
TEST_F(ReviewTest, AForfeitIsToldBeforeAnyTurn) {
    auto replay = turning_game();
    const auto ended_by = [&](const std::string& result, bool by_moves) {
        auto text = replay.substr(0, replay.find("{\"result\"")) + R"({"result":)" + result + "}\n";
        replay_frames_ = frames_of(text);
        Review found;
        found.turns = turns;
        found.ended_by_moves = by_moves;
        about_.ending = ending_of(found, *replay_frames_, 0);
        const auto told = text_of(found, about_, true);
        EXPECT_EQ(told.find("\n\n" + remarks(found, about_).front()), told.find("\n\n"));
        EXPECT_EQ(remarks(found, about_).front(),
                  about_.ending.empty() ? verdict(found, about_) : about_.ending);
        return about_.ending;
    };
    EXPECT_EQ(ended_by(R"({"status":"forfeited","reason":"alice forfeits: exit status 1"})", false),
              "No move ended the game. After turn 12: alice forfeits: exit status 1.");
    EXPECT_EQ(ended_by(R"({"status":"interrupted"})", false),
              "No move ended the game: it was broken off, or a bot was taken out of it.");
    const std::string faults =
        R"({"status":"played","faults":[{"seat":1,"turn":2,"code":"hung","consequence":"forfeit"},)"
        R"({"seat":0,"turn":5,"code":"crashed","consequence":"forfeit"}]})";
    EXPECT_EQ(ended_by(faults, true), "alice forfeited in turn 5: crashed.");
    EXPECT_EQ(ended_by(R"({"status":"played"})", true), "");
}

TEST_F(ReviewTest, OfWhatItIsNotSureItSaysThatNoSingleTurnLostIt) {
    scripted_.noise = true;
    const auto found = reviewed({0, 6, 10, 1});
    EXPECT_LE(found.lost.size(), 1U);
    EXPECT_THAT(verdict(found, about_),
                testing::AllOf(testing::StartsWith("No single turn lost it for alice: "),
                               testing::ContainsRegex("To look harder: --playouts [0-9]+ ")));
    const auto text = text_of(found, about_, true);
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("cost 0.00")));
}

// The machine's speed decides whether there is a verdict, never which.
TEST_F(ReviewTest, NamesTheSameTurnInWhateverTime) {
    scripted_.costs = 40;
    ReviewOptions options{0, 6, playouts_of_curve, 1};
    std::string named;
    options.spent = [] { return 1.0; };
    EXPECT_THAT(verdict(reviewed(options), about_),
                testing::StartsWith("The time was over before it could be told which turn lost it "
                                    "for alice. To look harder: --playouts "));
    for (const double within : {1.0, 100.0, 300.0, 1'000.0, 10'000.0, 100'000.0}) {
        scripted_.played = 0;
        options.spent = [&] { return static_cast<double>(scripted_.played) / within; };
        const auto found = reviewed(options);
        EXPECT_EQ(found.playouts, playouts_of_curve);
        const auto told = verdict(found, about_);
        if (told.starts_with("The time was over before it could be told which turn lost it")) {
            EXPECT_EQ(named, "") << "more time told less: " << told;
            continue;
        }
        EXPECT_THAT(told, testing::StartsWith("Turn 7 cost alice most"));
        EXPECT_TRUE(named.empty() || named == told) << told;
        named = told;
    }
    EXPECT_NE(named, "");
}

// The worst of many turns looks bad by chance, the more so the oftener it is looked at.
TEST_F(ReviewTest, NamesATurnOfAGameThatNoneLostInAtMostOneOfTwenty) {
    constexpr std::uint64_t games = 200;
    const auto named_of = [this](std::uint64_t costs) {
        scripted_.costs = costs;
        std::uint64_t named = 0;
        for (std::uint64_t game = 0; game < games; ++game) {
            scripted_.luck = game << 32U;
            scripted_.played = 0;
            ReviewOptions options{0, 1, playouts_of_curve, game};
            options.spent = [this] { return static_cast<double>(scripted_.played) / 4'000; };
            const auto found = reviewed(options);
            named += !found.lost.empty() && found.lost.front().is_sure() ? 1 : 0;
        }
        return named;
    };
    EXPECT_LE(named_of(0), games / 20);
    EXPECT_GE(named_of(45), games / 2) << "nor is it blind";
}

TEST_F(ReviewTest, ARecordThatTheRulesSpeakAgainstIsToldEverywhere) {
    const auto found = reviewed({0, 6, 40, 1});
    EXPECT_THAT(text_of(found, about_, true),
                testing::Not(testing::HasSubstr("The record differs")));
    EXPECT_THAT(json_of(found, about_), testing::Not(testing::HasSubstr("differences")));
    about_.differences = {"result.turns: told 14, played 12\x1b"};
    EXPECT_THAT(text_of(found, about_, true),
                testing::HasSubstr("- result.turns: told 14, played 12"));
    EXPECT_EQ(text_of(found, about_, true).find('\x1b'), std::string::npos);
    EXPECT_THAT(json_of(found, about_), testing::HasSubstr("\"differences\":[\"result.turns"));
}

TEST_F(ReviewTest, MovesAreToldInTheGamesOwnWordsWhereItHasSome) {
    const auto found = reviewed({0, 6, 40, 1});
    ASSERT_EQ(found.lost.size(), 1U);
    const engines::Registry registry;
    about_.rules = registry.find("walls");
    EXPECT_THAT(told(found.lost.front(), found, about_),
                testing::StartsWith("Turn 7: alice played \"turn left\"; the playouts liked "
                                    "\"forward\" "));
    about_.rules = nullptr;
    EXPECT_THAT(told(found.lost.front(), found, about_),
                testing::StartsWith("Turn 7: alice played \"L\"; the playouts liked \"F\" "));
}

TEST_F(ReviewTest, TellsWhyNothingCanBeSaid) {
    scripted_.fails = true;
    const auto failed = review(*replay_frames_, scripted_, {0, 6, 10, 1}, [](const auto&) {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), "the bot is gone");
    scripted_.fails = false;
    const auto none = frames_of(turning_game(0));
    const auto empty = review(*none, scripted_, {0, 6, 10, 1}, [](const auto&) {});
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error(), "expected a game in which a turn was played; this one has none");
}

TEST_F(ReviewTest, TextsOfStrangersStayTexts) {
    const auto found = reviewed({0, 6, 10, 1});
    const ReviewFacts about{
        "friday/1.1", "walls",      {"\x1b[31m", "\"<script>"}, 0, 1, {"x", "y"},
        {"resumed"},  {"So it is."}};
    EXPECT_EQ(text_of(found, about, true).find('\x1b'), std::string::npos);
    protocol::json::Document document;
    ASSERT_TRUE(document.parse(json_of(found, about)));
    EXPECT_EQ(document.root().find("bots").at(1).string(), "\"<script>");
    EXPECT_EQ(document.root().find("lost").at(0).find("turn").integer(), 7);
    EXPECT_EQ(document.root().find("past_told_by").at(0).string(), "resumed");
}

TEST(Worth, IsAShareOfPointsOrAScore) {
    engines::Outcome outcome;
    outcome.scores.resize(4);
    outcome.placing = {1, 2, 2, 4};
    EXPECT_EQ(worth_of(outcome), (Worth{1, 0.5, 0.5, 0}));
    outcome.scores.resize(2);
    outcome.placing = {1, 1};
    EXPECT_EQ(worth_of(outcome), (Worth{0.5, 0.5}));
    outcome.scores = {engines::Score::halves(5)};
    outcome.placing = {1};
    EXPECT_EQ(worth_of(outcome), Worth{2.5});
}

}  // namespace
}  // namespace referee::review
