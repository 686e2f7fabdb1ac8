#include "referee/net/transport/stamped_writer.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "referee/net/loop/system_timers.h"
#include "referee/net/transport/stamped_read.h"
#include "referee/net/transport/tcp_facts.h"

namespace referee::transport {
namespace {

using WriteStatus = loop::Transport::Status;

// How often the kernel is asked again for what it knows of the way: asking costs a system call.
constexpr Duration facts_age_max = std::chrono::seconds(1);
// Linux acknowledges the first 16 segments of a connection at once.
constexpr unsigned asks_at_first = 16;
constexpr Duration ask_again = std::chrono::milliseconds(100);
// A machine that took our processor away once does it again. Then each turn that a bot thinks about
// asks, but not each of those that are answered at once.
constexpr Duration strained_time = std::chrono::seconds(1);
constexpr Duration ask_again_strained = std::chrono::milliseconds(5);
// Writes whose stamps are under way; those of a dead link never come.
constexpr std::size_t asked_max = 8;
// An acknowledgement that is so close to bytes of the bot was sent along with them.
constexpr Duration along_with = std::chrono::milliseconds(1);
// Where several games share a connection, a kernel that delays its acknowledgements may send one
// for two lines: then the first shows how far the lines were apart, and not the way. Such a round
// trip counts only where the line has shown no better one for so long.
constexpr Duration alone_age_max = std::chrono::seconds(5);

}  // namespace

StampedWriter::StampedWriter(int socket, AskingBudget& budget)
    : budget_(budget), stamps_(socket), alone_at_(loop::monotonic_now()) {}

bool StampedWriter::is_due(Instant now) {
    if (!stamps_.available() || asked_.size() >= asked_max) return false;
    if (asks_ < asks_at_first) return heard_at_ != Instant{} || budget_.take(now, true);
    if (now < strained_until_) return now >= asked_at_ + ask_again_strained;
    return now >= asked_at_ + ask_again && budget_.take(now);
}

// What follows after the longest wait for an acknowledgement makes no difference.
void StampedWriter::note_followed(Instant now) {
    for (auto& asked : asked_) {
        if (now >= asked.handed.earliest + clock::delayed_ack_min) continue;
        asked.behind.push_back(now);
        if (now > asked.handed.latest + along_with) asked.followed = true;
    }
}

// One acknowledgement may serve several lines: then it may be that of the last of them which can
// have been there by then. One that was delayed is told in full, since it shows nothing.
Duration StampedWriter::least_shown(const Asked& asked, Instant acknowledged) const {
    const auto whole = acknowledged - *asked.left;
    const auto least = history_->path().least;
    if (least <= Duration::zero() || whole - least >= clock::delayed_ack_min) return whole;
    auto shown = whole;
    for (const auto behind : asked.behind) {
        if (acknowledged - behind >= least) shown = std::min(shown, acknowledged - behind);
    }
    return shown;
}

loop::Transport::Write StampedWriter::write(int socket, std::string_view bytes) {
    const auto before = loop::monotonic_now();
    note_followed(before);
    const bool asks = is_due(before);
    const auto sent = asks ? SendStamps::send_and_ask(socket, bytes)
                           : send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    const auto error = errno;
    Stamp stamp{before, loop::monotonic_now()};
    if (sent < 0) {
        if (is_would_block(error)) return {WriteStatus::would_block, 0, stamp};
        const bool gone = error == EPIPE || error == ECONNRESET;
        return {gone ? WriteStatus::closed : WriteStatus::failed, 0, {}};
    }
    sent_bytes_ += static_cast<std::uint32_t>(sent);
    if (asks || !stamps_.available()) history_->asked();
    if (asks) {
        ++asks_;
        asked_at_ = before;
        asked_.push_back({sent_bytes_ - 1, stamp, {}, {}, false});
    }
    if (stamp.width() > bracket_wide_min) {
        strained_until_ = stamp.latest + strained_time;
        if (asks) {
            collect(socket);
            if (const auto left = stamp_of(sent_bytes_ - 1)) stamp = Stamp::exact(*left);
        }
    }
    return {WriteStatus::good, static_cast<std::size_t>(sent), stamp};
}

void StampedWriter::collect(int socket) {
    if (asks_ == 0) return;
    SendStamps::take(socket, [this](const auto& seen) { book(seen); });
}

void StampedWriter::book(const SendStamps::Seen& seen) {
    const auto found = std::find_if(asked_.begin(), asked_.end(), [&seen](const Asked& asked) {
        return asked.last_byte == seen.last_byte;
    });
    if (found == asked_.end()) return;
    const auto at = converter_.convert(seen.wall);
    if (seen.what == SendStamps::Seen::What::left) {
        // A stamp of a second sending, or of a clock that stepped, is not the moment of this one.
        if (at && !found->left && *at >= found->handed.earliest) found->left = at;
        return;
    }
    if (at && found->left && *at > *found->left) {
        if (*at - heard_at_ > along_with)
            candidates_.push_back(
                {*at - *found->left, least_shown(*found, *at), *at, found->followed});
    }
    // Whatever was sent before is acknowledged too.
    asked_.erase(asked_.begin(), found + 1);
}

std::optional<Instant> StampedWriter::stamp_of(std::uint32_t last_byte) const {
    if (asked_.empty() || asked_.back().last_byte != last_byte) return std::nullopt;
    const auto& asked = asked_.back();
    if (!asked.left || *asked.left > asked.handed.latest) return std::nullopt;
    return asked.left;
}

void StampedWriter::heard(int socket, Instant at) {
    heard_at_ = std::max(heard_at_, at);
    if (candidates_.empty()) return;
    path(socket, at);  // what the kernel has measured tells a delayed acknowledgement from the way
    for (const auto& candidate : candidates_) {
        if (at - candidate.acknowledged <= along_with) continue;
        if (!candidate.followed) alone_at_ = candidate.acknowledged;
        if (alone_at_ && candidate.acknowledged - *alone_at_ >= alone_age_max) alone_at_.reset();
        if (!candidate.followed) {
            history_->saw(candidate.at_least, at);
        } else if (alone_at_) {
            history_->saw_more_than(candidate.at_least, at);
        } else {
            history_->saw(candidate.round_trip, at);
        }
    }
    candidates_.clear();
}

void StampedWriter::continues(std::shared_ptr<clock::PathHistory> known) {
    known->join(*history_);
    history_ = std::move(known);
}

Path StampedWriter::path(int socket, Instant now) {
    if (facts_at_ == Instant{} || now - facts_at_ >= facts_age_max) {
        const auto facts = tcp_facts(socket);
        history_->saw_least(facts.least_round_trip);
        history_->forget_before(now - clock::sample_age_max);
        if (!stamps_.available()) history_->saw_deviation(facts.deviation);
        facts_at_ = now;
    }
    return history_->path();
}

}  // namespace referee::transport
