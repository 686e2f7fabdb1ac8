#include "tests/sim/timing/simulated_line.h"

#include <algorithm>

#include "referee/net/transport/stamped_stream.h"

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;
using Transport = referee::transport::Transport;
using referee::transport::AskingBudget;

constexpr unsigned acknowledged_at_once = 16;
constexpr std::size_t at_once_of_a_hundred = 50;
constexpr Duration delayed_ack = 40ms;

}  // namespace

// As TcpTransport, over a simulated socket.
class Line::End final : public Transport {
 public:
    explicit End(std::shared_ptr<Line> line)
        : line_(std::move(line)),
          reader_(line_->socket_->handle()),
          writer_(line_->socket_->handle(),
                  boost::asio::use_service<AskingBudget>(line_->world_.loop())) {}
    ~End() override { line_->close_by_referee(); }

    boost::asio::awaitable<void> readable() override {
        const auto line = line_;
        while (!line->socket_->has_news() && !line->closed_) co_await line->readable_.wait();
    }
    boost::asio::awaitable<void> writable() override { co_return; }
    Read read(std::span<char> buffer) override {
        if (line_->closed_) return {Status::closed, 0, {}};
        const auto read = reader_.read(line_->socket_->handle(), buffer);
        if (read.status == Status::good) writer_.heard(line_->socket_->handle(), read.stamp.latest);
        if (read.status == Status::would_block) writer_.collect(line_->socket_->handle());
        return read;
    }
    Write write(std::string_view bytes) override {
        if (line_->closed_) return {Status::closed, 0, {}};
        return writer_.write(line_->socket_->handle(), bytes);
    }
    void close() override {
        line_->close_by_referee();
        line_->wake();
    }
    referee::Path path(Instant now) const override {
        const auto path = writer_.path(line_->socket_->handle(), now);
        return from_this_machine() ? referee::Path{path.least, path.least} : path;
    }
    std::string peer() const override { return line_->traits_.address + ":1"; }
    std::string peer_address() const override { return line_->traits_.address; }
    void continues(std::shared_ptr<referee::clock::PathHistory> known) override {
        writer_.continues(std::move(known));
    }
    bool from_this_machine() const override { return line_->traits_.from_this_machine; }
    bool stamped_by_kernel() const override { return true; }
    std::string_view stamp_source() const override { return "simulated kernel"; }

 private:
    std::shared_ptr<Line> line_;
    referee::transport::StampedReader reader_;
    mutable referee::transport::StampedWriter writer_;
};

Line::Line(World& world, LineTraits traits, Random random)
    : world_(world),
      traits_(std::move(traits)),
      random_(random),
      socket_(std::make_unique<Socket>(
          world, traits_.kernel, Random(random_.next()),
          [this](std::string_view bytes, std::uint32_t end) { taken(bytes, end); },
          [this] { wake(); }, [this] { tell_read(); })),
      readable_(world.loop().get_executor()),
      begun_(world.now()) {
    // The handshake.
    Instant last{};
    const auto there = arrival(last) - world_.now();
    last = {};
    socket_->measured(there + (arrival(last) - world_.now()) + held());
}

std::unique_ptr<Transport> Line::transport() {
    return std::make_unique<End>(shared_from_this());
}

void Line::wake() {
    readable_.notify();
}

Duration Line::held() {
    const auto& acks = traits_.acks;
    if (world_.now() - begun_ < acks.held_after) return Duration::zero();
    if (acks.varies == Duration::zero()) return acks.held;
    return acks.held + random_below(random_, acks.varies);
}

Instant Line::arrival(Instant& last) {
    auto at = world_.now() + traits_.way.round_trip / 2;
    if (traits_.way.jitter > Duration::zero()) at += random_below(random_, traits_.way.jitter);
    last = std::max(last, at);
    return last;
}

void Line::send(std::string bytes, OnWay on_way) {
    // What the bot sends acknowledges what has come, unless its kernel holds that back.
    const auto end = held() > Duration::zero() ? 0 : delivered_end_;
    acknowledged_ = std::max(acknowledged_, end);
    auto at = arrival(last_up_);
    if (traits_.stops != nullptr) last_up_ = at = traits_.stops->kernel_awake(at);
    world_.outside().schedule(
        at, [self = shared_from_this(), end, bytes = std::move(bytes), on_way = std::move(on_way)] {
            if (self->closed_) return;
            self->arrived_ += bytes.size();
            if (on_way.read) self->unread_.push_back({self->arrived_, on_way.read});
            self->socket_->acknowledged(end);
            self->socket_->came(bytes);
            if (on_way.arrived) on_way.arrived(self->world_.now());
        });
}

void Line::hang_up() {
    close();
    world_.outside().schedule(arrival(last_up_),
                              [self = shared_from_this()] { self->socket_->ended(); });
}

void Line::tell_read() {
    while (!unread_.empty() && unread_.front().end <= socket_->read_so_far()) {
        unread_.front().read(world_.now());
        unread_.pop_front();
    }
}

void Line::taken(std::string_view bytes, std::uint32_t end) {
    world_.outside().schedule(arrival(last_down_),
                              [self = shared_from_this(), text = std::string(bytes),
                               left = Left{world_.now(), end}] { self->delivered(text, left); });
}

void Line::delivered(const std::string& bytes, Left left) {
    const auto end = left.end;
    ++delivered_;
    delivered_end_ = end;
    const auto hold = held();
    const bool at_once = delivered_ <= acknowledged_at_once || random_.chance(at_once_of_a_hundred);
    const auto after = hold > Duration::zero() ? hold : at_once ? Duration::zero() : delayed_ack;
    if (after == Duration::zero()) {
        acknowledge(end);
    } else {
        world_.later(after, [self = shared_from_this(), end] { self->acknowledge(end); });
    }
    if (on_bytes_) on_bytes_(bytes, left);
}

void Line::acknowledge(std::uint32_t end) {
    if (end <= acknowledged_) return;
    acknowledged_ = end;
    auto at = arrival(last_up_);
    if (traits_.stops != nullptr) last_up_ = at = traits_.stops->kernel_awake(at);
    world_.outside().schedule(at, [self = shared_from_this(), end] {
        if (!self->closed_) self->socket_->acknowledged(end);
    });
}

}  // namespace tests::sim::timing
