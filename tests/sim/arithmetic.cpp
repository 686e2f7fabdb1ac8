#include "tests/sim/arithmetic.h"

#include <algorithm>
#include <sstream>

#include "referee/limits.h"

namespace tests::sim {
namespace {

using referee::FaultCode;
using referee::clock::ClockKind;

// The rule of the clock in one place, written down again on purpose.
struct Verdict {
    Duration charged{};
    bool late = false;  // or the flag has fallen
};

Verdict verdict(const referee::clock::ClockConfig& clock, const SeenTurn& turn, Duration budget) {
    const auto wall = *turn.answered - turn.sent;
    const auto path = clock.allowance ? std::min(turn.round_trip, clock.allowance_max) : Duration::zero();
    auto allowed = clock.measure == referee::clock::Measure::cpu ? Duration::zero() : std::min(path, wall);
    if (clock.kind != ClockKind::none) allowed = std::min(allowed, budget);
    Verdict verdict;
    verdict.charged = wall - allowed;
    verdict.late = wall > clock.hard_limit + std::min(path, clock.hard_limit);
    if (clock.kind != ClockKind::none) verdict.late = verdict.late || verdict.charged > budget;
    return verdict;
}

}  // namespace

void check_charges(const Evidence& evidence, const referee::journal::GameRecord& game, RunReport& report) {
    const auto& clock = evidence.plan.tournament.clock;
    const auto& result = game.result;
    if (evidence.plan.stalls > 0 || !counts(result.status)) return;
    const auto id = game_id(result.key);
    std::vector<Json> turns;
    std::istringstream lines(game.replay);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(R"({"moves":)")) turns.push_back(Json::parse(line));
    }
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        const auto faults = std::count_if(result.faults.begin(), result.faults.end(), [seat](const auto& fault) { return fault.seat == seat; });
        const bool all_kept = static_cast<std::size_t>(faults) < referee::limits::faults_kept_max;
        auto remaining = clock.budget;
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i + 1);
            const auto seen = evidence.seen.find(std::tuple(result.bots[seat], id, number));
            if (seen == evidence.seen.end()) continue;
            const auto blamed = std::any_of(result.faults.begin(), result.faults.end(), [&](const auto& fault) {
                return fault.seat == seat && fault.turn == number && fault.rule.starts_with("clock.");
            });
            ++report.races;
            const auto where = id + " turn " + std::to_string(number) + " seat " + std::to_string(seat);
            if (!seen->second.answered) {
                if (all_kept && !blamed) report.complaints.push_back(where + ": nothing arrived, and nobody is blamed");
                break;
            }
            const auto expected = verdict(clock, seen->second, clock.kind == ClockKind::game ? std::max(remaining, Duration::zero()) : clock.budget);
            if (expected.late) {
                if (all_kept && !blamed) report.complaints.push_back(where + ": late by arithmetic, and not blamed");
                if (!turns[i]["moves"][seat].is_null()) report.complaints.push_back(where + ": late by arithmetic, and its move was played");
                if (clock.kind == ClockKind::game) break;
                continue;
            }
            const auto used = turns[i].contains("used_us") ? turns[i]["used_us"][seat].get<std::int64_t>() : 0;
            if (blamed) report.complaints.push_back(where + ": in time by arithmetic, and blamed");
            if (used != referee::in_us(expected.charged)) {
                report.complaints.push_back(where + ": charged " + std::to_string(used) + " us, by arithmetic " +
                                            std::to_string(referee::in_us(expected.charged)));
            }
            remaining += clock.increment - expected.charged;
        }
    }
}

}  // namespace tests::sim
