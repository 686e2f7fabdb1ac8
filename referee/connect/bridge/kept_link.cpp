#include "referee/connect/bridge/kept_link.h"

#include <utility>

namespace referee::bridge {

using boost::system::error_code;
using Clock = std::chrono::steady_clock;

KeptLink::KeptLink(boost::asio::io_context& loop, protocol::ServerAddress address,
                   Patience patience, KeptLinkNews news)
    : loop_(loop),
      address_(std::move(address)),
      patience_(patience),
      news_(std::move(news)),
      chance_(std::random_device()()),
      pause_(loop),
      patience_timer_(loop) {}

void KeptLink::send(std::string_view text) {
    if (channel_) channel_->send(text);
}

std::size_t KeptLink::unsent() const {
    return channel_ ? channel_->unsent() : 0;
}

void KeptLink::set_reading(bool reading) {
    if (channel_) channel_->set_reading(reading);
}

void KeptLink::end_output() {
    if (channel_) channel_->end_output();
}

void KeptLink::dial_now() {
    if (channel_ || tries_) return;
    watch_patience();
    if (!news_.is_wanted()) return;
    tries_ = true;
    dial(loop_.get_executor(), address_,
         life_.while_it_lasts([this](DialledConnection made) { dialled(std::move(made)); }));
}

void KeptLink::dial_later() {
    if (channel_ || tries_) return;
    watch_patience();
    tries_ = true;
    std::uniform_real_distribution<double> any(0, 1);
    pause_.expires_after(back_off_.next(any(chance_)));
    pause_.async_wait(life_.while_it_lasts([this](error_code error) {
        tries_ = false;
        if (!error) dial_now();
    }));
}

void KeptLink::dialled(DialledConnection made) {
    tries_ = false;
    if (!news_.is_wanted()) return;
    if (!made) {
        if (!made.error().for_good) dial_later();
        return news_.on_failed(made.error());
    }
    channel_ = *std::move(made);
    news_.on_open();
    channel_->start({[this](auto lines) { news_.on_lines(lines); },
                     [this] { lose("a line came that is too long"); }, [this] { news_.on_sent(); },
                     [this](const std::string& why, std::string_view) { lose(why); }});
}

void KeptLink::lose(const std::string& why) {
    drop();
    news_.on_lost(why);
}

void KeptLink::drop() {
    if (const auto channel = std::exchange(channel_, nullptr)) channel->close();
}

void KeptLink::is_good() {
    back_off_.reset();
    patience_timer_.expires_at(Clock::time_point::min());
}

void KeptLink::watch_patience() {
    const auto now = Clock::now();
    if (!patience_ || patience_timer_.expiry() > now) return;
    patience_timer_.expires_at(now + std::chrono::duration_cast<Clock::duration>(*patience_));
    patience_timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (!error) news_.on_given_up();
    }));
}

}  // namespace referee::bridge
