#include "tests/sim/timing/kernel.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "referee/net/loop/timers.h"
#include "referee/net/transport/kernel_stamps.h"

namespace tests::sim::timing {
namespace {

// No program has so many descriptors: these are simulated sockets.
constexpr int first_handle = 1 << 24;

// The kernel is one for the whole program, and is called by the numbers of sockets. So this is the
// only thing here that all can reach.
std::map<int, Socket*>& sockets() {
    static std::map<int, Socket*> all;
    return all;
}

Socket* socket_of(int handle) {
    if (handle < first_handle) return nullptr;
    return sockets().at(handle);
}

// The simulated wall clock shows the monotonic time.
timespec as_timespec(Instant at) {
    constexpr std::int64_t ns_a_second = 1'000'000'000;
    const auto ns = at.time_since_epoch().count();
    return {ns / ns_a_second, ns % ns_a_second};
}

}  // namespace

Socket::Socket(World& world, KernelHabits habits, Random random, OnSent on_sent, OnNews on_news,
               OnRead on_read)
    : world_(world),
      habits_(habits),
      random_(random),
      on_sent_(std::move(on_sent)),
      on_news_(std::move(on_news)),
      on_read_(std::move(on_read)),
      handle_(sockets().empty() ? first_handle : sockets().rbegin()->first + 1) {
    sockets().emplace(handle_, this);
}

Socket::~Socket() {
    sockets().erase(handle_);
}

void Socket::came(std::string_view bytes) {
    ++segments_;
    bytes_ += bytes.size();
    if (!unread_.empty() && random_.chance(habits_.joins)) {
        unread_.back().bytes += bytes;
        unread_.back().stamp = world_.now();
    } else {
        unread_.push_back({std::string(bytes), world_.now()});
    }
    on_news_();
}

void Socket::acknowledged(std::uint32_t end) {
    std::optional<Sent> newest;
    while (!under_way_.empty() && under_way_.front().end <= end) {
        newest = under_way_.front();
        under_way_.pop_front();
        if (newest->asked)
            stamps_.push_back({Seen::What::acknowledged, newest->end - 1, as_timespec(now())});
    }
    if (newest) measured(now() - newest->left);
    if (!stamps_.empty()) on_news_();
}

void Socket::measured(Duration round_trip) {
    least_ = least_ == Duration::zero() ? round_trip : std::min(least_, round_trip);
    while (!lately_.empty() && now() - lately_.front().at >= habits_.forgets_after)
        lately_.pop_front();
    lately_.push_back({now(), round_trip});
}

Duration Socket::least_lately() const {
    const auto oldest = std::ranges::find_if(
        lately_, [this](const Measured& one) { return now() - one.at < habits_.forgets_after; });
    Duration least{};
    for (auto one = oldest; one != lately_.end(); ++one)
        least = least == Duration::zero() ? one->round_trip : std::min(least, one->round_trip);
    if (least > Duration::zero() || lately_.empty()) return least;
    return lately_.back().round_trip;
}

void Socket::ended() {
    ended_ = true;
    on_news_();
}

void Socket::pass_some_time() {
    if (habits_.call_most > Duration::zero())
        world_.spend(random_below(random_, habits_.call_most));
    if (!habits_.aside_only_in_sends) put_aside();
}

void Socket::put_aside() {
    if (random_.below(1000) >= habits_.put_aside) return;
    world_.spend(Duration(static_cast<Duration::rep>(
        random_.between(static_cast<std::uint64_t>(habits_.aside_least.count()),
                        static_cast<std::uint64_t>(habits_.aside_most.count())))));
}

referee::transport::StampedRead Socket::receive(std::span<char> room, bool peeks) {
    if (!look_began_) look_began_ = now();
    pass_some_time();
    if (unread_.empty()) {
        emptied_.push_back({*std::exchange(look_began_, std::nullopt), now()});
        pass_some_time();
        errno = EAGAIN;
        return {ended_ ? 0 : -1, std::nullopt};
    }
    std::size_t got = 0;
    Instant stamp{};
    auto skipped = taken_;
    for (auto piece = unread_.begin(); piece != unread_.end() && got < room.size(); ++piece) {
        const auto size = std::min(room.size() - got, piece->bytes.size() - skipped);
        std::copy_n(piece->bytes.data() + skipped, size, room.data() + got);
        stamp = piece->stamp;
        skipped = 0;
        got += size;
    }
    if (!peeks) {
        read_ += got;
        const auto began = *std::exchange(look_began_, std::nullopt);
        if (read_ == bytes_) emptied_.push_back({began, now()});
        on_read_();
        taken_ += got;
        while (!unread_.empty() && taken_ >= unread_.front().bytes.size()) {
            taken_ -= unread_.front().bytes.size();
            unread_.pop_front();
        }
    }
    pass_some_time();
    return {static_cast<ssize_t>(got), as_timespec(stamp)};
}

bool Socket::was_emptied(Instant from, Instant to) const {
    const auto first =
        std::lower_bound(emptied_.begin(), emptied_.end(), from,
                         [](const referee::Stamp& look, Instant at) { return look.earliest < at; });
    return first != emptied_.end() && first->latest < to;
}

ssize_t Socket::send(std::string_view bytes, bool asks) {
    const auto began = now();
    pass_some_time();
    if (habits_.aside_only_in_sends) put_aside();
    sent_ += static_cast<std::uint32_t>(bytes.size());
    under_way_.push_back({sent_, now(), asks});
    if (asks) {
        stamps_.push_back({Seen::What::left, sent_ - 1, as_timespec(now())});
        on_news_();
    }
    on_sent_(bytes, sent_);
    pass_some_time();
    if (habits_.aside_only_in_sends) put_aside();
    handed_[sent_] = {began, now()};
    return static_cast<ssize_t>(bytes.size());
}

referee::transport::TcpFacts Socket::facts() const {
    return {least_lately(), {}, segments_, bytes_};
}

std::vector<Socket::Seen> Socket::take_stamps() {
    return std::exchange(stamps_, {});
}

}  // namespace tests::sim::timing

