#include "tests/sim/link.h"

#include <algorithm>

namespace tests::sim {

namespace asio = boost::asio;
using Status = referee::transport::Transport::Status;

class Link::ServerEnd final : public referee::transport::Transport {
 public:
    explicit ServerEnd(std::shared_ptr<Link> link) : link_(std::move(link)) {}
    ~ServerEnd() override { link_->close_by_server(); }

    asio::awaitable<void> readable() override {
        const auto link = link_;
        while (!link->woken_ && !link->server_closed_) co_await link->readable_.wait();
    }
    Read read(std::span<char> buffer) override { return link_->take(buffer); }
    asio::awaitable<void> writable() override {
        const auto link = link_;
        while (link->outbox_.size() >= link->traits_.window && !link->server_closed_ &&
               !link->broken_) {
            co_await link->writable_.wait();
        }
    }
    Write write(std::string_view bytes) override { return link_->put(bytes); }
    void close() override { link_->close_by_server(); }
    referee::Path path(Instant /*now*/) const override {
        return referee::Path::exact(link_->traits_.tells_round_trip ? 2 * link_->traits_.delay
                                                                    : Duration::zero());
    }
    std::string peer() const override {
        return link_->traits_.address + ":" + std::to_string(link_->number_);
    }
    std::string peer_address() const override { return link_->traits_.address; }
    bool stamped_by_kernel() const override { return true; }
    std::string_view stamp_source() const override { return "simulated arrival"; }

 private:
    std::shared_ptr<Link> link_;
};

Link::Link(World& world, std::uint64_t number, LinkTraits traits, Random random, Peer& peer,
           Wire* wire)
    : world_(world),
      number_(number),
      traits_(std::move(traits)),
      random_(random),
      peer_(&peer),
      wire_(wire),
      readable_(world.loop().get_executor()),
      writable_(world.loop().get_executor()) {}

std::unique_ptr<referee::transport::Transport> Link::server_end() {
    return std::make_unique<ServerEnd>(shared_from_this());
}

Instant Link::arrival(Instant& last) {
    auto at = world_.now() + traits_.delay;
    if (traits_.jitter > Duration::zero()) at += random_below(random_, traits_.jitter);
    last = std::max(last, at);
    return last;
}

void Link::send(std::string_view bytes) {
    if (peer_ == nullptr || closing_) return;
    while (!bytes.empty()) {
        const auto most =
            traits_.piece_max == 0 ? bytes.size() : std::min(bytes.size(), traits_.piece_max);
        const auto size = most == 1 || traits_.piece_max == 0 ? most : 1 + random_.below(most);
        world_.outside().schedule(arrival(last_up_), [self = shared_from_this(),
                                                      piece = std::string(bytes.substr(0, size))] {
            self->arrive(piece);
        });
        bytes.remove_prefix(size);
    }
}

void Link::arrive(std::string bytes) {
    if (server_closed_ || broken_ || vanished_) return;
    if (wire_ != nullptr)
        lines_up_.add(bytes, [this](std::string_view line) { wire_->from_bot(*this, line); });
    inbox_.push_back({std::move(bytes), world_.now()});
    if (traits_.read_lag == Duration::zero()) {
        wake_reader();
    } else {
        world_.later(traits_.read_lag, [self = shared_from_this()] { self->wake_reader(); });
    }
}

void Link::wake_reader() {
    woken_ = true;
    readable_.notify();
}

referee::transport::Transport::Read Link::take(std::span<char> buffer) {
    if (server_closed_) return {Status::closed, 0, referee::Stamp::exact(world_.now())};
    if (inbox_.empty()) {
        if (broken_) return {Status::failed, 0, referee::Stamp::exact(world_.now())};
        if (ended_) return {Status::closed, 0, referee::Stamp::exact(world_.now())};
        woken_ = false;
        return {Status::would_block, 0, {}};
    }
    auto& piece = inbox_.front();
    const auto size = std::min(buffer.size(), piece.bytes.size() - taken_);
    std::copy_n(piece.bytes.data() + taken_, size, buffer.data());
    const auto stamp = piece.stamp;
    taken_ += size;
    if (taken_ == piece.bytes.size()) {
        inbox_.pop_front();
        taken_ = 0;
    }
    woken_ = !inbox_.empty() || broken_ || ended_;
    world_.spend(traits_.read_time);
    return {Status::good, size, referee::Stamp::exact(stamp)};
}

referee::transport::Transport::Write Link::put(std::string_view bytes) {
    if (server_closed_) return {Status::closed, 0, {}};
    if (broken_) return {Status::failed, 0, {}};
    if (ended_) return {Status::closed, 0, {}};
    const auto room = traits_.window - std::min(traits_.window, outbox_.size());
    auto size = std::min(room, bytes.size());
    if (size > 1 && traits_.partial_writes && random_.chance(30)) size = 1 + random_.below(size);
    if (size == 0) return {Status::would_block, 0, referee::Stamp::exact(world_.now())};
    world_.spend(write_time_);
    const auto taken = bytes.substr(0, size);
    if (wire_ != nullptr)
        lines_down_.add(taken, [this](std::string_view line) { wire_->to_bot(*this, line); });
    outbox_ += taken;
    if (!vanished_) {
        world_.outside().schedule(arrival(last_down_),
                                  [self = shared_from_this(), size] { self->deliver(size); });
    }
    return {Status::good, size, referee::Stamp::exact(world_.now())};
}

void Link::deliver(std::size_t bytes) {
    landed_ += bytes;
    if (!reads_ || vanished_ || broken_) return;
    const auto text = outbox_.substr(0, landed_);
    outbox_.erase(0, landed_);
    landed_ = 0;
    writable_.notify();
    if (peer_ != nullptr && !text.empty()) peer_->on_bytes(*this, text);
}

void Link::read(bool reads) {
    reads_ = reads;
    if (!reads) sound_ = false;
    if (reads) deliver(0);
}

void Link::close() {
    if (peer_ == nullptr || closing_) return;
    closing_ = true;
    sound_ = false;
    peer_ = nullptr;
    world_.outside().schedule(arrival(last_up_), [self = shared_from_this()] {
        self->ended_ = true;
        self->wake_reader();
        // Nobody reads any more.
        self->outbox_.clear();
        self->landed_ = 0;
        self->reads_ = false;
        self->writable_.notify();
    });
}

void Link::break_off() {
    if (broken_ || server_closed_) return;
    broken_ = true;
    sound_ = false;
    inbox_.clear();
    taken_ = 0;
    wake_reader();
    writable_.notify();
    tell_closed();
}

void Link::vanish() {
    vanished_ = true;
    sound_ = false;
    peer_ = nullptr;
}

void Link::close_by_server() {
    if (server_closed_) return;
    server_closed_ = true;
    inbox_.clear();
    readable_.notify();
    writable_.notify();
    if (vanished_) return;
    world_.outside().schedule(arrival(last_down_),
                              [self = shared_from_this()] { self->tell_closed(); });
}

void Link::tell_closed() {
    if (auto* peer = std::exchange(peer_, nullptr); peer != nullptr) peer->on_closed(*this);
}

}  // namespace tests::sim
