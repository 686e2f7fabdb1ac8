#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/clock/clock_config.h"
#include "referee/game/clock/path.h"
#include "referee/game/clock/time.h"

namespace referee::clock {

// The round trips of all bots of one network, the least of each. The median is read at once however
// many they are, because they are kept in order. Zero is unknown, and left out. Not thread safe.
class Neighbours {
 public:
    void add(Duration round_trip);
    // Requires that it was added.
    void remove(Duration round_trip);

    // So many are known, without that of the bot that asks.
    std::size_t others(Duration own) const;
    // Their median; of an even number the longer of the two in the middle: in doubt for the bot.
    // Requires that there are others.
    Duration median_of_others(Duration own) const;

 private:
    std::vector<Duration> sorted_;
};

// An internet address as its bits; IPv4 is kept as it is mapped into IPv6.
struct Address {
    std::array<std::uint8_t, 16> bytes{};

    static Address v4(const std::array<std::uint8_t, 4>& bytes);
    bool is_v4() const;
    // The address with all but its first bits zero. Bits are counted in the IPv6 form: an IPv4 /8
    // is v4_bits + 8.
    Address first_bits(unsigned bits) const;
    auto operator<=>(const Address&) const = default;
};
// Where IPv4's bits begin.
inline constexpr unsigned v4_bits = 96;

// How much may be allowed for the way to the bots of a range of addresses.
struct NetworkRange {
    Address first;
    unsigned bits = 0;  // that are fixed, as Address::first_bits counts them
    Duration allowance_max{};
    // Whether its bots are held against one another. It would be wrong where neighbours by address
    // are far apart, as behind a VPN.
    bool peers = true;
    std::string text;  // "10.0.0.0/8"

    bool operator==(const NetworkRange&) const = default;
};

// Loopback, private networks, and all others.
const std::vector<NetworkRange>& default_ranges();

// What bounds a bot's allowance.
enum class AllowedBy : std::uint8_t {
    nothing,  // the address is unknown, or the bot is a process of ours
    range,    // the cap of its range of addresses
    peers,    // what the other bots of its network need
};
std::string_view name_of(AllowedBy by);

// What may be allowed for a bot's way at present, and why.
struct Allowance {
    Duration round_trip{};  // the least that it has shown; zero where unknown
    // Never more than this is taken off for the round trip; without meaning under `nothing`.
    Duration bound{};
    AllowedBy by = AllowedBy::nothing;
    Duration median{};         // of the others on its network, where there are enough of them
    std::size_t peers = 0;     // so many others of its network are known
    std::string_view range{};  // that it belongs to; valid until set_ranges()

    // Its round trip is longer than what is plausible for its network.
    bool outlier() const { return by != AllowedBy::nothing && round_trip > bound; }
};

// "round trip 45.000 ms, its network's median 0.400 ms: allowed 5.400 ms"; of one that is no
// outlier its round trip only.
std::string describe(const Allowance& allowance);

// The others of a network are asked where so many of them are known: fewer tell nothing.
inline constexpr std::size_t peers_min = 3;
// What a bot may have above the median of the others: as much again, and this at least. A laptop on
// Wi-Fi beside wired machines needs 1 to 4 ms more than they.
inline constexpr Duration peers_margin = std::chrono::milliseconds(5);

// What a budget loses each turn to a way that is longer than what is allowed for it, and what would
// be fair; nothing where that is no more than way_share_max of the budget. A clock of another kind
// is no cure: each turn loses the same under it.
std::optional<std::string> lost_on_the_way(const ClockConfig& clock, const Allowance& allowance);
inline constexpr double way_share_max = 0.1;

// How much of a bot's round trip is believed. The kernel measures it, but a bot's own kernel takes
// part: whoever is root there can delay its acknowledgements, and each millisecond that is allowed
// for is a millisecond to think. So a round trip counts as far as it is plausible: no more than the
// least that the bot has shown, than the cap of its range of addresses, and, where at least three
// other bots of its network (IPv4 /24, IPv6 /64) are known, than a margin above their median.
//
// What remains: on its own network a bot can gain what its neighbours need, and the margin. With
// three accomplices beside it, it can gain up to the cap of the range. Not thread safe.
class Allowances {
    struct Member;

 public:
    using Id = Member*;  // of a connection; null: nothing bounds it

    explicit Allowances(std::vector<NetworkRange> configured = {});
    Allowances(const Allowances&) = delete;
    Allowances& operator=(const Allowances&) = delete;

    // Of the configured ranges that fit an address, the one with the most fixed bits counts. Only
    // where none fits, the narrowest default does. Holds at once for all.
    void set_ranges(std::vector<NetworkRange> configured);

    Id enter(const std::optional<Address>& address);
    void leave(Id id);

    // What may be allowed of a path that was measured at `now`.
    Path bounded(Id id, Path measured, Instant now);
    Allowance of(Id id) const;

 private:
    struct Network {
        std::size_t members = 0;
        Neighbours round_trips;
    };
    using Networks = std::map<Address, Network>;

    struct Member {
        std::list<Member>::iterator self;
        Address address;
        Networks::iterator network;
        const NetworkRange* range = nullptr;
        Allowance allowance;
        Duration round_trip{};  // the least; zero where unknown
        std::optional<Instant> bounded_at;
    };

    const NetworkRange& range_of(const Address& address) const;
    void bound(Member& member) const;

    std::vector<NetworkRange> configured_;
    std::list<Member> members_;
    Networks networks_;
};

// How long a game is thought to be: that of most games here is somewhere near.
inline constexpr int game_turns_assumed = 100;

}  // namespace referee::clock
