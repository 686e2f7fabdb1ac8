#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/watch/web/site.h"
#include "referee/watch/web/web_news.h"

namespace referee::web {

using testing::HasSubstr;
using testing::Not;

// A loop that answers little by itself, and notes what it was asked.
struct QuietLoop final : LoopQuestions {
    std::vector<std::string> watched, unwatched, ordered;
    std::optional<Credentials> entered;
    OnOutcome on_outcome;
    std::string games;     // those of any bot, as the protocol's `game_list`; may be empty
    std::string story;     // of any game, as JSON; empty: there is none
    std::string in_store;  // the replay of any game; empty: there is none

    void watch(const std::string& id) override { watched.push_back(id); }
    void unwatch(const std::string& id) override { unwatched.push_back(id); }
    void enter(Credentials credentials, OnOutcome then) override {
        entered = std::move(credentials);
        on_outcome = std::move(then);
    }
    void register_name(Credentials credentials, OnOutcome then) override {
        enter(std::move(credentials), std::move(then));
    }
    void new_token(const std::string& /*bot*/, OnOutcome then) override {
        then({true, {}, {}, "n"});
    }
    void games_of(const std::string& bot, OnOutcome then) override {
        then({true, {}, {}, games.empty() ? R"({"games of":")" + bot + "\"}" : games});
    }
    void replay_of(const GameKey& /*key*/, OnOutcome then) override {
        then(in_store.empty() ? WebOutcome{false, "no_such_game", "expected another", {}}
                              : WebOutcome{true, {}, {}, in_store});
    }
    void order(std::string request, OnOutcome then) override {
        ordered.push_back(std::move(request));
        then({true, {}, {}, R"({"ok":true,"message":"as ordered"})"});
    }
    void story_of(const std::string& /*bot*/, const GameKey& /*key*/,
                  const pseudonyms::NameMask& /*names*/, OnOutcome then) override {
        then(story.empty() ? WebOutcome{false, "no_such_game", "expected another", {}}
                           : WebOutcome{true, {}, {}, story});
    }
};

// The first line of a replay of Walls.
inline std::string walls_setup(const std::string& id = "t/1.1") {
    return R"({"replay":1,"game_id":")" + id +
           R"(","tournament":"t","match":1,"number":1,"attempt":1,"game":"walls","seed":1,"params":{"size":3,"first":0},"bots":["a","b"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000}})"
           "\n";
}

// Files of nowhere.
inline RunFiles no_files() {
    return {[](const auto& /*id*/) { return std::string("/nowhere"); },
            [](const auto& /*key*/) { return std::string("/nowhere/game"); },
            [](const auto& /*key*/, const auto& /*bot*/) { return std::string("/nowhere/debug"); }};
}

// A site by the clock of a test. Its secrets are "secret1", "secret2" and so on.
struct QuietSite : testing::Test {
    QuietLoop loop;
    Instant now{std::chrono::hours(100)};
    int secrets = 0;
    SiteTerms terms;
    Site site;

    explicit QuietSite(RunFiles files = no_files(), SiteTerms given = {})
        : terms(std::move(given)),
          site(terms, {loop, std::move(files), [this] { return now; },
                       [this] { return "secret" + std::to_string(++secrets); }}) {}

    static Request request(std::string path, std::string method = "GET") {
        Request one;
        one.method = std::move(method);
        one.path = std::move(path);
        one.host = "127.0.0.1:7780";
        one.fetch_site = "same-origin";
        return one;
    }
    // What it is answered, now or later.
    std::shared_ptr<const std::optional<Answer>> asked(const Request& one) {
        auto answer = std::make_shared<std::optional<Answer>>();
        site.answer(one, [answer](Answer given) {
            EXPECT_FALSE(*answer) << "answered twice";
            *answer = std::move(given);
        });
        return answer;
    }
    std::optional<Answer> ask(const Request& one) { return *asked(one); }
    // The cookie of a session that a ticket of the bot begins.
    std::string log_in(const std::string& bot) {
        site.expect("ticket", bot);
        auto enter = request("/enter");
        enter.query["ticket"] = "ticket";
        EXPECT_EQ(ask(enter)->status, 200U);
        return "referee_session=secret" + std::to_string(secrets);
    }

    // A match of the tournament t: a game of Walls that begins, is told of where somebody watches
    // it, and ends.
    static GameKey key(std::uint64_t match = 1) { return {"t", match, 1, 1}; }
    void begin(std::uint64_t match = 1) {
        site.game_began({key(match), game_id(key(match)), "walls", {"a", "b"}});
    }
    void show(std::uint64_t match = 1) {
        const auto id = game_id(key(match));
        site.so_far(id, {walls_setup(id), "", false});
    }
    void end(std::uint64_t match = 1) { site.game_ended(key(match), nullptr); }
};

}  // namespace referee::web
