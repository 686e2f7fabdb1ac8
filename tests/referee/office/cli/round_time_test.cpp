// How long a round takes, beside simulations that know nothing of how it is worked out: each looks
// at all places again whenever something ends, and jobs are filled by what fills them in a run.

#include "referee/office/cli/round_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <string>

#include "protocol/base/split_mix.h"
#include "referee/office/machines/batching.h"

namespace referee::cli {
namespace {

constexpr double rounding = 1e-6;

std::vector<double> random_lengths(base::SplitMix& lots, std::size_t count, std::uint64_t most_ms) {
    std::vector<double> lengths(count);
    for (auto& length : lengths) length = 1e-3 * static_cast<double>(lots.between(1, most_ms));
    return lengths;
}

// Each place in turn is asked whether it is the first to be free.
double played_one_by_one(const std::vector<double>& lengths, std::size_t places) {
    std::vector<double> free_at(places, 0);
    for (const auto length : lengths) *std::min_element(free_at.begin(), free_at.end()) += length;
    return *std::max_element(free_at.begin(), free_at.end());
}

// The best that any plan could do: all ways to give matches to places are tried.
double best_of_all_plans(const std::vector<double>& lengths, std::size_t places) {
    std::vector<double> loads(places, 0);
    double best = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    const std::function<void(std::size_t)> place = [&](std::size_t i) {
        if (i == lengths.size()) {
            best = std::min(best, *std::max_element(loads.begin(), loads.end()));
            return;
        }
        for (auto& load : loads) {
            load += lengths[i];
            place(i + 1);
            load -= lengths[i];
        }
    };
    place(0);
    return best;
}

// A coordinator's day, with its own Batching.
double played_by_jobs(const std::vector<double>& lengths, const JobPool& pool) {
    struct Out {
        double end = 0;
        double took = 0;
        std::size_t matches = 0;
    };
    std::deque<scheduler::Errand> waiting(lengths.size());
    for (auto& errand : waiting)
        errand.games.push_back({{.key = {"t", 1, 1, 1}, .entrants = {}}, {}});
    machines::Batching batching(pool.cores);
    if (pool.known) {
        const std::vector<std::string> many(machines::matches_of_job_most, "t");
        batching.learn(many, duration_of(*pool.known * static_cast<double>(many.size())));
    }
    std::vector<Out> out;
    std::size_t given = 0;
    double now = 0;
    do {
        for (auto places = pool.jobs_at_once - out.size(); places > 0 && !waiting.empty();
             --places) {
            const auto count = batching.next(waiting, places);
            const std::vector<double> its(
                lengths.begin() + static_cast<std::ptrdiff_t>(given),
                lengths.begin() + static_cast<std::ptrdiff_t>(given + count));
            waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
            given += count;
            const auto took = played_one_by_one(its, pool.lanes);
            out.push_back({now + took + pool.job_costs, took, count});
        }
        const auto next = std::min_element(
            out.begin(), out.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
        now = next->end;
        for (std::size_t i = 0; i < out.size();) {
            if (out[i].end > now) {
                ++i;
                continue;
            }
            batching.learn(std::vector<std::string>(out[i].matches, "t"), duration_of(out[i].took));
            out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
        }
    } while (!out.empty() || !waiting.empty());
    return now;
}

TEST(RoundTime, IsThatOfMatchesThatArePlayedOneByOne) {
    base::SplitMix lots(1);
    for (int i = 0; i < 300; ++i) {
        const auto lengths = random_lengths(lots, 1 + lots.below(60), 20'000);
        const auto places = 1 + lots.below(12);
        EXPECT_NEAR(list_makespan(lengths, places), played_one_by_one(lengths, places), rounding)
            << lengths.size() << " matches at " << places << " places";
    }
}

// Graham's bound: no order of giving matches out loses more.
TEST(RoundTime, IsNeverTwiceThatOfTheBestPlan) {
    base::SplitMix lots(2);
    for (int i = 0; i < 60; ++i) {
        const auto lengths = random_lengths(lots, 2 + lots.below(7), 9'000);
        const auto places = 2 + lots.below(2);
        const auto best = best_of_all_plans(lengths, places);
        const auto told = list_makespan(lengths, places);
        EXPECT_GE(told, best - rounding);
        EXPECT_LE(told, (2 - 1 / static_cast<double>(places)) * best + rounding);
    }
}

TEST(RoundTime, JobsAreFilledAsInARun) {
    base::SplitMix lots(3);
    for (int i = 0; i < 120; ++i) {
        JobPool pool;
        pool.jobs_at_once = 1 + lots.below(9);
        pool.cores = 1 + lots.below(3);
        pool.lanes = lots.chance(50) ? 1 : pool.cores;
        pool.job_costs = 1e-3 * static_cast<double>(lots.below(9'000));
        const auto most_ms = lots.chance(50) ? 5'000 : 200'000;
        if (lots.chance(50)) pool.known = 1e-3 * static_cast<double>(most_ms) / 2;
        const auto lengths = random_lengths(lots, 1 + lots.below(400), most_ms);
        EXPECT_NEAR(jobs_makespan(lengths, pool), played_by_jobs(lengths, pool), rounding)
            << lengths.size() << " matches, " << pool.jobs_at_once << " jobs of " << pool.cores;
    }
}

RoundLoad load_of_alike(std::size_t matches, double seconds) {
    return {matches, {seconds, seconds}, matches, 0};
}

TEST(RoundTime, OfMatchesThatAreAlikeIsKnown) {
    TournamentLoad load;
    // More than are gone through one by one: whole waves of them are left out.
    for (const std::size_t matches : {1U, 7U, 64U, 1'000U, 12'345U}) {
        load.rounds = {load_of_alike(matches, 3), load_of_alike(matches, 3)};
        for (const std::size_t cores : {1U, 3U, 8U, 64U}) {
            const auto waves = (matches + cores - 1) / cores;
            EXPECT_NEAR(in_seconds(time_of(load, {cores, cores})),
                        2.0 * 3.0 * static_cast<double>(waves), rounding)
                << matches << " on " << cores;
        }
    }
}

TEST(RoundTime, WaitsForTheLongestOfItsMatches) {
    TournamentLoad load;
    load.spread.clear();
    for (int i = 0; i < 1000; ++i) load.spread.push_back((2.0 * i + 1) / 1000);
    for (const std::size_t matches : {2U, 5U, 16U, 50U}) {
        load.rounds = {load_of_alike(matches, 10)};
        const auto n = static_cast<double>(matches);
        // Of n numbers that are drawn evenly from 0 to 1 the largest is n / (n + 1) on average.
        const auto longest = 20 * n / (n + 1);
        EXPECT_NEAR(in_seconds(time_of(load, {matches, matches})), longest, 0.03 * longest);
        EXPECT_NEAR(in_seconds(time_of(load, {1, 1})), 10 * n, rounding * n);
    }
}

TEST(RoundTime, IsNotLessThanItsWorkNorThanItsBusiestBot) {
    TournamentLoad load;
    load.rounds = {{10, {3, 12}, 10, 0}};  // four bots think at once
    EXPECT_EQ(time_of(load, {10, 2}), std::chrono::seconds(60));
    EXPECT_EQ(time_of(load, {10, 40}), std::chrono::seconds(3));
    load.rounds = {{10, {3, 3}, 5, 27}};
    EXPECT_EQ(time_of(load, {10, 10}), std::chrono::seconds(27));
    EXPECT_EQ(time_of(load, {2, 2}), std::chrono::seconds(27));
    EXPECT_EQ(time_of(load, {1, 1}), std::chrono::seconds(30));
    // Each in a job of its own a bot plays them all at the same time.
    EXPECT_EQ(time_of(load, {10, 10, 1}), std::chrono::seconds(3));
}

TEST(RoundTime, OfVeryManyMatchesByJobsIsTheirWorkAndWhatJobsCost) {
    TournamentLoad load;
    load.job_costs = std::chrono::seconds(6);
    load.rounds = {load_of_alike(500'000, 30)};
    // Six matches fit into three minutes, and each job costs six seconds more.
    const auto fluid = 500'000 / 6.0 * 186 / 2000;
    EXPECT_NEAR(in_seconds(time_of(load, {2000, 2000, 1})), fluid, 0.02 * fluid);
}

}  // namespace
}  // namespace referee::cli
