#include "referee/contest/formats/pods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "referee/contest/rating/random.h"
#include "tests/referee/contest/formats/pod_tournament.h"

namespace referee::formats {
namespace {

// Of six rounds of 64 bots in points: 0.46 at most, of two seeds.
constexpr double mean_spread_measured = 0.46;

TEST(Pods, NobodyMeetsTwiceSpreadIsSmallAndSeatsComeOutEven) {
    for (const std::uint64_t seed : {1U, 2U}) {
        PodTournament drawn(64, 4, seed);
        for (int round = 1; round <= 6; ++round) drawn.play(drawn.drawn_pods());
        EXPECT_LE(drawn.mean_spread(), mean_spread_measured);
        EXPECT_GE(drawn.even_share(), 0.99);
        for (int round = 7; round <= 8; ++round) drawn.play(drawn.drawn_pods());
        EXPECT_EQ(drawn.repeats(), 0U);
        EXPECT_GE(drawn.even_share(), 0.9);
    }
}

// Draws one member of each of these pods by lot: for how many seats, on average, none of those
// drawn lacks that seat.
double seats_closed(const PodField& field, const Pods& pods) {
    double sum = 0;
    for (std::size_t seat = 0; seat < field.seats; ++seat) {
        double closed = 1;
        for (const auto& pod : pods) {
            std::size_t had = 0;
            for (std::size_t at = 0; at < pod.size(); ++at)
                had += at == seat || field.seats_had[pod[at]][seat] > 0 ? 1 : 0;
            closed *= static_cast<double>(had) / static_cast<double>(pod.size());
        }
        sum += closed;
    }
    return sum;
}

// In the third round of 64 the four who won both rounds are a pod, and so are those who lost both:
// one of them has a seat again where all four had it. The second round's pods decide how likely
// that is: 0.22 on average where they are any with even seats so far, 0.17 at best.
TEST(Pods, TheSecondRoundThinksOfTheSeatsOfTheThird) {
    constexpr std::uint64_t seeds = 10;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        PodTournament tournament(64, 4, seed);
        tournament.play(tournament.drawn_pods());
        const auto& field = tournament.field();
        Pods best;
        Pods worst;
        for (const auto& pod : tournament.drawn_pods()) {
            const auto points = field.points_halves[pod.front()];
            if (points == 6) best.push_back(pod);
            if (points == 0) worst.push_back(pod);
        }
        ASSERT_EQ(best.size(), 4U);
        ASSERT_EQ(worst.size(), 4U);
        sum += seats_closed(field, best) + seats_closed(field, worst);
    }
    EXPECT_LT(sum / (2 * seeds), 0.2);
}

// The field is so large that exchanges by lot don't come to everybody.
TEST(Pods, NobodyIsForgottenInALargeField) {
    PodTournament tournament(1000, 4, 1);
    for (int round = 1; round <= 3; ++round) tournament.play(tournament.drawn_pods());
    EXPECT_GE(tournament.even_share(), 0.995);
}

TEST(Pods, SizesOfOddFields) {
    struct Case {
        std::size_t entrants;
        std::size_t seats_min;
        std::vector<std::size_t> sizes;
        std::size_t byes;
    };
    for (const auto& [entrants, seats_min, sizes, byes] :
         {Case{8, 4, {4, 4}, 0}, Case{9, 4, {4, 4}, 1}, Case{11, 4, {4, 4}, 3},
          Case{11, 3, {4, 4, 3}, 0}, Case{9, 3, {3, 3, 3}, 0}, Case{10, 3, {4, 3, 3}, 0},
          Case{5, 2, {3, 2}, 0}, Case{5, 3, {4}, 1}, Case{3, 3, {3}, 0}, Case{3, 4, {}, 3},
          Case{6, 2, {3, 3}, 0}, Case{0, 2, {}, 0}}) {
        const auto found = pod_sizes(entrants, 4, seats_min);
        EXPECT_EQ(found.sizes, sizes) << entrants;
        EXPECT_EQ(found.byes, byes) << entrants;
    }
}

// For nineteen there is a second round in which nobody meets anybody again and nobody sits in the
// smaller pod again. For eleven there is none: one of the two must be given up.
TEST(Pods, SmallerPodsAndByesGoRound) {
    for (const std::size_t seats_min : {4U, 3U}) {
        auto field = fresh_pod_field(19, 4);
        field.seats_min = seats_min;
        rating::Random random(4);
        for (std::uint64_t round = 1; round <= 2; ++round) {
            const auto found = pair_pods(field, round);
            std::set<Entrant> seen(found.byes.begin(), found.byes.end());
            for (const auto& pod : found.pods) seen.insert(pod.begin(), pod.end());
            EXPECT_EQ(seen.size(), 19U);
            play_pods(field, found, random);
        }
        EXPECT_LE(*std::ranges::max_element(field.byes), 1U);
        EXPECT_LE(*std::ranges::max_element(field.smaller_pods), 1U);
    }
}

TEST(Pods, WhoDoesNotPlayIsPassedOver) {
    auto field = fresh_pod_field(9, 4);
    field.plays[3] = false;
    const auto found = pair_pods(field, 1);
    EXPECT_EQ(found.pods.size(), 2U);
    EXPECT_TRUE(found.byes.empty());
    for (const auto& pod : found.pods) EXPECT_EQ(std::ranges::count(pod, 3U), 0);
}

TEST(Pods, SameSeedSamePods) {
    const auto field = fresh_pod_field(32, 4);
    EXPECT_EQ(pair_pods(field, 5).pods, pair_pods(field, 5).pods);
    EXPECT_NE(pair_pods(field, 5).pods, pair_pods(field, 6).pods);
}

}  // namespace
}  // namespace referee::formats
