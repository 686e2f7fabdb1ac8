#include "referee/game/clock/allowances.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "protocol/base/assertion.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"

namespace referee::clock {

namespace {

// What a budget loses to a way that is longer than what is allowed for it.
struct WayLoss {
    Duration allowed{};      // of the round trip
    Duration lost{};         // each turn
    int turns = 1;           // that the budget is for: of a game's clock game_turns_assumed
    Duration budget{};       // for them all, increments included
    Duration fair_budget{};  // with which no more than way_share_max would be lost
};

constexpr unsigned byte_bits = 8;
constexpr unsigned network_bits_v4 = v4_bits + 24;
constexpr unsigned network_bits_v6 = 64;
// How often a bot is held against the others again: their ways change slowly.
constexpr Duration bound_age_max = std::chrono::seconds(1);

constexpr Duration loopback_max = std::chrono::milliseconds(1);
constexpr Duration private_max = std::chrono::milliseconds(20);
constexpr Duration others_max = std::chrono::milliseconds(250);

NetworkRange v4_range(const std::array<std::uint8_t, 4>& bytes, unsigned bits, Duration most,
                      std::string text) {
    return {Address::v4(bytes), v4_bits + bits, most, true, std::move(text)};
}

NetworkRange v6_range(std::uint8_t first, std::uint8_t second, unsigned bits, Duration most,
                      std::string text) {
    Address address;
    address.bytes[0] = first;
    address.bytes[1] = second;
    return {address, bits, most, true, std::move(text)};
}

NetworkRange v6_loopback() {
    Address address;
    address.bytes.back() = 1;
    return {address, 128, loopback_max, true, "::1/128"};
}

const NetworkRange* narrowest(const std::vector<NetworkRange>& ranges, const Address& address) {
    const NetworkRange* found = nullptr;
    for (const auto& range : ranges) {
        const bool fits = address.first_bits(range.bits) == range.first;
        if (fits && (found == nullptr || range.bits > found->bits)) found = &range;
    }
    return found;
}

// Nothing where the clock has no budget of wall time, or no more than way_share_max of it is lost.
std::optional<WayLoss> way_loss(const ClockConfig& clock, const Allowance& allowance) {
    if (clock.kind == ClockKind::none || clock.measure != Measure::wall) return std::nullopt;
    auto allowed = clock.allowance ? clock.allowance_max : Duration::zero();
    if (allowance.by != AllowedBy::nothing) allowed = std::min(allowed, allowance.bound);
    allowed = std::min(allowed, allowance.round_trip);
    const auto lost = allowance.round_trip - allowed;
    const int turns = clock.kind == ClockKind::game ? game_turns_assumed : 1;
    const auto budget = clock.budget + turns * clock.increment;
    const auto fair = std::chrono::duration_cast<Duration>(turns * lost / way_share_max) -
                      turns * clock.increment;
    const auto share_max = std::chrono::duration_cast<Duration>(way_share_max * budget);
    if (turns * lost <= share_max) return std::nullopt;
    return WayLoss{allowed, lost, turns, budget, fair};
}

// How to have more allowed: by whatever allows least now.
std::string how_to_allow_more(const ClockConfig& clock, const Allowance& allowance) {
    const auto range = "its range of addresses" +
                       (allowance.range.empty() ? "" : " (" + std::string(allowance.range) + ")");
    const std::string by_clock = "a higher \"allowance_max\" of the clock";
    if (!clock.allowance) return "\"network_allowance\": true in the clock";
    if (allowance.by == AllowedBy::nothing || clock.allowance_max < allowance.bound)
        return by_clock;
    if (allowance.by == AllowedBy::peers)
        return "\"peers\": false for " + range +
               " in \"network\", if its neighbours by address are not near it";
    const bool both = clock.allowance_max == allowance.bound;
    return (both ? by_clock + " and a" : std::string("a")) + " higher cap for " + range +
           " in \"network\"";
}

}  // namespace

Address Address::v4(const std::array<std::uint8_t, 4>& bytes) {
    Address address;
    address.bytes[10] = address.bytes[11] = 0xFF;
    std::copy(bytes.begin(), bytes.end(), address.bytes.begin() + v4_bits / byte_bits);
    return address;
}

bool Address::is_v4() const {
    return first_bits(v4_bits) == v4({});
}

Address Address::first_bits(unsigned bits) const {
    auto kept = *this;
    for (unsigned i = 0; i < kept.bytes.size(); ++i) {
        const auto begin = i * byte_bits;
        const auto fixed = bits <= begin ? 0U : std::min(bits - begin, byte_bits);
        kept.bytes[i] &= static_cast<std::uint8_t>(0xFF00U >> fixed);
    }
    return kept;
}

const std::vector<NetworkRange>& default_ranges() {
    static const std::vector<NetworkRange> ranges{
        v4_range({127, 0, 0, 0}, 8, loopback_max, "127.0.0.0/8"),
        v6_loopback(),
        v4_range({10, 0, 0, 0}, 8, private_max, "10.0.0.0/8"),
        v4_range({172, 16, 0, 0}, 12, private_max, "172.16.0.0/12"),
        v4_range({192, 168, 0, 0}, 16, private_max, "192.168.0.0/16"),
        v4_range({169, 254, 0, 0}, 16, private_max, "169.254.0.0/16"),
        v6_range(0xFC, 0, 7, private_max, "fc00::/7"),
        v6_range(0xFE, 0x80, 10, private_max, "fe80::/10"),
        v6_range(0, 0, 0, others_max, "all others"),
    };
    return ranges;
}

std::string_view name_of(AllowedBy by) {
    static constexpr std::array<base::Named<AllowedBy>, 3> names{{{AllowedBy::nothing, "nothing"},
                                                                  {AllowedBy::range, "range"},
                                                                  {AllowedBy::peers, "peers"}}};
    static_assert(base::in_order(names));
    return base::row_of(names, by).name;
}

std::string describe(const Allowance& allowance) {
    auto told = "round trip " + ms_text(allowance.round_trip);
    if (!allowance.outlier()) return told;
    if (allowance.by == AllowedBy::peers) {
        told += ", its network's median " + ms_text(allowance.median);
    } else {
        told +=
            ", more than the cap of its range of addresses (" + std::string(allowance.range) + ")";
    }
    return told + ": allowed " + ms_text(allowance.bound);
}

std::optional<std::string> lost_on_the_way(const ClockConfig& clock, const Allowance& allowance) {
    const auto loss = way_loss(clock, allowance);
    if (!loss) return std::nullopt;
    auto told = "its way takes " + ms_text(allowance.round_trip) + ", and " +
                ms_text(loss->allowed) + " are allowed: ";
    if (clock.kind == ClockKind::turn) {
        told += "of each turn's budget of " + ms_text(clock.budget) + " it loses " +
                ms_text(loss->lost);
    } else {
        told += fmt::format("it loses {} each turn, in {} turns {} of its {}", ms_text(loss->lost),
                            loss->turns, ms_text(loss->turns * loss->lost), ms_text(loss->budget));
    }
    return told + "; a budget of " + ms_text(loss->fair_budget) + ", or " +
           how_to_allow_more(clock, allowance) + ", would be fair";
}

Allowances::Allowances(std::vector<NetworkRange> configured) : configured_(std::move(configured)) {}

const NetworkRange& Allowances::range_of(const Address& address) const {
    if (const auto* found = narrowest(configured_, address)) return *found;
    return *narrowest(default_ranges(), address);
}

void Allowances::set_ranges(std::vector<NetworkRange> configured) {
    configured_ = std::move(configured);
    for (auto& member : members_) {
        member.range = &range_of(member.address);
        bound(member);
    }
}

Allowances::Id Allowances::enter(const std::optional<Address>& address) {
    if (!address) return nullptr;
    auto& member = members_.emplace_back();
    member.self = std::prev(members_.end());
    member.address = *address;
    const auto bits = address->is_v4() ? network_bits_v4 : network_bits_v6;
    member.network = networks_.try_emplace(address->first_bits(bits)).first;
    ++member.network->second.members;
    member.range = &range_of(*address);
    bound(member);
    return &member;
}

void Allowances::leave(Id id) {
    if (id == nullptr) return;
    auto& network = id->network->second;
    network.round_trips.remove(id->round_trip);
    if (--network.members == 0) networks_.erase(id->network);
    members_.erase(id->self);
}

Path Allowances::bounded(Id id, Path measured, Instant now) {
    if (id == nullptr) return measured;
    auto& member = *id;
    const auto known = member.round_trip;
    if (measured.least > Duration::zero() &&
        (known == Duration::zero() || measured.least < known)) {
        auto& round_trips = member.network->second.round_trips;
        round_trips.remove(known);
        round_trips.add(measured.least);
        member.round_trip = measured.least;
        member.bounded_at.reset();
    }
    if (!member.bounded_at || now - *member.bounded_at >= bound_age_max) {
        bound(member);
        member.bounded_at = now;
    }
    // Jitter adds to what is allowed for the way; the clock bounds it.
    const auto shortest = std::min(measured.least, member.round_trip);
    const auto allowed = std::min(shortest, member.allowance.bound);
    return {allowed, allowed + (measured.most - shortest), measured.mean_excess};
}

void Allowances::bound(Member& member) const {
    auto& allowance = member.allowance;
    const auto& neighbours = member.network->second.round_trips;
    allowance = {};
    allowance.round_trip = member.round_trip;
    allowance.bound = member.range->allowance_max;
    allowance.by = AllowedBy::range;
    allowance.range = member.range->text;
    allowance.peers = neighbours.others(member.round_trip);
    if (!member.range->peers || allowance.peers < peers_min) return;
    allowance.median = neighbours.median_of_others(member.round_trip);
    const auto margin = std::max(allowance.median, peers_margin);
    if (allowance.median + margin >= allowance.bound) return;
    allowance.bound = allowance.median + margin;
    allowance.by = AllowedBy::peers;
}

Allowance Allowances::of(Id id) const {
    return id == nullptr ? Allowance{} : id->allowance;
}

void Neighbours::add(Duration round_trip) {
    if (round_trip == Duration::zero()) return;
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), round_trip), round_trip);
}

void Neighbours::remove(Duration round_trip) {
    if (round_trip == Duration::zero()) return;
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), round_trip);
    REFEREE_ASSERT(found != sorted_.end() && *found == round_trip);
    sorted_.erase(found);
}

std::size_t Neighbours::others(Duration own) const {
    return sorted_.size() - (own == Duration::zero() ? 0 : 1);
}

Duration Neighbours::median_of_others(Duration own) const {
    REFEREE_ASSERT(others(own) > 0);
    const auto middle = others(own) / 2;
    const auto before = std::lower_bound(sorted_.begin(), sorted_.end(), own) - sorted_.begin();
    const bool skips = own > Duration::zero() && middle >= static_cast<std::size_t>(before);
    return sorted_[skips ? middle + 1 : middle];
}

}  // namespace referee::clock
