#include "referee/contests/tournament/design.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::tournament {

Group::Group(std::vector<std::uint32_t> radices) : radices_(std::move(radices)) {
    for (const auto radix : radices_) order_ *= radix;
}

std::uint32_t Group::add(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t sum = 0;
    std::uint32_t place = 1;
    for (const auto radix : radices_) {
        sum += (a % radix + b % radix) % radix * place;
        a /= radix;
        b /= radix;
        place *= radix;
    }
    return sum;
}

std::uint32_t Group::negative(std::uint32_t a) const {
    std::uint32_t result = 0;
    std::uint32_t place = 1;
    for (const auto radix : radices_) {
        result += (radix - a % radix) % radix * place;
        a /= radix;
        place *= radix;
    }
    return result;
}

std::uint64_t Design::blocks(std::size_t orbit) const {
    const auto& shifts = orbits[orbit].shifts;
    return shifts.empty() ? group.order() : shifts.size();
}

std::uint64_t Design::blocks() const {
    std::uint64_t sum = 0;
    for (std::size_t orbit = 0; orbit < orbits.size(); ++orbit) sum += blocks(orbit);
    return sum;
}

std::vector<std::uint32_t> Design::block(std::size_t orbit, std::uint64_t index) const {
    REFEREE_ASSERT(index < blocks(orbit));
    const auto& from = orbits[orbit];
    const auto shift = from.shifts.empty() ? static_cast<std::uint32_t>(index) : from.shifts[index];
    std::vector<std::uint32_t> members;
    for (const auto point : from.base) members.push_back(group.add(point, shift));
    if (from.with_fixed_point) members.push_back(group.order());
    return members;
}

}  // namespace referee::tournament
