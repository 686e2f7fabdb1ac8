// A restart makes a schedule anew and makes the same calls again: the same matches must come.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "protocol/base/text.h"
#include "referee/contest/rating/random.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

// A call that was made, and what it answered, as text.
struct Call {
    std::function<std::string(Schedule&)> make;
    std::string answer;
};

std::string text_of(const Schedule::Next& next) {
    if (const auto* pairing = std::get_if<Pairing>(&next))
        return fmt::format(
            "match {} round {}: {}", pairing->match, pairing->round,
            base::joined(pairing->seats, " ", [](Entrant seat) { return std::to_string(seat); }));
    if (const auto* bye = std::get_if<Bye>(&next))
        return fmt::format("bye {}: {} {} {}", bye->round, bye->entrant, name_of(bye->kind),
                           bye->points.in_halves());
    return std::holds_alternative<Schedule::Wait>(next) ? "wait" : "finished";
}

// Plays a tournament with results in any order, and people coming and going as lots want it.
class Session {
 public:
    Session(const FormatConfig& format, std::size_t bots, std::uint64_t seed)
        : bots_(bots), lots_(seed), schedule_(make_schedule(format, field_of(bots), seed)) {
        while (take_all()) {
            if (lots_.below(6) == 0) leave();
            if (lots_.below(6) == 0) come();
            if (open_.empty()) break;
            tell_one();
        }
    }

    const std::vector<Call>& calls() const { return calls_; }
    std::size_t bots() const { return bots_; }  // those who came late among them
    std::uint32_t rounds() const { return round_; }
    std::size_t lines() const { return lines_; }  // of the rounds: everybody's matches and byes

 private:
    const std::string& call(std::function<std::string(Schedule&)> make) {
        auto answer = make(*schedule_);
        calls_.push_back({std::move(make), std::move(answer)});
        return calls_.back().answer;
    }

    // Whether it goes on.
    bool take_all() {
        for (;;) {
            Schedule::Next next;
            call([&next](Schedule& schedule) { return text_of(next = schedule.next()); });
            calls_.back().make = [](Schedule& schedule) { return text_of(schedule.next()); };
            if (std::holds_alternative<Schedule::Finished>(next)) return false;
            if (std::holds_alternative<Schedule::Wait>(next)) return true;
            const auto* pairing = std::get_if<Pairing>(&next);
            lines_ += pairing != nullptr ? pairing->seats.size() : 1;
            if (pairing == nullptr) continue;
            open_.push_back(*pairing);
            round_ = std::max(round_, pairing->round);
        }
    }
    void leave() {
        const Entrant whom = lots_.below(bots_);
        const auto round = round_ + static_cast<std::uint32_t>(lots_.below(2));
        if (round == 0) return;
        call([=](Schedule& schedule) {
            schedule.withdraw(whom, round);
            return std::string();
        });
    }
    void come() {
        const Entry late{.name = "late" + std::to_string(bots_),
                         .team = bots_ % 2 == 0 ? "even" : "odd"};
        const auto round = round_ + static_cast<std::uint32_t>(lots_.below(3));
        const auto& answer = call([=](Schedule& schedule) {
            const auto entrant = schedule.enter(late, round);
            return entrant ? std::to_string(*entrant) : "no";
        });
        if (answer != "no") ++bots_;
    }
    void tell_one() {
        const auto i = static_cast<std::ptrdiff_t>(lots_.below(open_.size()));
        auto result = result_of(
            open_[static_cast<std::size_t>(i)],
            [this](const Pairing&, std::size_t) { return static_cast<double>(lots_.below(3)); });
        open_.erase(open_.begin() + i);
        if (lots_.below(8) == 0) result.absent[0] = true;
        call([=](Schedule& schedule) {
            schedule.record(result);
            return std::string();
        });
    }

    std::size_t bots_;
    rating::Random lots_;
    std::unique_ptr<Schedule> schedule_;
    std::vector<Call> calls_;
    std::vector<Pairing> open_;
    std::uint32_t round_ = 0;
    std::size_t lines_ = 0;
};

const FormatConfig five_rounds = config_of(SwissOptions{.rounds = 5});
const FormatConfig five_rounds_of_pods =
    config_of(SwissOptions{.seats = 4, .seats_min = 3, .rounds = 5});

TEST(ScheduleCalls, MadeAgainGiveTheSameAnswers) {
    const auto cup = config_of(KnockoutOptions{});
    for (const auto& format :
         {five_rounds, config_of(SwissOptions{.rounds = 5, .keep_teams_apart = true}),
          five_rounds_of_pods, config_of(RoundRobinOptions{}), cup,
          config_of(StagesOptions{{{.format = five_rounds}, {.format = cup, .advance = 4}}})}) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Session session(format, 11, seed);
            EXPECT_EQ(session.calls().back().answer, "finished") << name_of(format.kind()) << seed;
            const auto again = make_schedule(format, field_of(11), seed);
            for (const auto& call : session.calls())
                ASSERT_EQ(call.make(*again), call.answer) << name_of(format.kind()) << seed;
        }
    }
}

// Everybody who is or was there has one line in every round, whoever comes and goes.
TEST(ScheduleCalls, WhoComesAndGoesHasALineInEveryRound) {
    for (const auto& format : {five_rounds, five_rounds_of_pods}) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Session session(format, 11, seed);
            EXPECT_EQ(session.lines(), session.bots() * session.rounds())
                << seats_of(format) << " " << seed;
        }
    }
}

}  // namespace
}  // namespace referee::formats
