#include "referee/office/cli/round_time.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>

#include "protocol/base/split_mix.h"
#include "referee/office/machines/batching.h"

namespace referee::cli {
namespace {

// As many lengths are drawn in all for a round, at least: the mean of rounds that were played as
// often as that takes.
constexpr std::size_t draws_least = 4096;
// Where so many matches follow one another at each place, only so many at the end are gone through:
// those before keep all places busy.
constexpr std::size_t waves_most = 64;
constexpr std::size_t waves_kept = 32;
// Another number for each round of a tournament would make rounds differ that are alike.
constexpr std::uint64_t seed_of_draws = 1;
// How Batching smooths what it learns.
constexpr double weight_of_last_job = 0.3;
constexpr double seconds_least = 1e-3;
// A hundred years: far from overflow.
constexpr double seconds_most = 100.0 * 365 * 24 * 3600;

using Ends = std::priority_queue<double, std::vector<double>, std::greater<>>;

// What jobs hold, as Batching learns it from those of one tournament.
class JobSize {
 public:
    JobSize(std::size_t cores, std::optional<double> known)
        : cores_(cores),
          seconds_(known.value_or(0)),
          largest_(known ? machines::matches_of_job_most : 0) {}

    void learn(std::size_t matches, double took) {
        const auto each = std::max(seconds_least, took / static_cast<double>(matches));
        seconds_ = largest_ == 0 ? each : seconds_ + weight_of_last_job * (each - seconds_);
        largest_ = std::max(largest_, matches);
    }
    std::size_t fitting() const {
        return largest_ == 0 ? cores_
                             : fitting(seconds_, std::min(machines::matches_of_job_most,
                                                          machines::growth_most * largest_));
    }
    static std::size_t fitting(double each, std::size_t most) {
        const auto fit = in_seconds(machines::job_time_aimed) / each;
        return std::clamp<std::size_t>(static_cast<std::size_t>(fit), 1, most);
    }
    std::size_t next(std::size_t waiting, std::size_t places) const {
        return std::min((waiting + places - 1) / places, fitting());
    }

