#include "referee/net/lobby/guesses.h"

#include <algorithm>

namespace referee::lobby {
namespace {

Duration wait_after(std::int64_t tries, const limits::TryLimits& limits) {
    if (tries <= limits.free) return Duration::zero();
    auto wait = limits::try_wait_first;
    auto doublings = (tries - limits.free - 1) / limits.tries_a_doubling;
    for (; doublings > 0 && wait < limits::try_wait_max; --doublings) wait *= 2;
    return std::min(wait, limits::try_wait_max);
}

}  // namespace

// Shared with the places, which may outlive the rest.
struct Guesses::Rows {
    std::map<std::string, std::size_t> waiting;  // by pair, and by network

    std::size_t count(const std::string& key) const {
        const auto found = waiting.find(key);
        return found == waiting.end() ? 0 : found->second;
    }
    void leave(const std::string& key) {
        const auto found = waiting.find(key);
        if (--found->second == 0) waiting.erase(found);
    }
};

Guesses::Guesses(loop::Timers& timers, GuessNews::Tell tell)
    : timers_(timers), news_(timers, std::move(tell)), rows_(std::make_shared<Rows>()) {}

std::string Guesses::pair_of(const Try& tried) {
    return tried.network + ' ' + tried.secret;
}

std::int64_t Guesses::tries(const Debts& debts, const std::string& key,
                            const limits::TryLimits& limits) const {
    const auto* debt = debts.find(key);
    if (debt == nullptr) return 0;
    const auto left = debt->owed - (timers_.now() - debt->at);
    if (left <= Duration::zero()) return 0;
    return (left + limits.forgiven_every - Duration(1)) / limits.forgiven_every;
}

void Guesses::add(Debts& debts, const std::string& key, const limits::TryLimits& limits) {
    const auto now = timers_.now();
    auto& debt = debts.touch(key);
    const auto left = std::max(Duration::zero(), debt.owed - (now - debt.at));
    debt = {std::min(left + limits.forgiven_every, limits.counted_max * limits.forgiven_every),
            now};
}

Duration Guesses::wait_of(const Try& tried) const {
    const auto pair = pair_of(tried);
    const auto of_pair = tried.shared ? 0 : tries(pairs_, pair, limits::tries_of_pair);
    auto wait = wait_after(of_pair, limits::tries_of_pair);
    const bool known = right_.find(pair) != nullptr;
    if (tried.shared || (of_pair > 0 && !known)) {
        const auto of_network = tries(networks_, tried.network, limits::tries_of_network);
        wait = std::max(wait, wait_after(of_network, limits::tries_of_network));
    }
    if (!known) {
        const auto of_secret = tries(secrets_, tried.secret, limits::tries_of_secret);
        wait = std::max(wait, wait_after(of_secret, limits::tries_of_secret));
    }
    return wait;
}

Guesses::Place Guesses::take_place(const Try& tried) {
    const auto pair = pair_of(tried);
    if ((!tried.shared && rows_->count(pair) >= limits::tries_waiting_of_pair_max) ||
        rows_->count(tried.network) >= limits::tries_waiting_of_network_max) {
        news_.turned_away(tried.network);
        return nullptr;
    }
    ++rows_->waiting[pair];
    ++rows_->waiting[tried.network];
    return {this, [rows = rows_, pair, network = tried.network](void* /*this*/) {
                rows->leave(pair);
                rows->leave(network);
            }};
}

void Guesses::was_wrong(const Try& tried) {
    const auto pair = pair_of(tried);
    if (!tried.shared) add(pairs_, pair, limits::tries_of_pair);
    add(networks_, tried.network, limits::tries_of_network);
    add(secrets_, tried.secret, limits::tries_of_secret);
    const auto of_pair = tries(pairs_, pair, limits::tries_of_pair);
    const auto of_network = tries(networks_, tried.network, limits::tries_of_network);
    const auto of_secret = tries(secrets_, tried.secret, limits::tries_of_secret);
    const bool many_here =
        of_pair > limits::tries_of_pair.free || of_network > limits::tries_of_network.free;
    if (many_here) {
        news_.wrong(tried.network, tried.secret, std::max(of_pair, of_network));
    } else if (of_secret > limits::tries_of_secret.free) {
        news_.wrong("many addresses", tried.secret, of_secret);
    } else {
        news_.wrong_where_told(tried.network, tried.secret);
    }
}

void Guesses::was_right(const Try& tried) {
    right_.touch(pair_of(tried)) = true;
}

}  // namespace referee::lobby
