#include <gtest/gtest.h>

#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {
namespace {

using namespace std::chrono_literals;

struct SiteTest : QuietSite {
    SiteTest()
        : QuietSite(no_files(),
                    {.delay = {}, .logins = true, .names_secret = {}, .hosts = {"lab"}}) {}

    unsigned status(const Request& one) {
        const auto answer = ask(one);
        return answer ? answer->status : 0;
    }
    static Request login(std::string form) {
        auto one = request("/enter", "POST");
        one.content_type = "application/x-www-form-urlencoded";
        one.body = std::move(form);
        return one;
    }
    static TournamentNews news_of(std::string id, std::string state = {}) {
        return {.id = std::move(id), .state = std::move(state)};
    }
    void begin_game() {
        site.tournament(news_of("t"));
        begin();
    }
    // A game that somebody has asked for, and what was played of it.
    void begin_watched_game() {
        begin_game();
        asked(showing);
        show();
    }

    const Request showing = request("/api/v1/games/t/1.1/showing");
    const Request live = request("/api/v1/games/t/1.1/live");
};

TEST_F(SiteTest, EachPathHasItsMethod) {
    EXPECT_EQ(status(request("/")), 200U);
    EXPECT_EQ(status(request("/", "POST")), 405U);
    const auto leaving = ask(request("/leave"));
    EXPECT_EQ(leaving->status, 405U);
    EXPECT_THAT(leaving->headers, testing::Contains(testing::Pair("Allow", "POST")));
    EXPECT_EQ(status(request("/leave", "POST")), 200U);
    EXPECT_EQ(status(request("/leave/x", "POST")), 404U);
    EXPECT_EQ(status(request("/api/v1/tournaments//standings")), 404U);
    EXPECT_EQ(status(request("/api/v1/games/t/1.1/showing")), 404U);
    EXPECT_EQ(status(request("/page/viewer.js")), 200U);
    EXPECT_EQ(status(request("/page/viewer.js.map")), 404U);
}

TEST_F(SiteTest, HomeHasTheCoursesNameAndAGameThoseWhoPlayIt) {
    begin_game();
    terms.title = "Algorithms <1>";
    site.set_terms(terms);
    const auto home = *ask(request("/"))->body;
    EXPECT_THAT(home, HasSubstr("<h1>Algorithms &lt;1&gt;</h1>"));
    EXPECT_THAT(home, HasSubstr("<a href=\"/g/t/1.1\"><bdi>a</bdi>, <bdi>b</bdi></a>"));
    const auto game = *ask(request("/g/t/1.1"))->body;
    EXPECT_THAT(game, HasSubstr("<title>a \u2013 b: t/1.1</title>"));
    EXPECT_THAT(game, HasSubstr("<a href=\"/t/t\">t</a>"));
}

TEST_F(SiteTest, WhatComesNextIsListedAndTellsNoNameThatIsHidden) {
    terms.names_secret = "a secret";
    site.set_terms(terms);
    auto news = news_of("friday", "waiting");
    news.comes_next = "can't begin yet: \"ann\" would enter in round 9";
    news.names = std::make_shared<const std::vector<std::string>>(1, "ann");
    site.tournament(news);
    for (const auto* page : {"/", "/api/v1/tournaments"}) {
        const auto text = *ask(request(page))->body;
        EXPECT_THAT(text, HasSubstr("would enter in round 9"));
        EXPECT_THAT(text, Not(HasSubstr("ann")));
    }
    EXPECT_THAT(*ask(request("/"))->body, HasSubstr("<h2>Next</h2>\n<ul class=\"plain\">\n<li><a "
                                                    "href=\"/t/friday\">"));
}

TEST_F(SiteTest, WhoLooksAtStandingsIsToldNoNewsOfGames) {
    auto one = request("/api/v1/events");
    one.query["only"] = "standings";
    site.look();  // the next sign of life is a while away
    const auto stream = ask(one)->stream;
    begin_game();
    end();
    site.standings("t");
    EXPECT_EQ(*stream->take(), "event: standings\ndata: {\"tournament\":\"t\"}\n\n");
    EXPECT_EQ(stream->take(), nullptr);
}

TEST_F(SiteTest, WhoLooksOnIsToldThatATournamentIsPaused) {
    begin_game();
    const auto stream = ask(request("/api/v1/events"))->stream;
    const auto news = news_of("t", "paused");
    site.tournament(news);
    const auto told = stream->take();
    ASSERT_NE(told, nullptr);
    EXPECT_THAT(*told, HasSubstr("event: standings"));
    site.tournament(news);
    EXPECT_EQ(stream->take(), nullptr) << "nothing is new";
}

TEST_F(SiteTest, OnlyNamesOfThisMachineAreTaken) {
    auto one = request("/");
    for (const auto* host :
         {"127.0.0.1", "127.0.0.1:1", "[::1]:7780", "LocalHost:7780", "lab", "Lab:7780"}) {
        one.host = host;
        EXPECT_EQ(status(one), 200U) << host;
    }
    for (const auto* host :
         {"", "attacker.example", "lab.attacker.example", "127.0.0.1.attacker.example", "[",
          "localhost.", "[::1]attacker.example", "[::1].attacker.example:80"}) {
        one.host = host;
        EXPECT_EQ(status(one), 421U) << host;
    }
}

TEST_F(SiteTest, OnlyPagesOfTheSiteMayPost) {
    auto one = request("/leave", "POST");
    one.fetch_site = "cross-site";
    one.origin = "http://127.0.0.1:7780";
    EXPECT_EQ(status(one), 403U) << "what the browser itself says counts";
    one.fetch_site = {};
    EXPECT_EQ(status(one), 200U);
    one.origin = "https://127.0.0.1:7780";
    EXPECT_EQ(status(one), 403U);
    one.origin = "null";
    EXPECT_EQ(status(one), 403U);
    one.origin = {};
    EXPECT_EQ(status(one), 403U);
}

TEST_F(SiteTest, ALoginIsJudgedByTheLoopAndBeginsASession) {
    auto one = login("name=ann&token=secret");
    one.address = "10.0.0.1";
    const auto answer = asked(one);
    EXPECT_FALSE(*answer) << "it waits for the loop";
    ASSERT_TRUE(loop.entered);
    EXPECT_EQ(loop.entered->name, "ann");
    EXPECT_EQ(loop.entered->token, "secret");
    EXPECT_EQ(loop.entered->address, "10.0.0.1");
    loop.on_outcome({true, {}, {}, {}});
    ASSERT_TRUE(*answer);
    const auto refused = asked(one);
    loop.on_outcome({false, "wrong_token", "expected the right one", {}});
    EXPECT_EQ((*refused)->status, 401U);
    EXPECT_TRUE((*refused)->headers.empty()) << "no session";
    auto mine = request("/api/v1/me/games");
    EXPECT_EQ(status(mine), 401U);
    mine.cookie = "referee_session=secret1";
    EXPECT_EQ(*ask(mine)->body, "{\"games of\":\"ann\"}");
    mine.cookie = "referee_session=secret2";
    EXPECT_EQ(status(mine), 401U);
}

TEST_F(SiteTest, ANewTokenEndsWhatTheOldOneBegan) {
    site.expect("first", "ann");
    site.expect("second", "ann");
    auto enter = request("/enter");
    enter.query["ticket"] = "first";
    enter.only_head = true;
    EXPECT_EQ(status(enter), 405U) << "who only looks at a link doesn't use it up";
    enter.only_head = false;
    EXPECT_EQ(status(enter), 200U);
    EXPECT_EQ(status(enter), 403U) << "once";
    auto mine = request("/api/v1/me/games");
    mine.cookie = "referee_session=secret1";
    EXPECT_EQ(status(mine), 200U);
    site.forget("ann");
    EXPECT_EQ(status(mine), 401U);
    enter.query["ticket"] = "second";
    EXPECT_EQ(status(enter), 403U);
}

TEST_F(SiteTest, APageTellsItsErrorsAsAPageAndWhatThereIs) {
    for (const auto* id : {"friday", "later"}) site.tournament(news_of(id));
    for (const auto* path : {"/t/none", "/wall/none"}) {
        const auto gone = ask(request(path));
        ASSERT_TRUE(gone);
        EXPECT_EQ(gone->status, 404U) << path;
        EXPECT_THAT(gone->type, HasSubstr("html"));
        EXPECT_THAT(*gone->body,
                    HasSubstr("no such tournament; expected the id of a tournament: friday, "
                              "later"));
        EXPECT_THAT(*gone->body, HasSubstr("href=\"/\"")) << "a way back";
    }
    EXPECT_EQ(status(request("/wall/later")), 200U);
    EXPECT_THAT(ask(request("/api/v1/none"))->type, HasSubstr("json"));
}

TEST_F(SiteTest, WhereNobodyLogsInNoSecretReachesTheLoop) {
    terms.logins = false;
    site.set_terms(terms);
    EXPECT_EQ(status(login("name=ann&token=secret")), 403U);
    EXPECT_FALSE(loop.entered);
}

// The token of a form of the page that a session was shown.
std::string token_on(const std::string& page, std::string_view command) {
    constexpr std::string_view before = "name=\"form_token\" value=\"";
    const auto form = page.find("value=\"" + std::string(command) + "\"");
    const auto begin = page.find(before, form) + before.size();
    return page.substr(begin, page.find('"', begin) - begin);
}

TEST_F(SiteTest, AnOrderIsAskedFirstAndNeedsTheInstructorsOwnForm) {
    begin_game();
    auto page = request("/instructor");
    EXPECT_THAT(*ask(page)->body, Not(HasSubstr("form_token"))) << "nobody is logged in";
    site.answer(login("token=admin"), [](const Answer& welcome) {
        EXPECT_THAT(*welcome.body, HasSubstr("href=\"/instructor\""))
            << "also where the form was sent before its script came";
        EXPECT_EQ(welcome.headers.back().second, "0; url=/instructor");
    });
    loop.on_outcome({true, {}, {}, {}});
    page.cookie = "referee_session=secret1";
    const auto shown = *ask(page)->body;
    EXPECT_THAT(shown, Not(HasSubstr("What comes next"))) << "nothing does";
    auto order = request("/api/v1/orders", "POST");
    const auto pause = "command=pause&tournament=t&reason=lunch&form_token=";
    order.body = pause + token_on(shown, "pause");
    EXPECT_EQ(status(order), 401U) << "without the session";
    order.cookie = page.cookie;
    EXPECT_EQ(status(order), 400U) << "no form";
    order.content_type = login({}).content_type;
    EXPECT_EQ(*ask(order)->body, R"({"ok":true,"message":"as ordered"})");
    EXPECT_EQ(loop.ordered.back(),
              R"({"command":"pause","tournament":"t","reason":"lunch","dry_run":true})");
    order.body += "&confirmed=yes";
    EXPECT_EQ(status(order), 200U);
    EXPECT_EQ(loop.ordered.back(), R"({"command":"pause","tournament":"t","reason":"lunch"})");
    for (const auto& body :
         {std::string(pause), pause + token_on(shown, "resume"),
          "command=drain&form_token=" + token_on(shown, "pause"),
          "command=replay-game&game=t/1.1&form_token=" + token_on(shown, "replay-game")}) {
        order.body = body;
        const auto refused = status(order);
        EXPECT_TRUE(refused == 400 || refused == 403) << body;
    }
    order.body = pause + token_on(shown, "pause");
    order.fetch_site = "cross-site";
    EXPECT_EQ(status(order), 403U);
    EXPECT_EQ(loop.ordered.size(), 3U) << "the page asked for the bots";
    site.tournament(news_of("u", "waiting"));
    EXPECT_THAT(*ask(page)->body, HasSubstr("What comes next"));
    terms.logins = false;
    site.set_terms(terms);
    order.fetch_site = "same-origin";
    EXPECT_EQ(status(order), 401U) << "not where others may read along";
}

TEST_F(SiteTest, AGameIsFollowedWhileSomebodyWatchesItAndSomeTimeBehind) {
    begin_game();
    EXPECT_TRUE(loop.watched.empty()) << "nobody watches it";
    const auto answer = asked(showing);
    EXPECT_EQ(loop.watched, std::vector<std::string>{"t/1.1"});
    EXPECT_FALSE(*answer);
    show();
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->status, 200U);
    const auto stream = ask(live)->stream;
    ASSERT_TRUE(stream);
    now += 1h;
    site.look();
    EXPECT_TRUE(loop.unwatched.empty());
    stream->leave();
    site.look();
    now += 11s;
    site.look();
    EXPECT_EQ(loop.unwatched, std::vector<std::string>{"t/1.1"});
    EXPECT_EQ(site.games_watched(), 0U);
}

