#include "tests/referee/contest/formats/play_schedule.h"

#include <algorithm>

#include "referee/contest/rating/random.h"

namespace referee::formats {

std::vector<Entry> field_of(std::size_t size) {
    std::vector<Entry> entries(size);
    for (std::size_t i = 0; i < size; ++i) entries[i].name = "bot" + std::to_string(i + 1);
    return entries;
}

double by_number(const Pairing& pairing, std::size_t seat) {
    return -static_cast<double>(pairing.seats[seat]);
}

Strength lots(std::uint64_t seed) {
    return [seed](const Pairing& pairing, std::size_t seat) {
        rating::Random random(rating::derived_seed(seed, pairing.match * 8 + seat));
        return static_cast<double>(random.below(4)) -
               static_cast<double>(pairing.seats[seat]) * 0.1;
    };
}

MatchResult result_of(const Pairing& pairing, const Strength& strength) {
    MatchResult result;
    result.match = pairing.match;
    result.round = pairing.round;
    result.seats = pairing.seats;
    result.games = 1;
    const std::size_t seats = pairing.seats.size();
    std::vector<double> strengths;
    for (std::size_t seat = 0; seat < seats; ++seat) strengths.push_back(strength(pairing, seat));
    for (std::size_t a = 0; a < seats; ++a) {
        int place = 1;
        std::int64_t halves = -1;
        for (std::size_t b = 0; b < seats; ++b) {
            place += strengths[b] > strengths[a] ? 1 : 0;
            halves += strengths[b] < strengths[a] ? 2 : strengths[b] == strengths[a] ? 1 : 0;
        }
        result.placing.push_back(place);
        result.points.push_back(engines::Score::halves(halves));
        result.scores.push_back(engines::Score::halves(halves));
        result.game_points.push_back(engines::Score::halves(halves));
        result.used_us.push_back(1000);
        result.absent.push_back(false);
    }
    return result;
}

Played play(Schedule& schedule, const Match& match, Order order, std::uint32_t last_round) {
    Played played;
    std::vector<Pairing> open;
    for (;;) {
        const auto next = schedule.next();
        if (const auto* pairing = std::get_if<Pairing>(&next)) {
            open.push_back(*pairing);
        } else if (const auto* bye = std::get_if<Bye>(&next)) {
            played.byes.push_back(*bye);
        } else if (std::holds_alternative<Schedule::Finished>(next)) {
            played.finished = open.empty();
            break;
        } else {
            if (open.empty()) break;
            if (order == Order::last_to_first) std::ranges::reverse(open);
            const bool over = open.back().round >= last_round;
            for (const auto& pairing_open : open) {
                played.matches.push_back(match(pairing_open));
                schedule.record(played.matches.back());
            }
            open.clear();
            if (over) break;
        }
    }
    std::ranges::sort(played.matches,
                      [](const MatchResult& a, const MatchResult& b) { return a.match < b.match; });
    return played;
}

Played play(Schedule& schedule, const Strength& strength, Order order) {
    return play(
        schedule, [&](const Pairing& pairing) { return result_of(pairing, strength); }, order);
}

std::string text_of(const Played& played) {
    std::uint32_t rounds = 0;
    for (const auto& match : played.matches) rounds = std::max(rounds, match.round);
    for (const auto& bye : played.byes) rounds = std::max(rounds, bye.round);
    std::string text;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
        if (round > 1) text += " |";
        for (const auto& match : played.matches) {
            if (match.round != round) continue;
            for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
                text += (seat == 0 ? ' ' : '-') + std::to_string(match.seats[seat] + 1);
        }
        for (const auto& bye : played.byes)
            if (bye.round == round) text += " (" + std::to_string(bye.entrant + 1) + ")";
    }
    return text.substr(std::min<std::size_t>(text.size(), 1));
}

}  // namespace referee::formats