// What the code of the referee calls, in place of the files that ask the machine's own kernel.
namespace referee::transport {

using tests::sim::timing::socket_of;

bool stamp_arrivals(int /*socket*/) {
    return true;
}

StampedRead read_stamped(int socket, std::span<char> buffer, int flags) {
    return socket_of(socket)->receive(buffer, (flags & MSG_PEEK) != 0);
}

void watch_peer(int) {}

void set_up_for_bots(int) {}

TcpFacts tcp_facts(int socket) {
    return socket_of(socket)->facts();
}

SendStamps::SendStamps(int socket) : available_(socket_of(socket)->stamps_sends()) {}

ssize_t SendStamps::send_and_ask(int socket, std::string_view bytes) {
    return socket_of(socket)->send(bytes, true);
}

void SendStamps::take(int socket, const std::function<void(const Seen&)>& each) {
    for (const auto& seen : socket_of(socket)->take_stamps()) each(seen);
}

std::optional<Instant> StampConverter::convert(const timespec& wall_stamp) {
    return Instant(std::chrono::seconds(wall_stamp.tv_sec) +
                   std::chrono::nanoseconds(wall_stamp.tv_nsec));
}

}  // namespace referee::transport

// The linker turns each call of NAME into one of __wrap_NAME (CMakeLists.txt names them), and what
// is called __real_NAME is the machine's own.
using tests::sim::timing::socket_of;
using tests::sim::timing::sockets;

ssize_t real_recv(int socket, void* buffer, size_t size, int flags) asm("__real_recv");
ssize_t real_send(int socket, const void* buffer, size_t size, int flags) asm("__real_send");
referee::Instant real_now() asm("__real__ZN7referee4loop13monotonic_nowEv");
ssize_t simulated_recv(int socket, void* buffer, size_t size, int flags) asm("__wrap_recv");
ssize_t simulated_send(int socket, const void* buffer, size_t size, int flags) asm("__wrap_send");
referee::Instant simulated_now() asm("__wrap__ZN7referee4loop13monotonic_nowEv");

ssize_t simulated_recv(int socket, void* buffer, size_t size, int flags) {
    auto* found = socket_of(socket);
    if (found == nullptr) return real_recv(socket, buffer, size, flags);
    return found->receive({static_cast<char*>(buffer), size}, false).bytes;
}

ssize_t simulated_send(int socket, const void* buffer, size_t size, int flags) {
    auto* found = socket_of(socket);
    if (found == nullptr) return real_send(socket, buffer, size, flags);
    return found->send({static_cast<const char*>(buffer), size}, false);
}

referee::Instant simulated_now() {
    return sockets().empty() ? real_now() : sockets().begin()->second->now();
}

namespace tests::sim::timing {

Duration Stops::lost(StopKind kind, Instant from, Instant to) const {
    Duration sum{};
    for (const auto& stop : stops_) {
        if (stop.kind != kind) continue;
        sum +=
            std::max(std::min(stop.to, to) - std::max(stop.from, from), Duration(Duration::zero()));
    }
    return sum;
}

Instant Stops::kernel_awake(Instant at) const {
    for (const auto& stop : stops_) {
        if (stop.kind == StopKind::machine && stop.from <= at && at < stop.to) return stop.to;
    }
    return at;
}

Instant Stops::after(Instant from, Duration time) const {
    auto end = kernel_awake(from) + time;
    for (const auto& stop : stops_) {
        if (stop.kind == StopKind::machine && stop.from >= from && stop.from < end)
            end += stop.to - stop.from;
    }
    return end;
}

Duration StoppedMachine::core_wait() const {
    return stops_.lost(StopKind::starved, Instant{}, world_.now());
}

// A beat was due some time after the stop began: on average half of the time between two.
std::optional<referee::loop::Machine::Pulse> StoppedMachine::heartbeat(Instant now) const {
    Duration stood{};
    for (const auto& stop : stops_.all()) {
        const auto lost = stops_.lost(StopKind::machine, stop.from, std::min(stop.to, now));
        if (stop.kind != StopKind::machine) continue;
        const auto until_due = stop.from.time_since_epoch() % beat_every;
        stood += std::max(lost - until_due, Duration(Duration::zero()));
    }
    return Pulse{.stood = stood, .core_wait = {}};
}

}  // namespace tests::sim::timing
