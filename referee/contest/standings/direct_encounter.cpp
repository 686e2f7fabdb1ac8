#include "referee/contest/standings/direct_encounter.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace referee::standings {

namespace {

// An exact fraction of small numbers. The denominator is positive.
struct Fraction {
    std::int64_t above = 0;
    std::int64_t below = 1;

    Fraction plus(Fraction other) const {
        const std::int64_t sum = above * other.below + other.above * below;
        const std::int64_t product = below * other.below;
        const std::int64_t divisor = std::gcd(sum, product);
        return {sum / divisor, product / divisor};
    }
    bool operator==(const Fraction& other) const = default;  // both are in lowest terms
    bool operator>(Fraction other) const { return above * other.below > other.above * below; }
};

struct Member {
    std::size_t row = 0;
    Fraction got;  // points from games inside the group; of several with one opponent, their mean
    Fraction top;  // with a win over everybody not met
};

using Rows = std::vector<std::size_t>;

Member member_of(const Crosstable& table, std::size_t row, const Rows& sorted_group) {
    struct Sum {
        Tenths points = 0;
        std::int64_t games = 0;
    };
    std::map<std::size_t, Sum> met;
    for (const auto& entry : table.rows[row].rounds) {
        if (entry.kind != RoundKind::game) continue;
        for (const auto& meeting : table.rows[row].met(entry)) {
            const std::size_t opponent = meeting.opponent;
            if (!std::binary_search(sorted_group.begin(), sorted_group.end(), opponent)) continue;
            auto& sum = met[opponent];
            sum.points += meeting.credit;
            ++sum.games;
        }
    }
    Member member{row, {}, {}};
    for (const auto& [opponent, sum] : met) {
        const std::int64_t divisor = std::gcd(sum.points, sum.games);
        member.got = member.got.plus({sum.points / divisor, sum.games / divisor});
    }
    const auto missing = static_cast<std::int64_t>(sorted_group.size() - 1 - met.size());
    member.top = member.got.plus({missing * table.points.win, 1});
    return member;
}

// The group in parts that are surely in this order.
std::vector<Rows> parts_of(const Crosstable& table, Rows group) {
    std::sort(group.begin(), group.end());
    std::vector<Member> members;
    for (const auto row : group) members.push_back(member_of(table, row, group));
    std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
        if (!(a.got == b.got)) return a.got > b.got;
        return a.top > b.top;
    });
    const bool all_met =
        std::all_of(members.begin(), members.end(), [](const Member& m) { return m.got == m.top; });
    std::vector<Rows> parts;
    if (all_met) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i == 0 || !(members[i].got == members[i - 1].got)) parts.emplace_back();
            parts.back().push_back(members[i].row);
        }
        return parts;
    }
    // From the top down, takes only players that can't be overtaken any more.
    std::size_t first = 0;
    while (first + 1 < members.size() &&
           std::all_of(members.begin() + static_cast<std::ptrdiff_t>(first) + 1, members.end(),
                       [&](const Member& m) { return members[first].got > m.top; })) {
        parts.push_back({members[first].row});
        ++first;
    }
    parts.emplace_back();
    for (; first < members.size(); ++first) parts.back().push_back(members[first].row);
    return parts;
}

void place(const Crosstable& table, const Rows& group, std::size_t base,
           std::map<std::size_t, std::size_t>& places) {
    const auto parts = group.size() > 1 ? parts_of(table, group) : std::vector<Rows>{group};
    if (parts.size() == 1) {
        for (const auto row : group) places[row] = base;
        return;
    }
    for (const auto& part : parts) {
        place(table, part, base, places);
        base += part.size();
    }
}

}  // namespace

std::vector<std::size_t> direct_encounter(const Crosstable& table,
                                          std::span<const std::size_t> group) {
    std::map<std::size_t, std::size_t> places;
    place(table, Rows(group.begin(), group.end()), 1, places);
    std::vector<std::size_t> in_order;
    for (const auto row : group) in_order.push_back(places[row]);
    return in_order;
}

}  // namespace referee::standings
