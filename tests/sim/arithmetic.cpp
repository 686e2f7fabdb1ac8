#include "referee/game/play/play.h"
#include "tests/sim/invariants.h"

#include <algorithm>
#include <sstream>

namespace tests::sim {
namespace {

using referee::FaultCode;
using referee::clock::ClockKind;

using Stood = std::vector<std::pair<Instant, Instant>>;

// The rules of the clock in one place: written a second time, on purpose.
class Rules {
 public:
    enum class Fate : std::uint8_t { in_time, suspect, late };
    struct Verdict {
        Duration charged{};
        Fate fate = Fate::in_time;
    };

    Rules(const referee::clock::ClockConfig& clock, const Stood& stood, const SeenTurn& turn,
          Duration budget)
        : clock_(clock), stood_(stood), turn_(turn), budget_(budget) {
        path_ = clock.allowance ? std::min(turn.round_trip, clock.allowance_max) : Duration::zero();
    }

    // When the referee gives up a silent bot; an answer after that is too late for anything.
    Instant given_up() const {
        auto limit = clock_.hard_limit;
        if (clock_.measure == referee::clock::Measure::wall && clock_.kind != ClockKind::none)
            limit = std::min(limit, budget_);
        limit += path_;
        auto at = awake(turn_.sent + limit);
        const auto until = [&] { return turn_.sent + limit + std::min(2 * excused(at), limit); };
        while (at < until()) at = awake(until());
        return at;
    }
    // The verdict on the answer, by its stamp.
    Verdict verdict() const {
        const auto stalled = excused(*turn_.answered);
        if (const auto end = given_up(); *turn_.answered > end)
            return {charged(stalled), silent_too_long(end) ? Fate::late : Fate::suspect};
        const bool late = is_late(stalled);
        return {charged(stalled), !late                  ? Fate::in_time
                                  : is_late(2 * stalled) ? Fate::late
                                                         : Fate::suspect};
    }

 private:
    // Whether there is no excuse left for a bot that was silent until then.
    bool silent_too_long(Instant until) const {
        SeenTurn turn = turn_;
        turn.answered = until + Duration(1);
        return Rules(clock_, stood_, turn, budget_).is_late(2 * excused(until));
    }
    // The first instant from `at` on at which the referee doesn't stand still, and so can look.
    Instant awake(Instant at) const {
        for (const auto& [from, to] : stood_) {
            if (from <= at && at < to) return to;
        }
        return at;
    }
    Duration excused(Instant until) const {
        Duration sum{};
        for (const auto& [from, to] : stood_)
            sum += std::max<Duration>(std::min(to, until) - std::max(from, turn_.sent),
                                      Duration::zero());
        const auto of = budget_ > Duration::zero() ? budget_ : clock_.hard_limit;
        return sum > std::max<Duration>(of / 20, std::chrono::milliseconds(2)) ? sum
                                                                               : Duration::zero();
    }
    Duration charged(Duration off) const {
        const auto wall = *turn_.answered - turn_.sent;
        const auto allowed = clock_.measure == referee::clock::Measure::cpu ? Duration::zero()
                                                                            : std::min(path_, wall);
        return std::max<Duration>(wall - allowed - off, Duration::zero());
    }
    bool is_late(Duration off) const {
        const auto wall = *turn_.answered - turn_.sent - off;
        if (wall > clock_.hard_limit + path_) return true;
        return clock_.kind != ClockKind::none && charged(off) > budget_;
    }

    const referee::clock::ClockConfig& clock_;
    const Stood& stood_;
    const SeenTurn& turn_;
    Duration budget_;
    Duration path_{};
};

}  // namespace

void check_charges(const Evidence& evidence, const referee::records::GameRecord& game,
                   RunReport& report) {
    const auto& clock = evidence.tournament.clock;
    const auto& result = game.result;
    if (!counts(result.status)) return;
    const auto id = game_id(result.key);
    std::vector<Json> turns;
    std::istringstream lines(game.replay);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(R"({"moves":)")) turns.push_back(Json::parse(line));
    }
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        const auto faults = std::ranges::count_if(
            result.faults, [seat](const auto& fault) { return fault.seat == seat; });
        const bool all_kept = static_cast<std::size_t>(faults) < referee::play::faults_kept_max;
        auto remaining = clock.budget;
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i + 1);
            const auto seen = evidence.seen.find(std::tuple(result.bots[seat], id, number));
            if (seen == evidence.seen.end()) continue;
            const auto blamed = std::ranges::any_of(result.faults, [&](const auto& fault) {
                return fault.seat == seat && fault.turn == number &&
                       fault.rule.starts_with("clock.");
            });
            // A line that was not a message, or a lost connection, may cost the move: then the turn
            // is over, whatever comes later.
            const auto cut_short = std::ranges::any_of(result.faults, [&](const auto& fault) {
                using enum referee::Consequence;
                const bool about_the_move = fault.rule.starts_with("clock.") ||
                                            fault.code == referee::FaultCode::over_budget ||
                                            fault.code == referee::FaultCode::illegal ||
                                            fault.code == referee::FaultCode::malformed;
                return fault.seat == seat && fault.turn == number && !about_the_move &&
                       (fault.consequence == missing_move || fault.consequence == lost_turn);
            });
            if (cut_short) {
                if (!turns[i]["moves"][seat].is_null() && !seen->second.answered)
                    report.complaints.push_back(id + ": a move out of nothing");
                if (clock.kind == ClockKind::game) break;
                continue;
            }
            ++report.races;
            const auto where =
                id + " turn " + std::to_string(number) + " seat " + std::to_string(seat);
            if (!seen->second.answered) {
                if (all_kept && !blamed)
                    report.complaints.push_back(where + ": nothing arrived, and nobody is blamed");
                break;
            }
            const Rules rules(clock, evidence.stood, seen->second,
                              clock.kind == ClockKind::game ? std::max(remaining, Duration::zero())
                                                            : clock.budget);
            const auto expected = rules.verdict();
            // Where the clock waits for a late answer, it was decided before that the answer is
            // late.
            if (expected.fate == Rules::Fate::suspect && !clock.waits_for_late)
                report.complaints.push_back(where +
                                            ": the referee stood still, and the game counts");
            if (expected.fate != Rules::Fate::in_time) {
                if (all_kept && !blamed)
                    report.complaints.push_back(where + ": late by arithmetic, and not blamed");
                if (!turns[i]["moves"][seat].is_null())
                    report.complaints.push_back(where +
                                                ": late by arithmetic, and its move was played");
                if (clock.kind == ClockKind::game) break;
                continue;
            }
            const auto used =
                turns[i].contains("used_us") ? turns[i]["used_us"][seat].get<std::int64_t>() : 0;
            if (blamed) report.complaints.push_back(where + ": in time by arithmetic, and blamed");
            if (used != referee::in_us(expected.charged))
                report.complaints.push_back(where + ": charged " + std::to_string(used) +
                                            " us, by arithmetic " +
                                            std::to_string(referee::in_us(expected.charged)));
            remaining += clock.increment - expected.charged;
        }
    }
}

}  // namespace tests::sim
