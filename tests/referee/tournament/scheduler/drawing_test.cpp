// Rounds that are drawn beside the loop, on a real thread. Nobody who looks at the contest
// meanwhile touches what that thread uses.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "referee/tournament/scheduler/scheduler.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using referee::contests::ContestSnapshot;
using referee::formats::FormatKind;
using referee::loop::Background;

// Work on a thread; the test says when the loop hears that it is done.
class ThreadBeside final : public Background {
 public:
    ~ThreadBeside() override { wait(); }
    ThreadBeside() = default;
    ThreadBeside(const ThreadBeside&) = delete;
    ThreadBeside& operator=(const ThreadBeside&) = delete;

    void run(Work work, Work done) override {
        if (before_work) before_work();
        ++pieces;
        done_ = std::move(done);
        worked_ = false;
        thread_ = std::thread([this, work = std::move(work)] {
            work();
            worked_.store(true, std::memory_order_relaxed);
        });
    }
    bool working() const { return thread_.joinable(); }
    bool worked() const { return worked_.load(std::memory_order_relaxed); }
    void wait() {
        if (thread_.joinable()) thread_.join();
    }
    void deliver() {
        wait();
        std::exchange(done_, nullptr)();
    }

    std::function<void()> before_work;
    int pieces = 0;

 private:
    std::thread thread_;
    std::atomic<bool> worked_ = false;
    Work done_;
};

// Two stages of a round each, with more entrants than are drawn on the loop.
struct LargeHall {
    explicit LargeHall(FormatKind second) {
        auto& stages = hall.config.format.options.emplace<referee::formats::StagesOptions>().stages;
        stages.resize(2);
        const referee::formats::SwissOptions swiss{.rounds = 1};
        stages[0].format.options = swiss;
        stages[1].format.options = swiss;
        if (second != FormatKind::swiss)
            stages[1].format.options = referee::formats::options_of(second);
        hall.games_at_once = 100;
        hall.beside = &beside;
        for (std::size_t i = 0; i <= referee::scheduler::field_drawn_on_the_loop_max; ++i) {
            names.push_back("bot" + std::to_string(i));
            players.push_back(&hall.room.log_in(names.back()));
        }
    }
    ContestSnapshot contest() const { return hall.contest(); }

    ThreadBeside beside;
    SchedulerFixture hall;
    std::vector<std::string> names;
    std::vector<ScriptedBot*> players;
};

class DrawingBeside : public ::testing::TestWithParam<FormatKind> {};

TEST_P(DrawingBeside, DoesNotShowBeforeTheLoopTakesItIn) {
    LargeHall at(GetParam());
    std::optional<std::vector<std::size_t>> before;
    at.beside.before_work = [&] {
        before = at.hall.scheduler == nullptr ? std::nullopt : at.contest().places();
    };
    at.hall.start(at.names);
    for (int i = 0; i < 10'000 && !at.hall.ending; ++i) {
        at.hall.play_on(10ms, at.players);
        while (at.beside.working()) {
            const bool worked = at.beside.worked();
            ASSERT_EQ(at.contest().places(), before);
            ASSERT_EQ(at.contest().ended_early, "");
            ASSERT_FALSE(at.contest().over);
            if (worked) at.beside.deliver();
        }
    }
    ASSERT_TRUE(at.hall.ending);
    EXPECT_EQ(at.hall.ending->kind, SchedulerEnding::Kind::finished);
    EXPECT_GE(at.beside.pieces, 3);
}

TEST_P(DrawingBeside, IsNotTakenInOnceTheSchedulerIsGone) {
    LargeHall at(GetParam());
    at.hall.start(at.names);
    for (int i = 0; i < 10'000 && at.beside.pieces < 2; ++i) {
        at.hall.play_on(10ms, at.players);
        if (at.beside.working() && at.beside.pieces < 2) at.beside.deliver();
    }
    ASSERT_EQ(at.beside.pieces, 2) << "the second stage is being drawn";
    at.hall.scheduler.reset();  // as when the journal has failed
    at.beside.deliver();
}

INSTANTIATE_TEST_SUITE_P(Stages, DrawingBeside,
                         ::testing::Values(FormatKind::swiss, FormatKind::knockout),
                         [](const auto& tested) {
                             return tested.param == FormatKind::swiss ? "swiss" : "knockout";
                         });

}  // namespace
}  // namespace tests::sim
