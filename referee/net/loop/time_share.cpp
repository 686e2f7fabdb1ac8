#include "referee/net/loop/time_share.h"

#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "referee/net/loop/wakeup.h"

namespace referee::loop {

// Outlives the share as long as somebody still waits.
class TimeShare::State {
 public:
    State(Timers& timers, double share, Duration at_once)
        : timers_(timers),
          share_(share),
          at_once_(at_once),
          left_(at_once),
          gained_at_(timers.now()) {}

    bool is_open() const { return is_open_; }
    Instant now() const { return timers_.now(); }

    Duration wait() {
        gain();
        if (left_ > Duration::zero()) return Duration::zero();
        constexpr Duration beyond = std::chrono::microseconds(1);
        return std::chrono::duration_cast<Duration>(-left_ / share_) + beyond;
    }
    // Whether a piece may begin now, before anybody who waits.
    bool is_free() { return order_.empty() && granted_.empty() && wait() == Duration::zero(); }

    // Returns what is notified when the turn has come.
    Wakeup& enter(const std::string& name, const boost::asio::any_io_executor& executor) {
        auto& account = account_of(name);
        account.second.waiting.emplace_back(executor);
        auto& signal = account.second.waiting.back();
        if (account.second.waiting.size() == 1) put_in_order(account);
        plan();
        return signal;
    }

    void charge(const std::string& name, Duration took, bool was_granted) {
        if (!is_open_) return;
        gain();
        left_ -= took;
        add_to(account_of(name), took);
        if (was_granted) granted_.clear();
        plan();
    }

    void set_share(double share) {
        if (share == share_) return;
        gain();
        share_ = share;
        plan();
    }

    void give_back(const std::string& name, Duration time) {
        left_ = std::min(left_ + time, at_once_);
        if (const auto found = accounts_.find(name); found != accounts_.end())
            add_to(*found, -time);
        plan();
    }

    void close() {
        is_open_ = false;
        timers_.cancel(timer_);
        for (auto& [name, account] : accounts_) {
            for (auto& signal : account.waiting) signal.notify();
        }
    }

 private:
    struct Account {
        Duration charged{};
        std::uint64_t asked = 0;  // when it began to wait
        std::list<Wakeup> waiting;
    };
    using Named = std::pair<const std::string, Account>;
    struct GoesFirst {
        bool operator()(const Named* a, const Named* b) const {
            return std::tie(a->second.charged, a->second.asked) <
                   std::tie(b->second.charged, b->second.asked);
        }
    };

    Named& account_of(const std::string& name) {
        if (accounts_.size() >= networks_remembered_max)
            std::erase_if(accounts_, [](const Named& one) { return one.second.waiting.empty(); });
        return *accounts_.try_emplace(name).first;
    }

    void put_in_order(Named& account) {
        account.second.asked = ++asked_;
        order_.insert(&account);
    }

    void add_to(Named& account, Duration time) {
        const auto waits = order_.extract(&account);
        account.second.charged += time;
        if (waits) order_.insert(&account);
    }

    void gain() {
        const auto now = timers_.now();
        left_ += std::chrono::duration_cast<Duration>((now - gained_at_) * share_);
        gained_at_ = now;
        if (left_ < at_once_) return;
        left_ = at_once_;
        if (order_.empty()) accounts_.clear();
    }

    // The first of those who wait goes on as soon as something is left and nobody is at work.
    void plan() {
        timers_.cancel(std::exchange(timer_, 0));
        if (order_.empty() || !granted_.empty()) return;
        const auto pause = wait();
        if (pause == Duration::zero()) return grant();
        timer_ = timers_.schedule(timers_.now() + pause, [this] {
            timer_ = 0;
            plan();
        });
    }

    void grant() {
        auto& account = **order_.begin();
        order_.erase(order_.begin());
        auto& waiting = account.second.waiting;
        granted_.splice(granted_.end(), waiting, waiting.begin());
        if (!waiting.empty()) put_in_order(account);
        granted_.front().notify();
    }

    Timers& timers_;
    double share_;
    Duration at_once_;
    Duration left_;  // less than nothing where a piece went beyond
    Instant gained_at_;
    bool is_open_ = true;
    Timers::Id timer_ = 0;
    std::uint64_t asked_ = 0;
    std::map<std::string, Account> accounts_;
    std::set<Named*, GoesFirst> order_;  // those that wait
    std::list<Wakeup> granted_;          // whose turn has come, and hasn't ended: one at most
};

TimeShare::TimeShare(Timers& timers, double share, Duration at_once)
    : state_(std::make_shared<State>(timers, share, at_once)) {}

TimeShare::~TimeShare() {
    state_->close();
}

boost::asio::awaitable<TimeShare::Piece> TimeShare::turn(std::string account) {
    const auto state = state_;
    if (state->is_free()) co_return Piece(state, std::move(account), false);
    const auto executor = co_await boost::asio::this_coro::executor;
    co_await state->enter(account, executor).wait();
    co_return Piece(state, std::move(account), true);
}

Duration TimeShare::wait() const {
    return state_->wait();
}

TimeShare::Piece TimeShare::begin(std::string account) {
    return {state_, std::move(account), false};
}

void TimeShare::set_share(double share) {
    state_->set_share(share);
}

void TimeShare::give_back(const std::string& account, Duration time) {
    state_->give_back(account, time);
}

TimeShare::Piece::Piece(std::shared_ptr<State> state, std::string account, bool was_granted)
    : state_(std::move(state)), account_(std::move(account)), was_granted_(was_granted) {
    if (state_->is_open()) since_ = state_->now();
}

Duration TimeShare::Piece::end() {
    const auto state = std::exchange(state_, nullptr);
    if (state == nullptr || !state->is_open()) return {};
    const auto took = state->now() - since_;
    state->charge(account_, took, was_granted_);
    return took;
}

}  // namespace referee::loop
