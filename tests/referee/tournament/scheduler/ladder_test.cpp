#include <gtest/gtest.h>

#include <map>

#include "tests/referee/tournament/scheduler/hall.h"

// A ladder in the simulated world. Only two things wake the scheduler here: its own timers, and
// what a host wakes it for, which is that a bot has come or gone.

namespace tests::sim {
namespace {

using referee::formats::FormatKind;

// A bot that plays, or that comes and goes by a pattern.
struct Guest {
    std::string name;
    std::size_t answers_every = 1;  // step
    std::size_t stays = 0;          // steps that it is there for; 0: always
    std::size_t is_away = 0;        // steps between its visits
    ScriptedBot* bot = nullptr;
    std::size_t here_for = 0;
    std::size_t away_for = 0;
    std::vector<Json> notes{};
    bool is_mute = false;  // gets ready, and gives no move
};

class LadderHall {
 public:
    static constexpr Duration step = 10ms;

    explicit LadderHall(Duration rest) {
        hall.stays = true;
        hall.config.format.options = referee::formats::LadderOptions{};
        hall.config.rest = rest;
        hall.config.no_show_after = 60s;
    }
    void start(std::vector<Guest> all) {
        guests = std::move(all);
        std::vector<std::string> names;
        for (auto& guest : guests) {
            names.push_back(guest.name);
            come(guest);
        }
        hall.start(names);
    }
    void pass(Duration time) {
        const auto end = hall.room.world.now() + time;
        while (hall.room.world.now() < end) {
            ++steps_;
            for (auto& guest : guests) {
                visit(guest);
                if (guest.bot != nullptr && steps_ % guest.answers_every == 0) answer(guest);
            }
            hall.room.pass(step);
            const auto news = hall.room.arrived.size() + hall.room.left.size();
            if (std::exchange(news_, news) != news) hall.scheduler->pump();
        }
    }
    referee::scheduler::ContestSnapshot contest() const { return hall.contest(); }
    // Matches that each has played, by name.
    std::map<std::string, std::size_t> played() const {
        std::map<std::string, std::size_t> counts;
        const auto now = contest();
        for (const auto& [ordinal, match] : now.results) {
            for (const auto seat : match.seats) ++counts[now.name(seat)];
        }
        return counts;
    }
    Guest& guest(const std::string& name) {
        return *std::find_if(guests.begin(), guests.end(),
                             [&](const auto& guest) { return guest.name == name; });
    }
    void come(Guest& guest) {
        guest.bot = &hall.room.log_in(guest.name);
        guest.here_for = 0;
        // As a host does.
        if (hall.scheduler != nullptr)
            hall.scheduler->welcome_back(hall.room.lobby->bot(guest.name));
    }
    static void go(Guest& guest) {
        guest.bot->link->close();
        guest.bot = nullptr;
        guest.away_for = 0;
    }

    Hall hall;
    std::vector<Guest> guests;

 private:
    void visit(Guest& guest) {
        if (guest.stays == 0) return;
        if (guest.bot != nullptr && ++guest.here_for >= guest.stays) {
            keep_notes(guest);
            go(guest);
        } else if (guest.bot == nullptr && ++guest.away_for >= guest.is_away) {
            come(guest);
        }
    }
    static void keep_notes(Guest& guest) {
        for (const auto& note : guest.bot->heard("note")) guest.notes.push_back(note);
    }
    static void answer(Guest& guest) {
        keep_notes(guest);
        for (const auto& message : std::exchange(guest.bot->messages, {})) {
            // A bot that only visits never gets ready for a game.
            if (message["type"] == "start" && guest.stays == 0)
                guest.bot->say(Json{{"type", "ready"}, {"game_id", message["game_id"]}});
            if (message["type"] == "turn" && !guest.is_mute)
                guest.bot->move(message["game_id"], message["turn"], "L");
        }
    }

