#include "referee/launch/supply/bot_listener.h"

#include <utility>

namespace referee::supply {
namespace {

// A connection that is counted as long as it is open.
class CountedTransport final : public loop::Transport {
 public:
    CountedTransport(std::unique_ptr<loop::Transport> link, std::shared_ptr<int> open)
        : link_(std::move(link)), open_(std::move(open)) {
        ++*open_;
    }
    ~CountedTransport() override { --*open_; }

    boost::asio::awaitable<void> readable() override { return link_->readable(); }
    Read read(std::span<char> buffer) override { return link_->read(buffer); }
    boost::asio::awaitable<void> writable() override { return link_->writable(); }
    Write write(std::string_view bytes) override { return link_->write(bytes); }
    void close() override { link_->close(); }
    Path path(Instant now) const override { return link_->path(now); }
    std::string peer() const override { return link_->peer(); }
    std::string peer_address() const override { return link_->peer_address(); }
    bool from_this_machine() const override { return link_->from_this_machine(); }
    bool stamped_by_kernel() const override { return link_->stamped_by_kernel(); }
    std::string_view stamp_source() const override { return link_->stamp_source(); }

 private:
    std::unique_ptr<loop::Transport> link_;
    std::shared_ptr<int> open_;
};

}  // namespace

std::unique_ptr<BotListener> BotListener::open(process::Descriptor socket, lobby::Lobby& lobby,
                                               const boost::asio::any_io_executor& executor,
                                               Calls calls) {
    if (!socket) return nullptr;
    auto adopted = transport::Listener::adopt(executor, socket.release());
    if (!adopted) {
        calls.on_remark(adopted.error().message);
        return nullptr;
    }
    return std::unique_ptr<BotListener>(
        new BotListener(*std::move(adopted), lobby, std::move(calls)));
}

BotListener::BotListener(std::unique_ptr<transport::Listener> listener, lobby::Lobby& lobby,
                         Calls calls)
    : lobby_(lobby), calls_(std::move(calls)), listener_(std::move(listener)) {
    listener_->start(
        [this](auto transport) {
            if (*open_ >= connections_max) {  // it is closed
                calls_.on_refused("it has " + std::to_string(*open_) +
                                  " connections open, and more are closed at once");
                return;
            }
            lobby_.admit(std::make_unique<CountedTransport>(std::move(transport), open_),
                         {calls_.login_time_max(), calls_.bot});
        },
        [this](const std::string& reason) { calls_.on_remark("accepting pauses: " + reason); });
}

}  // namespace referee::supply
