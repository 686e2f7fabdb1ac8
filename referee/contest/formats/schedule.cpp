#include "referee/contest/formats/schedule.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"

namespace referee::formats {
namespace {

bool overlaps(const ForbiddenPairs& a, const ForbiddenPairs& b) {
    const auto shared = std::ranges::count_if(
        a.bots, [&b](const auto& bot) { return base::contains(b.bots, bot); });
    return shared >= 2 && a.first_round <= b.last_round && b.first_round <= a.last_round;
}

// What is left of `pairs`, pair by pair.
void add_rest(const ForbiddenPairs& pairs, const ForbiddenPairs& lifted,
              std::vector<ForbiddenPairs>& rest) {
    for (std::size_t a = 0; a < pairs.bots.size(); ++a) {
        for (std::size_t b = a + 1; b < pairs.bots.size(); ++b) {
            const std::vector<std::string> two{pairs.bots[a], pairs.bots[b]};
            if (!base::contains(lifted.bots, two[0]) || !base::contains(lifted.bots, two[1])) {
                rest.push_back({two, pairs.first_round, pairs.last_round});
                continue;
            }
            if (pairs.first_round < lifted.first_round)
                rest.push_back({two, pairs.first_round, lifted.first_round - 1});
            if (pairs.last_round > lifted.last_round)
                rest.push_back({two, lifted.last_round + 1, pairs.last_round});
        }
    }
}

}  // namespace

std::optional<Entrant> entrant_named(std::span<const Entry> entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    if (found == entries.end()) return std::nullopt;
    return static_cast<Entrant>(found - entries.begin());
}

std::optional<ByeKind> Entry::bye_asked_for(std::uint32_t round) const {
    if (base::contains(half_point_byes, round)) return ByeKind::half_point;
    if (base::contains(zero_point_byes, round)) return ByeKind::zero_point;
    return std::nullopt;
}

void Entry::ask_for_bye(std::uint32_t round, std::optional<ByeKind> kind) {
    std::erase(half_point_byes, round);
    std::erase(zero_point_byes, round);
    if (kind) (kind == ByeKind::half_point ? half_point_byes : zero_point_byes).push_back(round);
}

void Entry::take_part_in_all() {
    first_round = 1;
    last_round = UINT32_MAX;
    half_point_byes.clear();
    zero_point_byes.clear();
}

void forbid(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs) {
    all.push_back(pairs);
}

void lift(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs) {
    std::vector<ForbiddenPairs> rest;
    for (auto& each : all) {
        if (overlaps(each, pairs)) {
            add_rest(each, pairs, rest);
        } else {
            rest.push_back(std::move(each));
        }
    }
    all = std::move(rest);
}

Schedule::Next RoundByRound::next() {
    // A round may consist of byes only.
    while (pairings_.empty() && byes_.empty()) {
        if (open_ > 0) return Wait{};
        if (ended_) return Finished{};
        const auto from = std::exchange(first_of_round_, matches_ + 1);
        const auto results = results_.copied(from);
        auto round = draw(round_ + 1, results);
        if (!round) {
            ended_ = true;
            last_round_from_ = from;
            continue;
        }
        ++round_;
        for (auto& seats : round->matches) {
            pairings_.push_back({++matches_, round_, std::move(seats)});
            ++open_;
        }
        byes_.insert(byes_.end(), round->byes.begin(), round->byes.end());
    }
    if (!pairings_.empty()) {
        Pairing pairing = std::move(pairings_.front());
        pairings_.pop_front();
        return pairing;
    }
    const Bye bye = byes_.front();
    byes_.pop_front();
    return bye;
}

void RoundByRound::record(const MatchResult& result) {
    if (reopened_.erase(result.match) == 1) {
        const bool amended = amend(results_.at(result.match), result);
        REFEREE_ASSERT(amended);
    } else {
        REFEREE_ASSERT(result.round == round_ && result.match <= matches_ && open_ > 0);
        REFEREE_ASSERT(!results_.contains(result.match));
    }
    results_.put(result);
    --open_;
}

bool RoundByRound::go_on() {
    if (!ended_ || !tries_again()) return false;
    ended_ = false;
    return true;
}

Schedule::Next RoundByRound::draw_again(const Pairing& /*drawn*/) {
    on_record_ = true;
    auto drawn_round = next();
    on_record_ = false;
    return drawn_round;
}

bool RoundByRound::reopen(std::uint64_t match) {
    const auto* found = results_.find(match);
    if (found == nullptr) return false;
    if (ended_ && match >= last_round_from_ && match < first_of_round_ && take_end_back()) {
        ended_ = false;
        first_of_round_ = last_round_from_;
    }
    if (match >= first_of_round_) {
        results_.erase(match);
    } else {
        if (!amend(*found, *found)) return false;
        reopened_.insert(match);
    }
    ++open_;
    return true;
}

}  // namespace referee::formats