    std::size_t steps_ = 0;
    std::size_t news_ = 0;
};

// Bots of different pace, so that their rests end one after the other.
std::vector<Guest> field(std::size_t bots) {
    std::vector<Guest> all;
    for (std::size_t i = 0; i < bots; ++i)
        all.push_back({.name = "bot" + std::to_string(i), .answers_every = 1 + i});
    return all;
}

TEST(Ladder, bots_that_have_rested_play_on_without_an_event_that_wakes_the_scheduler) {
    for (std::size_t bots = 2; bots <= 11; ++bots) {
        LadderHall ladder(2s);
        ladder.start(field(bots));
        std::uint64_t before = 0;
        for (int half_minute = 0; half_minute < 6; ++half_minute) {
            ladder.pass(30s);
            const auto now = ladder.contest().matches_played;
            // A match of these takes half a second at most, and their rest two seconds, so each bot
            // has time for ten matches. A bot that has met all others lately waits for them, so
            // half of that must be reached.
            EXPECT_GE(now - before, bots / 2 * 5)
                << bots << " bots, half minute " << half_minute << ": stands at " << now;
            before = now;
        }
    }
}

// Ten bots that stay: how many games they have played within a minute.
std::size_t games_of_those_who_stay(std::size_t leavers, std::size_t stays, std::size_t is_away) {
    LadderHall ladder(2s);
    auto guests = field(10);
    for (auto& guest : guests) guest.answers_every = 1;
    for (std::size_t i = 0; i < leavers; ++i) {
        guests.push_back(
            {.name = "leaver" + std::to_string(i), .stays = stays, .is_away = is_away});
    }
    ladder.start(guests);
    ladder.pass(60s);
    std::size_t fewest = SIZE_MAX;
    for (const auto& [name, count] : ladder.played()) {
        if (name.starts_with("bot")) fewest = std::min(fewest, count);
    }
    for (const auto* game : ladder.hall.games_recorded()) {
        for (const auto& fault : game->result.faults)
            EXPECT_NE(fault.rule, "match.no_show") << "a game that nobody played counts";
    }
    return ladder.played().size() < 10 ? 0 : fewest;
}

TEST(Ladder, bots_that_log_in_and_leave_cost_the_others_nothing) {
    const auto alone = games_of_those_who_stay(0, 0, 0);
    EXPECT_GE(alone, 20U);
    // Steps of ten milliseconds: gone before the game begins, and after it was told to begin.
    for (const auto& [stays, is_away] : std::vector<std::pair<std::size_t, std::size_t>>{
             {1, 10}, {3, 30}, {30, 300}, {100, 10}, {1, 1000}}) {
        const auto beside_leavers = games_of_those_who_stay(4, stays, is_away);
        EXPECT_GE(beside_leavers * 10, alone * 9)
            << "there for " << stays << " steps, away for " << is_away;
    }
}

// A bot that is gone whenever it is drawn waits longer each time, and is told how long.
TEST(Ladder, who_keeps_leaving_waits_longer_each_time_and_is_told) {
    LadderHall ladder(0s);
    ladder.start({{.name = "ada"}, {.name = "bob", .stays = 30, .is_away = 1}});
    ladder.pass(60s);
    std::vector<std::int64_t> waits;
    for (const auto& note : ladder.guest("bob").notes) {
        if (note["code"] != "left_matches") continue;
        EXPECT_TRUE(note["message"].get<std::string>().starts_with("you left ")) << note;
        waits.push_back(note["wait_us"].get<std::int64_t>() / 1'000'000);
    }
    // Told at each login; a wait that is longer than the one before is a new one.
    std::vector<std::int64_t> begun;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (i == 0 || waits[i] > waits[i - 1]) begun.push_back(waits[i]);
    }
    EXPECT_EQ(begun, (std::vector<std::int64_t>{4, 9, 19, 39}));
    EXPECT_TRUE(ladder.contest().results.empty());
    for (const auto* game : ladder.hall.games_recorded())
        EXPECT_EQ(game->result.status, GameStatus::interrupted) << game->result.reason;
    // Now it stays and plays: that clears it.
    auto& bob = ladder.guest("bob");
    bob.stays = 0;
    if (bob.bot == nullptr) ladder.come(bob);
    ladder.pass(60s);
    EXPECT_GT(ladder.contest().matches_played, 5U);
    EXPECT_EQ(ladder.hall.recorded()->left_in_a_row(1), 0U);
}

std::vector<std::string> withdrawals_of(const LadderHall& ladder) {
    std::vector<std::string> bots;
    for (const auto& record : ladder.hall.journal.committed()) {
        if (const auto* one = std::get_if<referee::records::WithdrawalRecord>(&record))
            bots.push_back(one->bot);
    }
    return bots;
}

// A match that is dropped doesn't count: a bot that left it was not absent.
TEST(Ladder, who_leaves_waits_and_is_not_withdrawn) {
    LadderHall ladder(0s);
    ladder.hall.config.withdraw_after = 1;
    ladder.start({{.name = "ada"}, {.name = "bob", .stays = 30, .is_away = 1}});
    ladder.pass(60s);
    EXPECT_GE(ladder.hall.recorded()->left_in_a_row(1), 3U);
    EXPECT_EQ(withdrawals_of(ladder), std::vector<std::string>{});
}

// A bot that is there and gives no valid move is treated as in any other format.
TEST(Ladder, who_gives_no_move_is_withdrawn_until_it_logs_in_anew) {
    LadderHall ladder(0s);
    ladder.start({{.name = "ada"}, {.name = "bob"}, {.name = "eve", .is_mute = true}});
    ladder.pass(60s);
    EXPECT_EQ(withdrawals_of(ladder), std::vector<std::string>{"eve"});
    EXPECT_EQ(ladder.played()["eve"], 2U);
    EXPECT_GT(ladder.played()["ada"], 20U) << "the others play on";
    auto& eve = ladder.guest("eve");
    ASSERT_FALSE(eve.notes.empty());
    EXPECT_EQ(eve.notes.back()["code"], "withdrawn");
    // It comes back, as bad as before.
    ladder.go(eve);
    ladder.pass(1s);
    EXPECT_EQ(withdrawals_of(ladder).size(), 1U);
    ladder.come(eve);
    ladder.pass(60s);
    EXPECT_EQ(withdrawals_of(ladder), (std::vector<std::string>{"eve", "eve"}));
    EXPECT_EQ(ladder.played()["eve"], 4U);
    // And once more, as one that plays.
    ladder.go(eve);
    ladder.pass(1s);
    eve.is_mute = false;
    ladder.come(eve);
    ladder.pass(60s);
    EXPECT_EQ(withdrawals_of(ladder).size(), 2U);
    EXPECT_GT(ladder.played()["eve"], 20U);
}

// A match that was left, between two silent bots, neither adds to their silent matches nor ends the
// row. A bot that is let in again still has to wait
// because it left.
TEST(Ladder, a_match_that_was_left_counts_neither_way_between_silent_ones) {
    LadderHall ladder(0s);
    ladder.start({{.name = "ada"}, {.name = "bob", .is_mute = true}});
    const auto until = [&](auto&& reached) {
        for (int i = 0; i < 6000 && !reached(); ++i) ladder.pass(LadderHall::step);
        EXPECT_TRUE(reached());
    };
    until([&] { return ladder.contest().matches_played == 1; });
    auto& bob = ladder.guest("bob");
    until([&] { return !ladder.contest().open.empty(); });
    ladder.go(bob);
    until([&] { return ladder.hall.recorded()->left_in_a_row(1) == 1; });
    EXPECT_EQ(withdrawals_of(ladder), std::vector<std::string>{});
    ladder.come(bob);
    until([&] { return ladder.contest().matches_played == 2; });
    EXPECT_EQ(withdrawals_of(ladder), std::vector<std::string>{"bob"});
    EXPECT_EQ(ladder.hall.recorded()->left_in_a_row(1), 0U) << "it stayed to the end";
}

}  // namespace
}  // namespace tests::sim
