// The longest pause of the referee's loop while standings are drawn up and written: by the loop
// itself, and by the publisher beside it. A pause is how much later than asked a timer of the loop
// rings; beside it stands the time that the loop's own thread was at work in one go, which a busy
// machine doesn't lengthen.

#include <time.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "engines/registry.h"
#include "referee/connections/runtime/background_thread.h"
#include "referee/connections/runtime/system_timers.h"
#include "referee/contests/tournament/ladder.h"
#include "referee/office/report/contest_ledger.h"
#include "referee/office/run/publisher.h"

namespace {

using namespace std::chrono_literals;
using namespace referee;

constexpr Duration ring_every = 200us;
constexpr std::uint32_t swiss_rounds = 11;

Duration thread_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

struct Size {
    std::size_t bots = 0;
    tournament::FormatKind format;
    std::size_t matches_most = SIZE_MAX;  // of formats without an end
};

// A tournament that is played to its end: a lot says who wins a game.
std::unique_ptr<scheduler::Contest> played(const Size& size, const engines::Registry& games) {
    const auto bots = size.bots;
    config::TournamentConfig config;
    config.id = "t";
    config.game = "walls";
    config.setups = {R"({"size":3,"first":0})"};
    config.format.kind = size.format;
    config.format.rounds = swiss_rounds;
    config.tie_breaks = {standings::TieBreak::points, standings::TieBreak::buchholz,
                         standings::TieBreak::sonneborn_berger};
    std::vector<tournament::Entry> field(bots);
    for (std::size_t i = 0; i < bots; ++i) {
        field[i].name = "bot" + std::to_string(i);
        config.bots.push_back(i);
    }
    auto contest = std::make_unique<scheduler::Contest>(config, *games.find("walls"));
    contest->begin(field, "{}", "bench");
    contest->set_state(journal::TournamentState::running, "started");
    std::uint64_t lot = 1;
    while (contest->matches_played() < size.matches_most) {
        if (size.format == tournament::FormatKind::ladder) {
            std::vector<scheduler::Entrant> free;
            for (scheduler::Entrant entrant = 0; entrant < bots; ++entrant) {
                if (!contest->in_match(entrant)) free.push_back(entrant);
            }
            contest->offer(std::move(free), bots);
        }
        contest->draw(bots);
        contest->committed(contest->changes());
        if (contest->waiting().empty()) break;
        const auto plan = contest->take(0);
        lot = lot * 6364136223846793005U + 1442695040888963407U;
        const bool first = (lot >> 33U) % 100 < 30 + 40 * plan.entrants[1] / bots;
        GameResult result;
        result.key = plan.key;
        result.turns = 10;
        result.reason = "played to the end";
        result.outcome.scores = {engines::Score::whole(first ? 1 : 0),
                                 engines::Score::whole(first ? 0 : 1)};
        result.outcome.placing = engines::placing_by_score(result.outcome.scores);
        result.outcome.detail = "{}";
        result.used_us = {1000, 1000};
        contest->finished(result);
        contest->committed(contest->changes());
    }
    return contest;
}

struct Pause {
    Duration late{};  // a ring
    Duration busy{};  // the loop's thread, between two rings
};

// Rings again and again until `over`, and keeps the longest pauses.
class Watch {
 public:
    explicit Watch(runtime::Timers& timers) : timers_(timers) { ring_at(timers.now()); }

    const Pause& worst() const { return worst_; }

 private:
    void ring_at(Instant at) {
        timers_.schedule(at, [this, at] {
            const auto worked = thread_time();
            worst_.late = std::max(worst_.late, timers_.now() - at);
            if (worked_ != Duration{}) worst_.busy = std::max(worst_.busy, worked - worked_);
            worked_ = worked;
            ring_at(timers_.now() + ring_every);
        });
    }

    runtime::Timers& timers_;
    Duration worked_{};
    Pause worst_;
};

double in_ms(Duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

// `start` is to begin writing; it is told what to call when all is written.
Pause measured(const std::function<void(boost::asio::io_context&, runtime::Timers&,
                                        std::function<void()> written)>& start) {
    boost::asio::io_context loop(1);
    runtime::SystemTimers timers(loop.get_executor());
    Watch watch(timers);
    timers.schedule(timers.now() + 20ms, [&] {
        start(loop, timers, [&] { timers.schedule(timers.now() + 5ms, [&] { loop.stop(); }); });
    });
    loop.run();
    return watch.worst();
}

void bench(const Size& size, const std::string& path, const engines::Registry& games) {
    const auto contest = played(size, games);
    const report::OutputFolder folder(path, true);
    const auto fail = [](const std::string& message) {
        std::fprintf(stderr, "pause_bench: %s\n", message.c_str());
        std::exit(EXIT_FAILURE);
    };
    if (const auto wrong = folder.prepare({"t"})) fail(*wrong);
    std::unique_ptr<runtime::BackgroundThread> standings;
    std::unique_ptr<runtime::BackgroundThread> files;
    std::unique_ptr<run::Publisher> publisher;
    Duration took{};
    const auto after = measured([&](auto& loop, auto& timers, const auto& written) {
        standings = std::make_unique<runtime::BackgroundThread>(loop.get_executor());
        files = std::make_unique<runtime::BackgroundThread>(loop.get_executor());
        publisher = std::make_unique<run::Publisher>(
            folder, timers, run::Publisher::Beside{*standings, *files},
            [&](const std::string&) { return contest->snapshot(); }, fail);
        publisher->standings("t");
        publisher->when_written([&, written, begun = timers.now()] {
            took = timers.now() - begun;
            publisher.reset();
            standings.reset();
            files.reset();
            written();
        });
    });
    const auto before = measured([&](auto&, auto&, const auto& written) {
        if (const auto wrong = folder.write_standings(report::ledger_of(contest->snapshot())))
            fail(*wrong);
        written();
    });
    std::printf(
        "%-11s %5zu bots, %6zu matches: on the loop %9.2f ms (at work %9.2f), beside it %6.2f ms "
        "(at work %6.2f), written in %9.2f ms\n",
        std::string(tournament::name_of(size.format)).c_str(), size.bots, contest->results().size(),
        in_ms(before.late), in_ms(before.busy), in_ms(after.late), in_ms(after.busy), in_ms(took));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: pause_bench FOLDER\n");
        return EXIT_FAILURE;
    }
    const engines::Registry games;
    std::printf("the loop's longest pause while standings are written, one round of them:\n");
    using Kind = tournament::FormatKind;
    for (const auto& size :
         {Size{30, Kind::round_robin}, Size{200, Kind::round_robin}, Size{1000, Kind::swiss},
          Size{1000, Kind::knockout}, Size{1000, Kind::ladder, tournament::ladder_matches_kept}})
        bench(size, argv[1], games);
    return EXIT_SUCCESS;
}
