#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "referee/limits.h"
#include "referee/net/lobby/guess_news.h"
#include "referee/net/lobby/recent_table.h"
#include "referee/net/loop/timers.h"

namespace referee::lobby {

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
    void was_right(const Try& tried);

 private:
    // Tries that are not forgiven yet: each is owed a time, which passes.
    struct Debt {
        Duration owed{};
        Instant at{};
    };
    using Debts = RecentTable<Debt>;
    struct Rows;

    static std::string pair_of(const Try& tried);
    std::int64_t tries(const Debts& debts, const std::string& key,
                       const limits::TryLimits& limits) const;
    void add(Debts& debts, const std::string& key, const limits::TryLimits& limits);

    loop::Timers& timers_;
    GuessNews news_;
    Debts pairs_{limits::tries_remembered_max};
    Debts networks_{limits::tries_remembered_max};
    Debts secrets_{limits::tries_remembered_max};
    RecentTable<bool> right_{limits::tries_remembered_max};
    std::shared_ptr<Rows> rows_;
};

}  // namespace referee::lobby
