// The longest pause of the referee's loop while standings are drawn up and written: by the loop
// itself, and by the publisher beside it. A pause is how much later than asked a timer of the loop
// rings; beside it stands the time that the loop's own thread was at work in one go, which a busy
// machine lengthens less. What the machine itself does to a loop shows in a third row, in which
// another thread writes and the loop does nothing but ring.

#include <time.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engines/registry.h"
#include "referee/contest/formats/ladder.h"
#include "referee/daemon/host/publisher.h"
#include "referee/net/loop/background_thread.h"
#include "referee/net/loop/system_timers.h"
#include "referee/report/output_folder.h"

namespace {

using namespace std::chrono_literals;
using namespace referee;

constexpr Duration ring_every = 200us;
constexpr std::uint32_t swiss_rounds = 11;
constexpr int rounds = 9;

Duration thread_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

struct Size {
    std::size_t bots = 0;
    formats::FormatKind format;
    std::size_t matches_most = SIZE_MAX;  // of formats without an end
};

// A tournament that is played to its end: a lot says who wins a game.
std::unique_ptr<contests::Contest> played(const Size& size, const engines::Registry& games) {
    const auto bots = size.bots;
    config::TournamentConfig config;
    config.id = "t";
    config.game = "walls";
    config.setups = {R"({"size":3,"first":0})"};
    config.format.options = formats::options_of(size.format);
    if (auto* swiss = std::get_if<formats::SwissOptions>(&config.format.options))
        swiss->rounds = swiss_rounds;
    config.tie_breaks = {standings::TieBreak::points, standings::TieBreak::buchholz,
                         standings::TieBreak::sonneborn_berger};
    std::vector<formats::Entry> field(bots);
    for (std::size_t i = 0; i < bots; ++i) {
        field[i].name = "bot" + std::to_string(i);
        config.bots.push_back(i);
    }
    auto contest = std::make_unique<contests::Contest>(config, *games.find("walls"));
    contest->begin(field, "{}", "bench");
    std::uint64_t lot = 1;
    while (contest->matches_played() < size.matches_most) {
        if (size.format == formats::FormatKind::ladder) {
            std::vector<formats::Entrant> free;
            for (formats::Entrant entrant = 0; entrant < bots; ++entrant) {
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
        result.reason = "ended by the game's rules";
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
    explicit Watch(loop::Timers& timers) : timers_(timers) { ring_at(timers.now()); }

    void end() { timers_.cancel(timer_); }
    const Pause& worst() const { return worst_; }

 private:
    void ring_at(Instant at) {
        timer_ = timers_.schedule(at, [this, at] {
            const auto worked = thread_time();
            worst_.late = std::max(worst_.late, timers_.now() - at);
            if (worked_ != Duration{}) worst_.busy = std::max(worst_.busy, worked - worked_);
            worked_ = worked;
            ring_at(timers_.now() + ring_every);
        });
    }

    loop::Timers& timers_;
    loop::Timers::Id timer_ = 0;
    Duration worked_{};
    Pause worst_;
};

double in_ms(Duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

// A loop with what writes beside it.
struct House {
    boost::asio::io_context loop{1};
    loop::SystemTimers timers{loop.get_executor()};
    loop::BackgroundThread standings{loop.get_executor()};
    loop::BackgroundThread files{loop.get_executor()};

    // `start` is to begin writing; it is told what to call when all is written.
    Pause pause_while(const std::function<void(std::function<void()> written)>& start) {
        Watch watch(timers);
        timers.schedule(timers.now() + 20ms, [&] {
            start([&] { timers.schedule(timers.now() + 5ms, [&] { loop.stop(); }); });
        });
        loop.restart();
        loop.run();
        watch.end();
        return watch.worst();
    }
};

// Of several rounds: one in the middle, and the worst.
struct Pauses {
    Pause usual;
    Pause worst;
};

Pauses sum_of(const std::vector<Pause>& each) {
    const auto sorted = [&](Duration Pause::*part) {
        std::vector<Duration> all;
        for (const auto& one : each) all.push_back(one.*part);
        std::sort(all.begin(), all.end());
        return all;
    };
    const auto late = sorted(&Pause::late);
    const auto busy = sorted(&Pause::busy);
    const auto middle = each.size() / 2;
    return {{late[middle], busy[middle]}, {late.back(), busy.back()}};
}

void tell(const char* what, const Pauses& pauses) {
    std::printf("    %-34s late %8.2f ms, at most %8.2f; at work %8.2f, at most %8.2f\n", what,
                in_ms(pauses.usual.late), in_ms(pauses.worst.late), in_ms(pauses.usual.busy),
                in_ms(pauses.worst.busy));
}

void bench(const Size& size, const std::string& path, const engines::Registry& games) {
    const auto contest = played(size, games);
    const report::OutputFolder folder(path, true);
    const auto fail = [](const std::string& message) {
        std::fprintf(stderr, "pause_bench: %s\n", message.c_str());
        std::exit(EXIT_FAILURE);
    };
    const auto write = [&](const report::Ledger& ledger) {
        if (const auto written = folder.write_standings(ledger); !written) fail(written.error());
    };
    if (const auto made = folder.prepare({{"t"}}); !made) fail(made.error());
    House house;
    std::vector<Pause> on_it;
    std::vector<Pause> beside;
    std::vector<Pause> unasked;
    Duration took{};
    const auto ledger = report::ledger_of(contest->snapshot());
    for (int round = 0; round < rounds; ++round) {
        on_it.push_back(house.pause_while([&](const auto& written) {
            write(report::ledger_of(contest->snapshot()));
            written();
        }));
        daemon::Publisher publisher(
            folder, house.timers, daemon::Publisher::Beside{house.standings, house.files},
            [&](const std::string&) { return contest->snapshot(); }, fail);
        beside.push_back(house.pause_while([&](const auto& written) {
            const auto begun = house.timers.now();
            publisher.standings("t");
            publisher.when_written([&, written, begun] {
                took = std::max(took, house.timers.now() - begun);
                written();
            });
        }));
        unasked.push_back(house.pause_while(
            [&](const auto& written) { house.standings.run([&] { write(ledger); }, written); }));
    }
    std::printf("%s of %zu bots, %zu matches; written in %.2f ms at most\n",
                std::string(formats::name_of(size.format)).c_str(), size.bots,
                contest->results().size(), in_ms(took));
    tell("written by the loop itself:", sum_of(on_it));
    tell("by the publisher beside it:", sum_of(beside));
    tell("by a thread it knows nothing of:", sum_of(unasked));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: pause_bench FOLDER\n");
        return EXIT_FAILURE;
    }
    const engines::Registry games;
    std::printf("the loop's longest pause while standings are written, %d times each:\n", rounds);
    using Kind = formats::FormatKind;
    for (const auto& size :
         {Size{30, Kind::round_robin}, Size{200, Kind::round_robin}, Size{1000, Kind::swiss},
          Size{1000, Kind::knockout}, Size{1000, Kind::ladder, formats::ladder_matches_kept}})
        bench(size, argv[1], games);
    return EXIT_SUCCESS;
}
