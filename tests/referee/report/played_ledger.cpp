#include "tests/referee/report/played_ledger.h"

#include <algorithm>
#include <numeric>

#include "referee/contest/rating/random.h"

namespace referee::report {

using formats::Bye;
using formats::Pairing;
using formats::Schedule;

Ledger played_ledger(const formats::FormatConfig& format, std::vector<formats::Entry> entries,
                     std::uint32_t seed, const formats::Strength& strength, const Twist& twist,
                     std::size_t matches_most) {
    Ledger ledger;
    ledger.config.id = "cup";
    ledger.config.game = "walls";
    ledger.config.seed = seed;
    ledger.config.format = format;
    ledger.config.tie_breaks = {standings::TieBreak::points, standings::TieBreak::buchholz};
    ledger.config.bots.resize(entries.size());
    std::iota(ledger.config.bots.begin(), ledger.config.bots.end(), std::size_t{0});
    ledger.entries = entries;
    const auto schedule = formats::make_schedule(format, std::move(entries), seed);
    for (;;) {
        const auto next = schedule->next();
        if (const auto* pairing = std::get_if<Pairing>(&next)) {
            ledger.open.push_back(*pairing);
        } else if (const auto* bye = std::get_if<Bye>(&next)) {
            ledger.byes.push_back(*bye);
        } else if (std::holds_alternative<Schedule::Wait>(next)) {
            const auto left = matches_most - std::min(matches_most, ledger.results.size());
            if (left == 0) break;
            auto playing = ledger.open;
            playing.resize(std::min(playing.size(), left));
            ledger.open.erase(ledger.open.begin(),
                              ledger.open.begin() + static_cast<std::ptrdiff_t>(playing.size()));
            for (const auto& match : playing) {
                auto result = formats::result_of(match, strength);
                result.counted = {{1, 1, {}, {}}};
                for (const auto score : result.scores) result.counted[0].scores.emplace_back(score);
                if (twist) twist(result);
                schedule->record(result);
                ledger.results.push_back(std::move(result));
            }
        } else {
            ledger.finished = true;
            break;
        }
    }
    ledger.places = schedule->places();
    ledger.ended_early = schedule->ended_early();
    return ledger;
}

formats::Strength lots(std::uint64_t seed) {
    return [seed](const Pairing& pairing, std::size_t seat) {
        rating::Random random(rating::derived_seed(seed, pairing.match * 8 + seat));
        return static_cast<double>(random.below(4)) -
               static_cast<double>(pairing.seats[seat]) * 0.1;
    };
}

}  // namespace referee::report