TEST_F(SiteTest, AGameOfOneSeatIsShownToOthersWhenItsTournamentIsOver) {
    auto news = news_of("t");
    news.game = "superball";
    site.tournament(news);
    site.game_began({{"t", 1, 1, 1}, "t/1.1", "superball", {"ann"}});
    EXPECT_EQ(status(showing), 403U);
    EXPECT_EQ(status(live), 403U);
    EXPECT_TRUE(loop.watched.empty());
    // Its owner sees it.
    auto own = showing;
    own.cookie = log_in("ann");
    asked(own);
    EXPECT_EQ(loop.watched, std::vector<std::string>{"t/1.1"});
    EXPECT_EQ(status(showing), 403U) << "others don't, though it is watched";
    news.over = true;
    site.tournament(news);
    // Another tournament may begin from the same seed.
    auto next = news_of("final");
    next.game = "superball";
    site.tournament(next);
    EXPECT_EQ(status(showing), 403U);
    next.over = true;
    site.tournament(next);
    EXPECT_FALSE(ask(showing)) << "it waits for the game's frames";
}

TEST_F(SiteTest, WhoWaitsForAGameThatEndsIsAnswered) {
    begin_game();
    const auto answer = asked(showing);
    end();
    ASSERT_TRUE(*answer);
    EXPECT_EQ((*answer)->status, 503U);
}

