// A referee, a program and a link that breaks at any moment: whatever is lost on the way, the
// program is asked each turn once, and the referee gets each answer.

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "protocol/base/split_mix.h"
#include "referee/connect/relay/relay.h"

namespace referee::relay {
namespace {

constexpr std::int64_t turns_of_a_game = 30;
constexpr int steps_max = 20'000;

std::string of_game(std::string_view type, std::int64_t turn, std::string_view more = "") {
    return R"({"type":")" + std::string(type) + R"(","game_id":"g1","turn":)" +
           std::to_string(turn) + std::string(more) + "}";
}

std::deque<std::string> lines_of(std::string_view text) {
    std::deque<std::string> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

void append(std::deque<std::string>& queue, const std::deque<std::string>& more) {
    queue.insert(queue.end(), more.begin(), more.end());
}

class LostLinks {
 public:
    explicit LostLinks(std::uint64_t seed) : chance_(seed) {}

    void play() {
        for (int step = 0; step < steps_max && turn_ <= turns_of_a_game; ++step) do_something();
        EXPECT_GT(turn_, turns_of_a_game) << "it got stuck";
        EXPECT_EQ(asked_.size(), static_cast<std::size_t>(turns_of_a_game));
    }

 private:
    void do_something() {
        constexpr std::uint64_t kinds = 12;
        switch (chance_.next() % kinds) {
            case 0:
                return is_linked_ ? cut() : link();
            case 1:
            case 2:
            case 3:
                return deliver(to_bridge_, [this](const auto& line) { reaches_bridge(line); });
            case 4:
            case 5:
            case 6:
                return deliver(to_referee_, [this](const auto& line) { reaches_referee(line); });
            case 7:
            case 8:
            case 9:
                return deliver(to_program_, [this](const auto& line) { reaches_program(line); });
            default:
                return deliver(thoughts_, [this](const auto& line) { program_says(line); });
        }
    }
    template <typename Reach>
    void deliver(std::deque<std::string>& queue, Reach reach) {
        if (queue.empty()) return;
        const auto line = queue.front();
        queue.pop_front();
        reach(line);
    }

    void link() {
        is_linked_ = true;
        relay_.connection_opened();
        to_bridge_ = {R"({"type":"hello","protocol":1})"};
    }
    // What is under way is lost, or some of it still arrives.
    void cut() {
        while (!to_referee_.empty() && chance_.next() % 2 == 0)
            deliver(to_referee_, [this](const auto& line) { reaches_referee(line); });
        is_linked_ = false;
        to_bridge_.clear();
        to_referee_.clear();
        relay_.connection_lost();
    }
    void take_step() {
        const auto passage = relay_.take_step();
        if (is_linked_) append(to_referee_, lines_of(passage.to_referee));
        append(to_program_, lines_of(passage.to_program));
    }
    void reaches_bridge(const std::string& line) {
        relay_.from_referee(line);
        take_step();
    }
    void program_says(const std::string& line) {
        relay_.from_program(line);
        take_step();
    }

    void reaches_program(const std::string& line) {
        protocol::json::Document document;
        ASSERT_TRUE(document.parse(line)) << line;
        const auto type = *document.root().find("type").string();
        if (type == "hello") thoughts_.push_back(R"({"type":"login","games":["walls"]})");
        if (type == "start") thoughts_.push_back(R"({"type":"ready","game_id":"g1"})");
        if (type != "turn") return;
        const auto turn = *document.root().find("turn").integer();
        EXPECT_TRUE(asked_.insert(turn).second) << "asked twice for turn " << turn;
        thoughts_.push_back(of_game("move", turn, R"(,"move":"F")"));
    }
    void reaches_referee(const std::string& line) {
        protocol::json::Document document;
        ASSERT_TRUE(document.parse(line)) << line;
        const auto type = *document.root().find("type").string();
        if (type == "login") {
            to_bridge_.push_back(R"({"type":"welcome","name":"Ada","protocol":1,"games":[]})");
            to_bridge_.push_back(
                of_game("start", turn_ - 1, is_ready_ ? R"(,"resumed":true)" : ""));
            if (is_ready_) to_bridge_.push_back(of_game("turn", turn_));
        }
        if (type == "ready" && !is_ready_) {
            is_ready_ = true;
            to_bridge_.push_back(of_game("turn", turn_));
        }
        if (type != "move" || *document.root().find("turn").integer() != turn_) return;
        ++turn_;
        to_bridge_.push_back(of_game("turn", turn_));
        if (turn_ > turns_of_a_game) to_bridge_.pop_back();
    }

    base::SplitMix chance_;
    Relay relay_{BotIdentity{"Ada", "", ""}};
    bool is_linked_ = false;
    std::deque<std::string> to_bridge_, to_referee_, to_program_, thoughts_;
    // The referee's.
    std::int64_t turn_ = 1;
    bool is_ready_ = false;
    // The program's.
    std::set<std::int64_t> asked_;
};

TEST(LostLinks, LoseNoTurnAndNoAnswer) {
    constexpr std::uint64_t seeds = 300;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        LostLinks(seed).play();
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace referee::relay
