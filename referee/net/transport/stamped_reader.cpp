#include "referee/net/transport/stamped_reader.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "referee/net/loop/system_timers.h"
#include "referee/net/transport/stamped_read.h"
#include "referee/net/transport/tcp_facts.h"

namespace referee::transport {
namespace {

using Status = loop::Transport::Status;

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

}  // namespace

StampedReader::StampedReader(int socket, StreamOf stream)
    : stamped_(stamp_arrivals(socket)), pieces_(stream), empty_at_(loop::monotonic_now()) {}

loop::Transport::Read StampedReader::read(int socket, std::span<char> room) {
    const auto before = loop::monotonic_now();
    took_all_ = false;
    const bool by_line = reads_by_line_ > 0 && lines_in_a_row_ < lines_in_a_row_max;
    return by_line ? read_line(socket, room, before) : read_all(socket, room, before);
}

loop::Transport::Read StampedReader::nothing(const StampedRead& got, Instant before) {
    if (got.bytes == 0) return {Status::closed, 0, Stamp::exact(loop::monotonic_now())};
    if (!is_would_block(errno)) return {Status::failed, 0, {}};
    if (errno != EINTR) {
        empty_at_ = before;
        lines_in_a_row_ = 0;
    }
    return {Status::would_block, 0, {}};
}

loop::Transport::Read StampedReader::told(const StampedRead& got, std::span<const char> room,
                                          bool last) {
    const auto stamp = got.stamp ? stamps_.convert(*got.stamp) : std::nullopt;
    const auto latest = stamp ? *stamp : loop::monotonic_now();
    loop::Transport::Read read;
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

loop::Transport::Read StampedReader::read_all(int socket, std::span<char> room, Instant before) {
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

loop::Transport::Read StampedReader::read_line(int socket, std::span<char> room, Instant before) {
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

loop::Transport::Read StampedReader::read_first_line(int socket, std::span<char> there,
                                                     Instant before) {
    ++lines_in_a_row_;
    const auto line = there.first(*pieces_.first_end(there));
    // The byte behind the line came in a later piece if its stamp is later. In this order: should
    // more come in between, it can only make the line's own stamp later.
    const auto next = read_stamped(socket, there.first(line.size() + 1), MSG_PEEK);
    const auto got = read_stamped(socket, line);
    if (got.bytes <= 0) return nothing(got, before);
    return told(got, line, came_before(got, next));
}

}  // namespace referee::transport