// Between a showing and the question for what comes behind it, the game may end.
TEST_F(SiteTest, WhatCameBehindAShowingIsToldThoughTheGameHasEnded) {
    begin_watched_game();
    site.more("t/1.1", "{\"moves\":[\"F\",null]}\n");
    end();
    site.look();
    auto one = live;
    one.query["from"] = "0";
    const auto stream = ask(one)->stream;
    ASSERT_TRUE(stream) << "the showing was told a moment ago";
    EXPECT_THAT(*stream->take(), HasSubstr("event: frame"));
    EXPECT_THAT(*stream->take(), HasSubstr("event: end"));
    EXPECT_EQ(stream->take(), nullptr);
    EXPECT_TRUE(stream->ended());
    EXPECT_EQ(status(showing), 404U) << "from now on it is shown by its replay";
    now += 11s;
    site.look();
    EXPECT_EQ(status(one), 409U);
    EXPECT_EQ(site.games_watched(), 0U);
}

TEST_F(SiteTest, AGameIsNotForgottenBetweenItsShowingAndWhatComesBehind) {
    begin_game();
    asked(showing);
    now += 11s;  // the loop was busy for so long
    site.look();
    show();
    site.look();
    EXPECT_TRUE(ask(live)->stream);
}

TEST_F(SiteTest, AFrameThatWasNotShownCantBeGoneOnFrom) {
    begin_watched_game();
    auto one = live;
    for (const auto* wrong : {"1", "-1", "x", "", "99999999999999999999999"}) {
        one.query["from"] = wrong;
        EXPECT_EQ(status(one), 416U) << wrong;
    }
}

}  // namespace
}  // namespace referee::web
