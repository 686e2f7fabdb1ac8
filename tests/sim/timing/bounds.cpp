#include "tests/sim/timing/bounds.h"

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr Duration clearly = 1ms;

}  // namespace

Duration cap_of(const std::string& address) {
    if (address.starts_with("127.")) return 1ms;
    if (address.starts_with("10.")) return 20ms;
    return 250ms;
}

Duration jitter_counts(Duration budget) {
    return std::min<Duration>(25ms, budget / 10);
}

void check_honest(const Judged& judged, Fairness& fairness) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    const auto& traits = judged.line->traits();
    const auto cap = cap_of(traits.address);
    ++fairness.turns;
    fairness.late += charge.late ? 1 : 0;
    if (truth.arrived == Instant{}) {
        EXPECT_GT(truth.thought, judged.budget - 2 * traits.way.jitter) << describe(judged);
        return;
    }
    // What a way took beyond the shortest that was measured, and beyond the cap, is in doubt.
    const auto beyond =
        std::max(truth.way() - std::min(cap, truth.least_measured), Duration(Duration::zero()));
    EXPECT_FALSE(charge.late && truth.thought + beyond <= judged.budget) << describe(judged);
    const bool near_enough = traits.way.round_trip + 2 * traits.way.jitter <= cap;
    const auto jitter = 2 * traits.way.jitter;
    const auto counts = jitter_counts(judged.budget);
    const auto spare = clearly + std::max<Duration>(jitter - counts, 0ms);
    if (near_enough && truth.thought + spare <= judged.budget) {
        ++fairness.clearly_in_time;
        fairness.falsely_late += charge.late ? 1 : 0;
    }
    const auto calls = judged.handed().width();
    EXPECT_LE(charge.charged, truth.thought + truth.way() + calls) << describe(judged);
    if (!charge.late) {
        EXPECT_GE(charge.charged, std::min(judged.budget, truth.thought - jitter))
            << describe(judged);
        EXPECT_LE(truth.thought, judged.budget + counts + jitter + calls) << describe(judged);
    }
    const auto wrong = charge.charged - truth.thought;
    if (charge.doubted == Duration::zero() && !charge.late) {
        fairness.charged_too_much = std::max(fairness.charged_too_much, wrong);
        fairness.charged_too_little = std::max(fairness.charged_too_little, -wrong);
    }
    if (truth.thought <= judged.budget || truth.segment <= unknown_lines) return;
    if (charge.late) {
        ++fairness.known_late;
        return;
    }
    ++fairness.passed;
    fairness.passed_by = std::max(fairness.passed_by, truth.thought - judged.budget);
}

void check_moments(const Judged& judged, Duration call_most, Moments& moments) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    ++moments.turns;
    moments.in_doubt += charge.doubted > Duration::zero() ? 1 : 0;
    if (truth.arrived == Instant{}) {
        ++moments.truly_late;
        EXPECT_TRUE(charge.late) << describe(judged);
        return;
    }
    const auto over = truth.wall() - truth.least_measured - judged.budget;
    moments.truly_late += over > Duration::zero() ? 1 : 0;
    if (over <= Duration::zero()) {
        EXPECT_FALSE(charge.late) << describe(judged);
        EXPECT_TRUE(judged.answered) << describe(judged);
    } else if (!charge.late) {
        ++moments.passed;
        const auto deadline = judged.handed().latest + judged.budget + truth.least_measured;
        EXPECT_FALSE(judged.line->was_emptied(deadline + call_most, truth.arrived))
            << describe(judged);
    }
    // A silent bot is charged up to the look at its deadline.
    const auto end = charge.late ? judged.told : truth.read;
    EXPECT_LE(charge.charged, end - judged.handed().earliest) << describe(judged);
    if (charge.late) return;
    EXPECT_GE(charge.charged, std::min(judged.budget, truth.wall() - charge.allowed))
        << describe(judged);
}

}  // namespace tests::sim::timing
