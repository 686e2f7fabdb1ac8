#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "protocol/base/recent_table.h"
#include "referee/game/clock/time.h"
#include "referee/net/loop/timers.h"

namespace referee::lobby {

// Whom an address is counted with where connections and wrong tries are counted: IPv4 alone
// ("10.1.2.3", also where it is mapped into IPv6), IPv6 with its whole /64 ("2001:db8:0:1::/64"),
// because any host there may take as many addresses as it likes. Any other text alone.
std::string network_of(std::string_view address);

// Wrong tries at a secret cost their answer time. So many are free; each further one doubles the
// wait, or several together do; one is forgiven each `forgiven_every`. More than `counted_max` are
// not counted, so that the wait is over soon after the tries are.
struct TryLimits {
    std::int64_t free = 0;
    std::int64_t tries_a_doubling = 1;
    std::int64_t counted_max = 0;
    Duration forgiven_every{};
};
// Of one secret from one address: a person who looks for the right token among some.
inline constexpr TryLimits tries_of_pair{5, 1, 12, std::chrono::seconds(30)};
// From one address at all secrets: a class behind one address whose bots all start with a mistake.
inline constexpr TryLimits tries_of_network{60, 8, 120, std::chrono::seconds(1)};
// At one secret from all addresses: far more than its owner needs.
inline constexpr TryLimits tries_of_secret{100, 16, 200, std::chrono::seconds(1)};
// The first wait is hardly noticed; the longest leaves a second of the time for a login.
inline constexpr Duration try_wait_first = std::chrono::milliseconds(125);
inline constexpr Duration try_wait_max = std::chrono::seconds(4);
// Tries that wait for their answer at once, at one secret from one address, and at all from one
// address: so at most 2 and 16 a second are judged there.
inline constexpr std::size_t tries_waiting_of_pair_max = 8;
inline constexpr std::size_t tries_waiting_of_network_max = 64;
// What is remembered of tries, for each of the three: memory is finite. Somebody with more
// addresses than that is held by what is counted of the secret.
inline constexpr std::size_t tries_remembered_max = 16'384;
// Tries that come after so long a silence are told as a new burst.
inline constexpr Duration burst_silence = std::chrono::seconds(30);
// Bursts that are told one by one; those beyond are told together, so that nobody fills the log.
inline constexpr std::size_t bursts_told_max = 64;
// Secrets of one burst that are told apart.
inline constexpr std::size_t burst_secrets_max = 100;

// How tries at secrets are told: a line when a burst of them begins at a place (a network, or many
// addresses together), and one with the sum when it is over. Few tries are told not at all, and
// very many bursts together.
class GuessNews {
 public:
    using Tell = std::function<void(const std::string& line)>;

    GuessNews(loop::Timers& timers, Tell tell);
    ~GuessNews();
    GuessNews(const GuessNews&) = delete;
    GuessNews& operator=(const GuessNews&) = delete;

    // One more of so many tries at the place that waits are asked for; tells the first of them.
    void wrong(const std::string& place, const std::string& secret, std::int64_t tries);
    // One that alone would not be worth a line; counts where the place has a burst.
    void wrong_where_told(const std::string& place, const std::string& secret);
    // One that was not even judged.
    void turned_away(const std::string& place);

 private:
    struct Burst {
        std::int64_t tries = 0;
        std::int64_t turned_away = 0;
        std::set<std::string> secrets;
        std::string last_secret;
        Instant began{};
        Instant last{};
    };
    void count(Burst& burst, const std::string& secret);
    void look();
    void look_later();

    loop::Timers& timers_;
    Tell tell_;
    std::map<std::string, Burst> bursts_;
    loop::Timers::Id timer_ = 0;
};

// Answers to wrong tries at secrets (tokens, the class password, the admin token) come ever later.
// The wait is doubled from try to try, and no more tries than a few wait at once, so that what is
// judged a second is bounded however many connections somebody makes. Tries are counted for each
// secret from each network, for each network, and for each secret. Not thread safe.
//
// Nobody is locked out by somebody elsewhere, and hardly by a neighbour:
// - Where the very secret was never tried wrongly from a network, nothing of what else was tried
//   there counts: the first try is judged at once. (Not for a secret that all share: whoever asks
//   for ever new names would always try for the first time.)
// - Where it was once told rightly, only wrong tries at it from there count.
// - What strangers try from elsewhere costs a newcomer the longest wait, and no more.
// Only a neighbour behind the same address who floods tries at the very name can keep it from being
// heard: nothing but the secret tells the two apart.
class Guesses {
 public:
    struct Try {
        std::string network;  // as network_of() says
        std::string secret;   // in words, for the log: "the token of ada"
        bool shared = false;  // all have the same secret
    };
    // A place in the row of those that wait for their answer, as long as it exists.
    using Place = std::shared_ptr<void>;

    explicit Guesses(loop::Timers& timers, GuessNews::Tell tell);

    // How long a try that comes now waits before it is judged.
    Duration wait_of(const Try& tried) const;
    // Null where no more may wait: the try is to be turned away without being judged.
    Place take_place(const Try& tried);
    // What the judgement was.
    void was_wrong(const Try& tried);
    void was_right(const Try& tried) { right_.touch(pair_of(tried)) = true; }

 private:
    // Tries that are not forgiven yet: each is owed a time, which passes.
    struct Debt {
        Duration owed{};
        Instant at{};
    };
    using Debts = base::RecentTable<Debt>;
    struct Rows;

    static std::string pair_of(const Try& tried) { return tried.network + ' ' + tried.secret; }
    std::int64_t tries(const Debts& debts, const std::string& key, const TryLimits& limits) const;
    void add(Debts& debts, const std::string& key, const TryLimits& limits);

    loop::Timers& timers_;
    GuessNews news_;
    Debts pairs_{tries_remembered_max};
    Debts networks_{tries_remembered_max};
    Debts secrets_{tries_remembered_max};
    base::RecentTable<bool> right_{tries_remembered_max};
    std::shared_ptr<Rows> rows_;
};

}  // namespace referee::lobby
