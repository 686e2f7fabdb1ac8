// A restart makes a schedule anew and makes the same calls again: the same matches must come.

#include <gtest/gtest.h>

#include <algorithm>

#include "referee/contest/rating/random.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

// What was called, in order; results of next() as text.
struct Call {
    enum class Kind { next, record, withdraw, enter } kind = Kind::next;
    MatchResult result;
    Entrant entrant = 0;
    std::uint32_t round = 0;
    std::string answer;
};

std::string text_of(const Schedule::Next& next) {
    std::string text;
    if (const auto* pairing = std::get_if<Pairing>(&next)) {
        text = "match " + std::to_string(pairing->match) + " round " +
               std::to_string(pairing->round) + ":";
        for (const auto seat : pairing->seats) text += " " + std::to_string(seat);
    } else if (const auto* bye = std::get_if<Bye>(&next)) {
        text = "bye " + std::to_string(bye->round) + ": " + std::to_string(bye->entrant) + " " +
               std::string(name_of(bye->kind)) + " " + std::to_string(bye->points.in_halves());
    } else {
        text = std::holds_alternative<Schedule::Wait>(next) ? "wait" : "finished";
    }
    return text;
}

Entry late_entry(std::size_t number) {
    Entry entry;
    entry.name = "late" + std::to_string(number);
    entry.team = number % 2 == 0 ? "even" : "odd";
    return entry;
}

std::string made(Schedule& schedule, const Call& call) {
    switch (call.kind) {
        case Call::Kind::next:
            return text_of(schedule.next());
        case Call::Kind::record:
            schedule.record(call.result);
            return "";
        case Call::Kind::withdraw:
            schedule.withdraw(call.entrant, call.round);
            return "";
        case Call::Kind::enter: {
            const auto entrant = schedule.enter(late_entry(call.entrant), call.round);
            return entrant ? std::to_string(*entrant) : "no";
        }
    }
    return "";
}

// Plays a tournament with results in any order, and people coming and going as lots want it.
class Session {
 public:
    Session(const FormatConfig& format, std::size_t bots, std::uint64_t seed)
        : lots_(seed), schedule_(make_schedule(format, field_of(bots), seed)), bots_(bots) {}

    std::vector<Call> play() {
        while (!finished_) {
            take_all();
            if (finished_) break;
            if (lots_.below(6) == 0) leave();
            if (lots_.below(6) == 0) come();
            if (open_.empty()) break;
            tell_one();
        }
        return std::move(calls_);
    }

 private:
    const std::string& call(Call call) {
        call.answer = made(*schedule_, call);
        calls_.push_back(std::move(call));
        return calls_.back().answer;
    }

    void take_all() {
        for (;;) {
            auto next = schedule_->next();
            Call taken;
            taken.answer = text_of(next);
            calls_.push_back(taken);
            if (const auto* pairing = std::get_if<Pairing>(&next)) {
                open_.push_back(*pairing);
                round_ = std::max(round_, pairing->round);
            }
            finished_ = std::holds_alternative<Schedule::Finished>(next);
            if (finished_ || std::holds_alternative<Schedule::Wait>(next)) return;
        }
    }
    void leave() {
        Call gone;
        gone.kind = Call::Kind::withdraw;
        gone.entrant = lots_.below(bots_);
        gone.round = round_ + static_cast<std::uint32_t>(lots_.below(2));
        if (gone.round > 0) call(std::move(gone));
    }
    void come() {
        Call late;
        late.kind = Call::Kind::enter;
        late.entrant = bots_;
        late.round = round_ + static_cast<std::uint32_t>(lots_.below(3));
        if (call(std::move(late)) != "no") ++bots_;
    }
    void tell_one() {
        const auto i = static_cast<std::ptrdiff_t>(lots_.below(open_.size()));
        const auto pairing = open_[static_cast<std::size_t>(i)];
        open_.erase(open_.begin() + i);
        Call told;
        told.kind = Call::Kind::record;
        told.result = result_of(pairing, [this](const Pairing&, std::size_t) {
            return static_cast<double>(lots_.below(3));
        });
        if (lots_.below(8) == 0) told.result.absent[0] = true;
        call(std::move(told));
    }

    rating::Random lots_;
    std::unique_ptr<Schedule> schedule_;
    std::vector<Call> calls_;
    std::vector<Pairing> open_;
    std::size_t bots_;
    std::uint32_t round_ = 0;
    bool finished_ = false;
};

std::vector<FormatConfig> formats() {
    const auto format = [](FormatOptions options) {
        auto config = config_of(std::move(options));
        return config;
    };
    const auto pairs = format(SwissOptions{.rounds = 5});
    const auto apart = format(SwissOptions{.rounds = 5, .keep_teams_apart = true});
    const auto pods = format(SwissOptions{.seats = 4, .seats_min = 3, .rounds = 5});
    const auto table = format(RoundRobinOptions{});
    const auto cup = format(KnockoutOptions{});
    const auto stages = format(StagesOptions{{{.format = pairs}, {.format = cup, .advance = 4}}});
    return {pairs, apart, pods, table, cup, stages};
}

TEST(ScheduleCalls, MadeAgainGiveTheSameAnswers) {
    for (const auto& format : formats()) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const auto calls = Session(format, 11, seed).play();
            EXPECT_EQ(calls.back().answer, "finished") << name_of(format.kind()) << seed;
            const auto again = make_schedule(format, field_of(11), seed);
            for (const auto& call : calls) {
                ASSERT_EQ(made(*again, call), call.answer) << name_of(format.kind()) << seed;
            }
        }
    }
}

// Everybody who is or was there has one line in every round, whoever comes and goes.
TEST(ScheduleCalls, WhoComesAndGoesHasALineInEveryRound) {
    for (const std::size_t seats : {2U, 4U}) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            auto format = formats()[seats == 2 ? 0 : 2];
            const auto calls = Session(format, 11, seed).play();
            std::size_t entrants = 11;
            std::uint32_t rounds = 0;
            std::size_t lines = 0;
            for (const auto& call : calls) {
                if (call.kind == Call::Kind::enter && call.answer != "no") ++entrants;
                if (call.kind == Call::Kind::record) {
                    lines += call.result.seats.size();
                    rounds = std::max(rounds, call.result.round);
                }
                lines += call.answer.starts_with("bye") ? 1 : 0;
            }
            EXPECT_EQ(lines, entrants * rounds) << seats << " " << seed;
        }
    }
}

}  // namespace
}  // namespace referee::formats
