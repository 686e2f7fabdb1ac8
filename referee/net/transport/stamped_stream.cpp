#include "referee/net/transport/stamped_stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "referee/net/loop/timers.h"
#include "referee/net/transport/kernel_stamps.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::transport {
namespace {

constexpr std::size_t length_high = 3;  // where the length stands in a record's head
constexpr std::size_t length_low = 4;
constexpr unsigned bits_in_byte = 8;

// How many bytes follow a record's head.
std::size_t body_bytes(std::span<const char> head) {
    const auto byte = [head](std::size_t at) { return static_cast<unsigned char>(head[at]); };
    return (std::size_t{byte(length_high)} << bits_in_byte) | byte(length_low);
}

using Status = Transport::Status;

// After a read of several lines so many reads look first. Games that share a connection have their
// answers in one read again and again where they have it once.
constexpr unsigned reads_by_line = 64;
// So many lines are read one by one while more is there. A bot that sends thousands of lines at
// once must not cost thousands of calls.
constexpr unsigned lines_in_a_row_max = 16;

bool came_before(const StampedRead& a, const StampedRead& b) {
    if (!a.stamp || !b.stamp) return false;
    return a.stamp->tv_sec != b.stamp->tv_sec ? a.stamp->tv_sec < b.stamp->tv_sec
                                              : a.stamp->tv_nsec < b.stamp->tv_nsec;
}

using WriteStatus = Transport::Status;

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

std::optional<std::size_t> StreamPieces::first_end(std::span<const char> there) const {
    if (kind_ == StreamOf::lines) {
        const auto* const found =
            static_cast<const char*>(std::memchr(there.data(), '\n', there.size()));
        if (found == nullptr) return std::nullopt;
        return static_cast<std::size_t>(found - there.data()) + 1;
    }
    auto end = body_bytes_left_;
    if (end == 0) {
        const auto missing = record_head_bytes - head_bytes_;
        if (there.size() < missing) return std::nullopt;
        auto head = head_;
        std::copy_n(there.begin(), missing,
                    head.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
        end = missing + body_bytes(head);
    }
    if (end > there.size()) return std::nullopt;
    return end;
}

void StreamPieces::passed(std::span<const char> bytes) {
    if (kind_ == StreamOf::lines) return;
    while (!bytes.empty()) {
        if (const auto end = first_end(bytes)) {
            bytes = bytes.subspan(*end);
            head_bytes_ = body_bytes_left_ = 0;
            continue;
        }
        if (body_bytes_left_ == 0) {
            const auto taken = std::min(record_head_bytes - head_bytes_, bytes.size());
            std::copy_n(bytes.begin(), taken,
                        head_.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
            head_bytes_ += taken;
            bytes = bytes.subspan(taken);
            if (head_bytes_ < record_head_bytes) return;
            body_bytes_left_ = body_bytes(head_);
        }
        const auto taken = std::min(body_bytes_left_, bytes.size());
        body_bytes_left_ -= taken;
        bytes = bytes.subspan(taken);
    }
}

StampedReader::StampedReader(int socket, StreamOf stream)
    : stamped_(stamp_arrivals(socket)), pieces_(stream), empty_at_(loop::monotonic_now()) {}

Transport::Read StampedReader::read(int socket, std::span<char> room) {
    const auto before = loop::monotonic_now();
    took_all_ = false;
    const bool by_line = reads_by_line_ > 0 && lines_in_a_row_ < lines_in_a_row_max;
    return by_line ? read_line(socket, room, before) : read_all(socket, room, before);
}

Transport::Read StampedReader::nothing(const StampedRead& got, Instant before) {
    if (got.bytes == 0) return {Status::closed, 0, Stamp::exact(loop::monotonic_now())};
    if (!is_would_block(errno)) return {Status::failed, 0, {}};
    if (errno != EINTR) {
        empty_at_ = before;
        lines_in_a_row_ = 0;
    }
    return {Status::would_block, 0, {}};
}

Transport::Read StampedReader::told(const StampedRead& got, std::span<const char> room, bool last) {
    const auto stamp = got.stamp ? stamps_.convert(*got.stamp) : std::nullopt;
    const auto latest = stamp ? *stamp : loop::monotonic_now();
    Transport::Read read;
    read.status = Status::good;
    read.bytes = static_cast<std::size_t>(got.bytes);
    bytes_ += read.bytes;
    pieces_.passed(room.first(read.bytes));
    read.stamp = {std::min(empty_at_, latest), latest};
    read.ends_at_stamp = last && (stamp.has_value() || !stamped_);
    // What is still unread came later than a piece that ends here.
    if (last && stamp) empty_at_ = std::max(empty_at_, *stamp);
    return read;
}

void StampedReader::emptied(Instant before) {
    took_all_ = true;
    empty_at_ = std::max(empty_at_, before);
    lines_in_a_row_ = 0;
    ++bursts_;
}

bool StampedReader::came_in_one(int socket, std::size_t unread) {
    const auto facts = tcp_facts(socket);
    if (facts.bytes != bytes_ + unread) {  // more has come, or is on its way through the kernel
        counted_.reset();
        return false;
    }
    const auto bursts = bursts_ + (unread > 0 ? 1 : 0);
    // Each burst has a segment at least. So where there are as many as bursts, each has one.
    const bool one =
        counted_ && facts.data_segments - counted_->segments == bursts - counted_->bursts;
    counted_ = {facts.data_segments, bursts};
    return one;
}

Transport::Read StampedReader::read_all(int socket, std::span<char> room, Instant before) {
    const auto got = read_stamped(socket, room);
    if (got.bytes <= 0) return nothing(got, before);
    const auto bytes = room.first(static_cast<std::size_t>(got.bytes));
    const bool all = bytes.size() < room.size();
    const bool several = pieces_.holds_several(bytes);
    auto read = told(got, room, all);
    if (all) emptied(before);
    if (several) {
        reads_by_line_ = reads_by_line;
        if (all && read.ends_at_stamp && came_in_one(socket, 0))
            read.stamp = Stamp::exact(read.stamp.latest);
    }
    return read;
}

Transport::Read StampedReader::read_line(int socket, std::span<char> room, Instant before) {
    const auto seen = read_stamped(socket, room, MSG_PEEK);
    if (seen.bytes <= 0) return nothing(seen, before);
    const auto there = room.first(static_cast<std::size_t>(seen.bytes));
    const bool all = there.size() < room.size();
    const bool several = pieces_.holds_several(there);
    reads_by_line_ = several ? reads_by_line : reads_by_line_ - 1;
    const bool in_one = several && all && lines_in_a_row_ == 0 && came_in_one(socket, there.size());
    if (several && !in_one) return read_first_line(socket, there, before);
    // The stamp of the look counts: more may have come since, in the same piece.
    if (recv(socket, there.data(), there.size(), MSG_DONTWAIT | MSG_TRUNC) < 0)
        return {Status::failed, 0, {}};
    auto read = told(seen, there, all);
    if (in_one && read.ends_at_stamp) read.stamp = Stamp::exact(read.stamp.latest);
    if (all) emptied(before);
    return read;
}

Transport::Read StampedReader::read_first_line(int socket, std::span<char> there, Instant before) {
    ++lines_in_a_row_;
    const auto line = there.first(*pieces_.first_end(there));
    // The byte behind the line came in a later piece if its stamp is later. In this order: should
    // more come in between, it can only make the line's own stamp later.
    const auto next = read_stamped(socket, there.first(line.size() + 1), MSG_PEEK);
    const auto got = read_stamped(socket, line);
    if (got.bytes <= 0) return nothing(got, before);
    return told(got, line, came_before(got, next));
}

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

Transport::Write StampedWriter::write(int socket, std::string_view bytes) {
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
    const auto found = std::ranges::find(asked_, seen.last_byte, &Asked::last_byte);
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
