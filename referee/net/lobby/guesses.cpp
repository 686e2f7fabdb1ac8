#include "referee/net/lobby/guesses.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <string_view>
#include <utility>

#include "protocol/base/text.h"

namespace referee::lobby {
namespace {

constexpr std::string_view further_places = "further addresses";

Duration wait_after(std::int64_t tries, const TryLimits& limits) {
    if (tries <= limits.free) return Duration::zero();
    auto wait = try_wait_first;
    auto doublings = (tries - limits.free - 1) / limits.tries_a_doubling;
    for (; doublings > 0 && wait < try_wait_max; --doublings) wait *= 2;
    return std::min(wait, try_wait_max);
}

}  // namespace

std::string network_of(std::string_view address) {
    namespace ip = boost::asio::ip;
    constexpr std::size_t network_bytes = 8;  // of an IPv6 address
    boost::system::error_code error;
    const auto parsed = ip::make_address(std::string(address), error);
    if (error || parsed.is_v4()) return std::string(address);
    const auto v6 = parsed.to_v6();
    if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
    auto bytes = v6.to_bytes();
    std::fill(bytes.begin() + network_bytes, bytes.end(), static_cast<unsigned char>(0));
    return ip::address_v6(bytes).to_string() + "/64";
}

GuessNews::GuessNews(loop::Timers& timers, Tell tell) : timers_(timers), tell_(std::move(tell)) {}

GuessNews::~GuessNews() {
    timers_.cancel(timer_);
}

void GuessNews::wrong(const std::string& place, const std::string& secret, std::int64_t tries) {
    auto found = bursts_.find(place);
    if (found == bursts_.end()) {
        const bool alone = bursts_.size() < bursts_told_max;
        const auto& subject = alone ? place : std::string(further_places);
        const auto [entry, begins] = bursts_.try_emplace(subject);
        found = entry;
        if (begins) {
            found->second.tries = tries - 1;
            found->second.began = timers_.now();
            tell_("wrong secrets are tried from " + subject + ": " + base::counted(tries, "time") +
                  " lately, the last at " + secret +
                  "; answers to wrong tries come later and later from now on");
        }
    }
    count(found->second, secret);
    look_later();
}

void GuessNews::wrong_where_told(const std::string& place, const std::string& secret) {
    const auto found = bursts_.find(place);
    if (found != bursts_.end()) count(found->second, secret);
}

void GuessNews::count(Burst& burst, const std::string& secret) {
    ++burst.tries;
    burst.last = timers_.now();
    burst.last_secret = secret;
    if (burst.secrets.size() < burst_secrets_max) burst.secrets.insert(secret);
}

void GuessNews::turned_away(const std::string& place) {
    auto found = bursts_.find(place);
    if (found == bursts_.end()) found = bursts_.find(std::string(further_places));
    if (found == bursts_.end()) return;
    ++found->second.turned_away;
    found->second.last = timers_.now();
}

void GuessNews::look() {
    timer_ = 0;
    for (auto burst = bursts_.begin(); burst != bursts_.end();) {
        const auto& [place, sum] = *burst;
        if (timers_.now() - sum.last < burst_silence) {
            ++burst;
            continue;
        }
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(sum.last - sum.began).count();
        auto line = "no more wrong secrets from " + place + ": " +
                    base::counted(sum.tries, "try", "tries") + " within " +
                    base::counted(std::max<std::int64_t>(seconds, 1), "second");
        const bool uncounted = sum.secrets.size() >= burst_secrets_max;
        line += ", at " + std::string(uncounted ? "at least " : "") +
                base::counted(sum.secrets.size(), "secret") + ", the last at " + sum.last_secret;
        if (sum.turned_away > 0)
            line += fmt::format("; {} more were turned away unjudged", sum.turned_away);
        tell_(line);
        burst = bursts_.erase(burst);
    }
    look_later();
}

void GuessNews::look_later() {
    if (timer_ != 0 || bursts_.empty()) return;
    const auto first =
        std::ranges::min_element(bursts_, {}, [](const auto& burst) { return burst.second.last; });
    timer_ = timers_.schedule(first->second.last + burst_silence, [this] { look(); });
}

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

std::int64_t Guesses::tries(const Debts& debts, const std::string& key,
                            const TryLimits& limits) const {
    const auto* debt = debts.find(key);
    if (debt == nullptr) return 0;
    const auto left = debt->owed - (timers_.now() - debt->at);
    if (left <= Duration::zero()) return 0;
    return (left + limits.forgiven_every - Duration(1)) / limits.forgiven_every;
}

void Guesses::add(Debts& debts, const std::string& key, const TryLimits& limits) {
    const auto now = timers_.now();
    auto& debt = debts.touch(key);
    const auto left = std::max(Duration::zero(), debt.owed - (now - debt.at));
    debt = {std::min(left + limits.forgiven_every, limits.counted_max * limits.forgiven_every),
            now};
}

Duration Guesses::wait_of(const Try& tried) const {
    const auto pair = pair_of(tried);
    const auto of_pair = tried.shared ? 0 : tries(pairs_, pair, tries_of_pair);
    auto wait = wait_after(of_pair, tries_of_pair);
    const bool known = right_.find(pair) != nullptr;
    if (tried.shared || (of_pair > 0 && !known)) {
        const auto of_network = tries(networks_, tried.network, tries_of_network);
        wait = std::max(wait, wait_after(of_network, tries_of_network));
    }
    if (!known) {
        const auto of_secret = tries(secrets_, tried.secret, tries_of_secret);
        wait = std::max(wait, wait_after(of_secret, tries_of_secret));
    }
    return wait;
}

Guesses::Place Guesses::take_place(const Try& tried) {
    const auto pair = pair_of(tried);
    if ((!tried.shared && rows_->count(pair) >= tries_waiting_of_pair_max) ||
        rows_->count(tried.network) >= tries_waiting_of_network_max) {
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
    if (!tried.shared) add(pairs_, pair, tries_of_pair);
    add(networks_, tried.network, tries_of_network);
    add(secrets_, tried.secret, tries_of_secret);
    const auto of_pair = tries(pairs_, pair, tries_of_pair);
    const auto of_network = tries(networks_, tried.network, tries_of_network);
    const auto of_secret = tries(secrets_, tried.secret, tries_of_secret);
    const bool many_here = of_pair > tries_of_pair.free || of_network > tries_of_network.free;
    if (many_here) {
        news_.wrong(tried.network, tried.secret, std::max(of_pair, of_network));
    } else if (of_secret > tries_of_secret.free) {
        news_.wrong("many addresses", tried.secret, of_secret);
    } else {
        news_.wrong_where_told(tried.network, tried.secret);
    }
}

}  // namespace referee::lobby