 private:
    std::size_t cores_;
    double seconds_;       // that a match costs a job
    std::size_t largest_;  // job that was measured
};

struct OutJob {
    double end = 0;
    std::size_t matches = 0;
    double took = 0;
    bool operator>(const OutJob& other) const { return end > other.end; }
};

double job_time(std::span<const double> lengths, const JobPool& pool) {
    const auto work = std::accumulate(lengths.begin(), lengths.end(), 0.0) * pool.work_share;
    return std::max(list_makespan(lengths, pool.lanes), work / static_cast<double>(pool.cores));
}

std::vector<double> drawn_lengths(std::size_t count, double mean, std::span<const double> spread) {
    base::SplitMix lots(seed_of_draws);
    std::vector<double> lengths(count);
    for (auto& length : lengths) length = spread[lots.below(spread.size())];
    const auto sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    const auto scale = sum > 0 ? mean * static_cast<double>(count) / sum : 0;
    for (auto& length : lengths) length *= scale;
    return lengths;
}

// The mean time of rounds of so many matches, some of which are left out as whole waves, each of
// which takes so long.
template <typename Makespan>
double mean_round(const RoundLoad& round, std::span<const double> spread, std::size_t wave,
                  double wave_time, const Makespan& makespan) {
    std::size_t left_out = 0;
    if (round.matches > waves_most * wave) left_out = (round.matches - waves_kept * wave) / wave;
    const auto matches = round.matches - left_out * wave;
    const auto times = spread.size() == 1 ? 1 : std::max<std::size_t>(1, draws_least / matches);
    const auto lengths = drawn_lengths(times * matches, round.match.span, spread);
    double sum = 0;
    for (std::size_t i = 0; i < times; ++i)
        sum += makespan(std::span(lengths).subspan(i * matches, matches));
    return sum / static_cast<double>(times) + static_cast<double>(left_out) * wave_time;
}

double time_here(const RoundLoad& round, const Machine& machine, std::span<const double> spread) {
    const auto places =
        std::max<std::size_t>(1, std::min(machine.games_at_once, round.together_most));
    const auto by_places =
        mean_round(round, spread, places, round.match.span,
                   [places](std::span<const double> all) { return list_makespan(all, places); });
    const auto by_cores =
        static_cast<double>(round.matches) * round.match.work / static_cast<double>(machine.cores);
    return std::max({by_places, by_cores, round.busiest});
}

double time_of_jobs(const RoundLoad& round, const Machine& machine, std::span<const double> spread,
                    double job_costs, bool first) {
    JobPool pool;
    pool.cores = *machine.job_cores;
    pool.jobs_at_once = std::max<std::size_t>(1, machine.cores / pool.cores);
    pool.lanes = std::min(pool.cores, round.together_most);
    pool.work_share = round.match.span > 0 ? round.match.work / round.match.span : 0;
    pool.job_costs = job_costs;
    const auto each = std::max({seconds_least, round.match.span / static_cast<double>(pool.lanes),
                                round.match.work / static_cast<double>(pool.cores)});
    if (!first) pool.known = each;
    const auto fit = JobSize::fitting(each, machines::matches_of_job_most);
    const auto wave_time = static_cast<double>(fit) * each + job_costs;
    return mean_round(round, spread, pool.jobs_at_once * fit, wave_time,
                      [&pool](std::span<const double> all) { return jobs_makespan(all, pool); });
}

}  // namespace

Machine with_cores(const Machine& machine, std::size_t cores) {
    if (machine.job_cores) return {cores, cores, machine.job_cores};
    return {std::max(machine.games_at_once, cores), cores, {}};
}

double list_makespan(std::span<const double> lengths, std::size_t places) {
    Ends ends;
    double last = 0;
    for (const auto length : lengths) {
        double begin = 0;
        if (ends.size() >= places) {
            begin = ends.top();
            ends.pop();
        }
        ends.push(begin + length);
        last = std::max(last, begin + length);
    }
    return last;
}

double jobs_makespan(std::span<const double> lengths, const JobPool& pool) {
    std::priority_queue<OutJob, std::vector<OutJob>, std::greater<>> out;
    JobSize size(pool.cores, pool.known);
    double now = 0;
    std::size_t given = 0;
    for (;;) {
        while (out.size() < pool.jobs_at_once && given < lengths.size()) {
            const auto count = size.next(lengths.size() - given, pool.jobs_at_once - out.size());
            const auto took = job_time(lengths.subspan(given, count), pool);
            out.push({now + took + pool.job_costs, count, took});
            given += count;
        }
        if (out.empty()) return now;
        // Results that are there at the same time are read together, before places are filled.
        now = out.top().end;
        while (!out.empty() && out.top().end <= now) {
            size.learn(out.top().matches, out.top().took);
            out.pop();
        }
    }
}

double in_seconds(Duration time) {
    return std::chrono::duration<double>(time).count();
}

Duration duration_of(double seconds) {
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(seconds, seconds_most)));
}

Duration time_of(const TournamentLoad& load, const Machine& machine) {
    double sum = in_seconds(load.before);
    const RoundLoad* before = nullptr;
    bool first = true;
    double last = 0;
    for (const auto& round : load.rounds) {
        if (round.matches == 0) continue;
        // Rounds of a Swiss are mostly alike.
        const bool again = before != nullptr && round == *before && !first;
        first = before == nullptr;
        if (!again)
            last = machine.job_cores ? time_of_jobs(round, machine, load.spread,
                                                    in_seconds(load.job_costs), first)
                                     : time_here(round, machine, load.spread);
        before = &round;
        sum += last;
    }
    return duration_of(sum);
}

}  // namespace referee::cli
