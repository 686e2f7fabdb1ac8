// Games that are over, with their files and without.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/folder_of_test.h"
#include "tests/json.h"
#include "tests/referee/watch/review/kept_game.h"
#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {
namespace {

using namespace std::chrono_literals;

// Replays in a folder, and whatever lies beside them.
struct ReviewedGame : QuietSite {
    const tests::FolderOfTest made;
    const std::string& folder = made.path;
    Fields query;  // of each question

    ReviewedGame()
        : QuietSite({[this](const auto& /*id*/) { return folder; },
                     [this](const auto& /*key*/) { return folder + "/t_1.1.ndjson"; },
                     [this](const auto& /*key*/, const auto& /*bot*/) { return folder + "/none"; }},
                    {.delay = {}, .logins = true, .names_secret = {}, .hosts = {}}) {
        write("t_1.1.ndjson", review::kept_replay());
        TournamentNews news{.id = "t", .game = "walls"};
        site.tournament(news);
    }
    void write(const std::string& name, const std::string& text) const { made.write(name, text); }
    Answer ask(const std::string& what) { return get("/api/v1/games/t/1.1/" + what); }
    std::string page(const std::string& game) { return *get("/g/" + game).body; }
    Answer get(const std::string& path) {
        auto one = request(path);
        one.query = query;
        one.cookie = "referee_session=secret1";
        return *QuietSite::ask(one);
    }
};

TEST_F(ReviewedGame, ABotThatWasWithdrawnIsToldSoOnItsOwnPage) {
    write("standings.json",
          R"({"tournament":"t","tie_breaks":[],"bots":[{"rank":1,"name":"bob"},{"rank":2,)"
          R"("name":"ann","withdrawn":"it gave no valid move"},)"
          R"({"rank":null,"name":"hall","house":true}]})");
    log_in("ann");
    loop.games = R"({"games":[{"game_id":"t/9.1","tournament":"t"},)"
                 R"({"game_id":"a/1.1","tournament":"a"},{"game_id":"t/8.1","tournament":"t"}]})";
    const auto shown = *get("/me").body;
    std::size_t at = 0;
    for (const auto* next : {"<h2>a</h2>", "a/1.1", "<h2>t</h2>", "t/9.1", "t/8.1"}) {
        at = shown.find(next, at);
        EXPECT_NE(at, std::string::npos) << next << " is not behind the others: " << shown;
    }
    EXPECT_THAT(shown, HasSubstr("<a href=\"/t/t/bots/ann\">t</a>: rank 2 of 2, <strong "
                                 "class=\"fault\">withdrawn</strong>: it gave no valid move"));
}

TEST_F(ReviewedGame, TheLinesOfAStorySayByHowManyStepsTheyAreIndented) {
    log_in("ann");
    loop.story = R"({"game_id":"t/1.1","story":"It ended\n    ann: <1>\n          File\n\nSo\n"})";
    const auto page = *get("/me/games/t/1.1").body;
    EXPECT_THAT(
        page,
        HasSubstr(
            "tabindex=\"0\"><span class=\"in0\">It ended\n</span><span class=\"in1\">    ann: "
            "&lt;1&gt;\n</span><span class=\"in2\">          File\n</span><span "
            "class=\"in2\">\n</span><span class=\"in0\">So\n</span></pre>"));
}

TEST_F(ReviewedGame, OfATournamentWithAHouseBotHomeShowsNoRankOfIt) {
    write("standings.json", R"({"tournament":"t","tie_breaks":[],"bots":[{"rank":1,"name":"bob"},)"
                            R"({"rank":null,"name":"hall","house":true}]})");
    const auto home = *get("/").body;
    EXPECT_THAT(
        home,
        HasSubstr("<tr><td class=\"number\">1</td><th scope=\"row\"><a href=\"/t/t/bots/bob\">"));
    // The style has larger letters for the first three rows but such ones.
    EXPECT_THAT(home, HasSubstr("<tr class=\"house\"><td class=\"number\">house</td>"));
}

TEST_F(ReviewedGame, IsShownWithTheReviewThatLiesBesideItsReplay) {
    EXPECT_EQ(ask("review").status, 404U);
    EXPECT_THAT(*ask("review").body, HasSubstr("\"no_review\""));
    EXPECT_THAT(*ask("showing").body, Not(HasSubstr("\"review\"")));
    const auto review = review::kept_review(review::kept_replay());
    write("t_1.1.review.json", review);
    EXPECT_EQ(*ask("review").body, review);
    const auto shown = *ask("showing").body;
    EXPECT_THAT(shown, HasSubstr("\"review\":" + review))
        << "though the showing without it was kept";
    EXPECT_EQ(*ask("showing").body, shown);
}

TEST_F(ReviewedGame, AForeignReviewIsNotShownAndItIsSaidWhy) {
    for (const auto& wrong :
         {std::string("hello"), std::string("{\"review\":1}"), std::string(5 << 20, '['),
          review::kept_review(review::kept_replay() + "{}\n")}) {
        write("t_1.1.review.json", wrong);
        const auto answer = ask("review");
        EXPECT_GE(answer.status, 404U) << wrong.substr(0, 99);
        EXPECT_THAT(*answer.body, HasSubstr("expected"));
        const auto shown = ask("showing");
        EXPECT_EQ(shown.status, 200U);
        EXPECT_THAT(*shown.body, Not(HasSubstr("\"review\"")));
    }
}

TEST_F(ReviewedGame, NamesInAReviewAreHiddenAsEverywhere) {
    terms.names_secret = "secret";
    site.set_terms(terms);
    write("t_1.1.review.json", review::kept_review(review::kept_replay()));
    for (const auto* what : {"review", "showing"}) {
        const auto answer = ask(what);
        EXPECT_EQ(answer.status, 200U);
        EXPECT_THAT(*answer.body, Not(HasSubstr("ann")));
        EXPECT_THAT(*answer.body, Not(HasSubstr("eve\"")));
        EXPECT_THAT(*answer.body, HasSubstr(" lost little"));
        EXPECT_THAT(*answer.body, HasSubstr("\"scale\":\"share\""));
    }
}

TEST_F(ReviewedGame, AShowingSaysThatThePlayDoesNotCountAnyMore) {
    EXPECT_THAT(*ask("showing").body, Not(HasSubstr("\"annulled\"")));
    constexpr auto ruled = "An arbiter set the result of this game's match.";
    EXPECT_THAT(page("t/1.1"), Not(HasSubstr(ruled)));
    write("pairings.json",
          R"({"rounds":[{"matches":[{"match":"t/1","over":true,"ruled":true,"games":["t/1.1~2"],)"
          R"("annulled":[{"game":"t/1.1","reason":"a slip"}]}]}]})");
    write("standings.json", R"({"tournament":"t","tie_breaks":[],"bots":[]})");
    site.standings("t");
    EXPECT_THAT(*get("/api/v1/tournaments/t/table").body, HasSubstr(R"("annulled":1,"ruled":1,)"))
        << "for the projector";
    const auto shown = *ask("showing").body;
    EXPECT_THAT(shown, HasSubstr("\"annulled\":\"a slip\""))
        << "though the showing without it was kept";
    EXPECT_THAT(page("t/1.1"), HasSubstr("<a href=\"/g/t/1.1~2\">Played again: t/1.1~2</a>"));
    EXPECT_THAT(page("t/1.1~2"), HasSubstr("<a href=\"/g/t/1.1\">Its earlier play: t/1.1</a>"));
    EXPECT_THAT(page("t/1.1~2"), HasSubstr(ruled));
    std::filesystem::remove(folder + "/pairings.json");
}

TEST_F(ReviewedGame, IsNotShownBeforeTheGameIs) {
    write("t_1.1.review.json", review::kept_review(review::kept_replay()));
    begin();
    EXPECT_EQ(ask("review").status, 503U);
    terms.delay.time = 10s;
    site.set_terms(terms);
    end();
    std::filesystem::create_directories(folder + "/games");
    write("games/t_1.1.ndjson", review::kept_replay());
    const std::string list = "/api/v1/tournaments/t/games";
    EXPECT_EQ(*get(list).body, R"({"games":[],"total":0})");
    EXPECT_EQ(ask("review").status, 503U);
    for (const auto* what : {"showing", "replay", "review"})
        for (const std::string id : {"t/1.1", "t/01.1", "t/1.1~1"})
            EXPECT_EQ(get("/api/v1/games/" + id + "/" + what).status, 503U) << id << ' ' << what;
    EXPECT_EQ(ask("none").status, 404U);
    now += 11s;
    site.look();
    EXPECT_EQ(ask("showing").status, 200U);
    EXPECT_EQ(*get(list).body, R"({"games":[{"game_id":"t/1.1"}],"total":1})");
}

TEST_F(ReviewedGame, ThatEndsUnderAShorterDelayIsShownBeforeAnEarlierOne) {
    const auto end_under = [this](std::uint64_t match, Duration delay) {
        begin(match);
        terms.delay.time = delay;
        site.set_terms(terms);
        end(match);
    };
    end_under(1, 100s);
    end_under(2, 10s);
    now += 11s;
    site.look();
    EXPECT_EQ(get("/api/v1/games/t/1.1/showing").status, 503U);
    EXPECT_EQ(get("/api/v1/games/t/2.1/showing").status, 200U);
}

TEST_F(ReviewedGame, FramesOfARangeAreThoseOfTheWhole) {
    const auto shown = [this](const char* from, const char* to) {
        query = {{"from", from}, {"to", to}};
        return nlohmann::json::parse(*ask("showing").body);
    };
    const auto whole = nlohmann::json::parse(*ask("showing").body);
    EXPECT_FALSE(whole.contains("range"));
    ASSERT_EQ(whole["frames"].size(), 2U);
    const auto first = shown("0", "1");
    EXPECT_EQ(first["state"], whole["state"]);
    EXPECT_EQ(first["frames"], nlohmann::json::array({whole["frames"][0]}));
    const auto rest = shown("1", "1000");
    EXPECT_EQ(rest["frames"], nlohmann::json::array({whole["frames"][1]}));
    EXPECT_EQ(rest["range"], nlohmann::json({{"from", 1}, {"to", 2}, {"frames", 2}}));
    EXPECT_NE(rest["state"], whole["state"]);
    const std::pair<const char*, const char*> wrong[] = {
        {"2", "1"}, {"-1", "3"}, {"x", "3"}, {"", "3"}, {"1000", "1001"}};
    for (const auto& [from, to] : wrong) {
        query = {{"from", from}, {"to", to}};
        EXPECT_EQ(ask("showing").status, 416U) << from;
    }
    query = {{"from", "0"}};
    EXPECT_EQ(ask("showing").status, 416U);
}

TEST_F(ReviewedGame, GamesWithoutAFileAreListedAndWhatIsGoneIsSaid) {
    write(
        "pairings.json",
        R"({"rounds":[{"round":1,"matches":[{"match":"t/1","over":true,"seats":[{"name":"ann","place":1,"rating":1516},{"name":"eve","place":2,"rating":1484}],"games":["t/1.1","t/9.1"]},{"games":[]}]}]})");
    write(
        "standings.json",
        R"({"tie_breaks":[],"bots":[{"rank":1,"name":"ann","matches":[{"match":"t/1","place":1,"opponents":["eve"],"games":[{"game":"t/1.1","score":1},{"game":"t/9.1","score":0}]}]}]})");
    std::filesystem::create_directories(folder + "/games");
    write("games/t_1.1.ndjson", review::kept_replay());
    const auto get = [&](const std::string& path, const std::string& name) {
        query = {{"name", name}};
        return ReviewedGame::get(path);
    };
    site.standings("t");
    EXPECT_EQ(*get("/api/v1/tournaments/t/games", "").body,
              R"({"games":[{"game_id":"t/9.1"},{"game_id":"t/1.1"}],"total":2})");
    // The one file of this fixture is every game's; without it, and in no store, both are gone.
    std::filesystem::remove(folder + "/t_1.1.ndjson");
    const auto gone = *get("/api/v1/tournaments/t/bot", "ann").body;
    EXPECT_THAT(gone, HasSubstr("\"kept\":false"));
    EXPECT_THAT(gone, Not(HasSubstr("used_us")));
    loop.in_store = review::kept_replay();
    const auto told = *get("/api/v1/tournaments/t/bot", "ann").body;
    EXPECT_THAT(told, Not(HasSubstr("\"kept\"")));
    EXPECT_THAT(told, HasSubstr("\"clock\":\"turn\",\"budget_us\":1000000"));
    EXPECT_THAT(
        told,
        HasSubstr(
            R"("against":[{"name":"eve","won":1,"drawn":0,"lost":0}],"history":{"of":"rating","values":[1516]})"));
    EXPECT_THAT(told, HasSubstr(R"("outcome":"won")"));
    const auto game = *get("/g/t/1.1", "").body;
    EXPECT_THAT(game, HasSubstr("<title>ann \u2013 eve: t/1.1"));
    EXPECT_THAT(game, HasSubstr("<a href=\"/g/t/9.1\">Next game</a>"));
    EXPECT_THAT(game, Not(HasSubstr("Previous game")));
    EXPECT_EQ(get("/t/t/bots/ann", "").status, 200U);
    EXPECT_EQ(get("/t/t/bots/nobody", "").status, 404U);
    EXPECT_THAT(get("/t/t/bots/nobody", "").type, HasSubstr("html"));
    EXPECT_EQ(get("/api/v1/tournaments/t/bot", "nobody").status, 404U);
}

}  // namespace
}  // namespace referee::web
