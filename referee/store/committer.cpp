#include "referee/store/committer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

#include "protocol/base/text.h"
#include "referee/limits.h"
#include "referee/store/opening.h"

namespace referee::store {
namespace {

// A sector: a disk writes it wholly or not at all.
constexpr std::size_t place_bytes = 512;
constexpr mode_t file_mode = 0640;

std::string name_beside(const std::string& path) {
    return path + ".head";
}

Digest check_of(const ChainTip& tip) {
    return base::digest_of(fmt::format("referee head 1\n{}\n", tip.seq), tip.link);
}

// One line, filled up with spaces: "31 LINK CHECK".
std::string place_of(const ChainTip& tip) {
    auto text = fmt::format("{} {} {}", tip.seq, hex_of(tip.link), hex_of(check_of(tip)));
    text.resize(place_bytes - 1, ' ');
    return text + '\n';
}

std::optional<ChainTip> tip_in(std::string_view place) {
    ChainTip tip;
    const auto number = std::from_chars(place.data(), place.data() + place.size(), tip.seq);
    const auto behind = static_cast<std::size_t>(number.ptr - place.data()) + 1;
    const auto link = digest_in(place.substr(std::min(behind, place.size()), 2 * sizeof(Digest)));
    tip.link = link.value_or(Digest{});
    return link && place_of(tip) == place ? std::optional(tip) : std::nullopt;
}

bool is_no_room(int error) {
    return error == ENOSPC || error == EDQUOT;
}

StoreError refused(const std::string& name) {
    if (is_no_room(errno))
        return {StoreTrouble::disk_full, name + ": the disk is full; make room on its file system"};
    return {StoreTrouble::io, name + ": " + std::strerror(errno)};
}

bool write_place(const files::Descriptor& file, const ChainTip& tip, bool second) {
    const auto place = place_of(tip);
    const auto written =
        pwrite(file.get(), place.data(), place.size(), second ? off_t{place_bytes} : off_t{0});
    if (written >= 0 && static_cast<std::size_t>(written) < place.size()) errno = ENOSPC;
    return written == static_cast<ssize_t>(place.size());
}

}  // namespace

base::Result<std::optional<ChainTip>, StoreError> HeadFile::read(const std::string& path) {
    const auto name = name_beside(file_of_store(path));
    const files::Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        if (errno == ENOENT) return std::optional<ChainTip>();
        return base::failure(refused(name));
    }
    std::array<char, 2 * place_bytes> bytes{};
    const auto count = pread(file.get(), bytes.data(), bytes.size(), 0);
    if (count < 0) return base::failure(refused(name));
    const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
    const auto first = tip_in(text.substr(0, place_bytes));
    const auto second = tip_in(text.substr(std::min(place_bytes, text.size())));
    if (!first && !second)
        return base::failure(StoreError{
            StoreTrouble::corrupt,
            name + " is damaged: it tells in neither of its two places where the store ends"});
    if (!first || (second && second->seq > first->seq)) return second;
    return first;
}

base::Result<HeadFile, StoreError> HeadFile::make(const std::string& path, const ChainTip& tip) {
    const auto name = name_beside(path);
    const auto part = name + ".part";
    files::Descriptor file(open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode));
    if (!file) return base::failure(refused(part));
    if (!write_place(file, tip, false) || !write_place(file, tip, true) || fsync(file.get()) != 0 ||
        rename(part.c_str(), name.c_str()) != 0) {
        const auto trouble = refused(name);
        unlink(part.c_str());
        return base::failure(trouble);
    }
    if (auto synced = sync_folder(path); !synced) return base::failure(std::move(synced.error()));
    return HeadFile(std::move(file), name);
}

base::Result<void, std::string> HeadFile::write(const ChainTip& tip) {
    const bool second = std::exchange(second_place_, !second_place_);
    if (write_place(file_, tip, second) || is_no_room(errno)) return {};
    return base::failure(name_ + ": " + std::strerror(errno));
}

void HeadFile::remove() {
    unlink(name_.c_str());
}

Committer::Committer(Database& database, std::optional<HeadFile> head, int log_frames_max,
                     std::uint64_t replay_bytes_max)
    : database_(database),
      head_(std::move(head)),
      log_frames_max_(log_frames_max),
      writer_(database),
      chain_(database),
      tip_(tip_of(database)),
      replays_(database, replay_bytes_max) {}

std::size_t replay_bytes(const Append& append) {
    std::size_t bytes = 0;
    for (const auto& record : append.records) {
        if (const auto* game = std::get_if<records::GameRecord>(&record))
            bytes += game->replay.size();
    }
    return bytes;
}

Commit Committer::commit(std::span<const Append> batch) {
    auto tip = tip_;
    try {
        Transaction transaction(database_);
        for (const auto& append : batch) {
            for (const auto& record : append.records) {
                if (writer_.insert(tip.seq + 1, append.time_ms, record))
                    tip = chain_.append(tip, tip.seq + 1, append.time_ms, record);
            }
        }
        transaction.commit();
    } catch (const DatabaseError& error) {
        return ended_by(error);
    }
    tip_ = tip;
    if (head_) {
        if (const auto written = head_->write(tip_); !written)
            return {Commit::Ended::failed, written.error()};
    }
    return {};
}

// The log is moved here because SQLite's own checkpoint would hide an error of the disk.
Commit Committer::tidy_log() {
    if (database_.log_frames() < log_frames_max_) return {};
    try {
        database_.checkpoint();
    } catch (const DatabaseError& error) {
        if (error.is_busy()) return {};  // somebody else does it
        return ended_by(error);
    }
    return {};
}

Commit Committer::drop_replays(DroppedReplays& dropped) {
    try {
        dropped = replays_.keep();
    } catch (const DatabaseError& error) {
        if (!error.is_busy() && !error.is_full()) return ended_by(error);
    }
    return {};
}

Commit Committer::ended_by(const DatabaseError& error) {
    if (error.is_full()) return {Commit::Ended::no_room, error.what()};
    if (error.is_busy()) return {Commit::Ended::busy, error.what()};
    return {Commit::Ended::failed, error.what()};
}

base::Result<ChainTip, StoreError> make_store(
    const PartFile& part, std::string_view origin, const NextRecord& next,
    const std::function<StoreError(const records::Record& record)>& twice) {
    auto opened = open_to_write(part.name(), Making::always, {});
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto database = std::move(opened->database);
        Transaction beginning(database);
        set_origin(database, origin);
        beginning.commit();
        RecordWriter writer(database);
        ChainWriter chain(database);
        auto tip = root_of(origin);
        for (bool at_end = false; !at_end;) {
            Transaction transaction(database);
            for (std::size_t i = 0; i < limits::store_batch_records_max && !at_end; ++i) {
                const auto stored = next();
                if (!stored) return base::failure(stored.error());
                at_end = !*stored;
                if (at_end) break;
                const auto& [seq, time_ms, record] = **stored;
                if (!writer.insert(seq, time_ms, record)) return base::failure(twice(record));
                tip = chain.append(tip, seq, time_ms, record);
            }
            transaction.commit();
            if (database.log_frames() > limits::store_log_frames_max) database.checkpoint();
        }
        database.end_tidily();
        return tip;
    } catch (const DatabaseError& error) {
        return base::failure(told(error, part.path()));
    }
}

namespace {

// CROSS JOIN keeps the order: SQLite walks over the replays and looks the others up.
constexpr std::string_view oldest =
    "SELECT r.seq, length(r.zlib) FROM replays r CROSS JOIN games g ON g.seq = r.seq CROSS JOIN "
    "tournaments t ON t.tournament = g.tournament WHERE r.seq > ? AND r.bytes > 0 AND "
    "(json_valid(t.config) AND json_extract(t.config, '$.format.kind') IS 'ladder') = ? ORDER BY "
    "r.seq";

}  // namespace

DroppedReplays ReplayBound::keep() {
    DroppedReplays dropped;
    count_new();
    if (state_.bytes <= bytes_max_) return dropped;
    auto state = state_;
    Transaction transaction(database_);
    dropped.of_ladders = drop(state, true, limits::store_batch_records_max);
    dropped.of_others = drop(state, false, limits::store_batch_records_max - dropped.of_ladders);
    transaction.commit();
    state_ = state;
    return dropped;
}

void ReplayBound::count_new() {
    Statement sizes(database_,
                    "SELECT coalesce(sum(length(zlib)), 0), coalesce(max(seq), 0) FROM replays"
                    " WHERE seq > ? AND bytes > 0");
    sizes.bind(state_.counted);
    sizes.step();
    state_.bytes += static_cast<std::uint64_t>(sizes.integer(0));
    state_.counted = std::max(state_.counted, static_cast<std::uint64_t>(sizes.integer(1)));
}

std::uint64_t ReplayBound::drop(State& state, bool of_ladders, std::uint64_t most) {
    auto& from = of_ladders ? state.ladders_from : state.others_from;
    std::vector<std::uint64_t> found;
    if (state.bytes <= bytes_max_ || most == 0) return 0;
    Statement rows(database_, oldest);
    rows.bind(from, of_ladders ? 1 : 0);
    while (state.bytes > bytes_max_ && found.size() < most) {
        const bool is_one = rows.step();
        from = is_one ? static_cast<std::uint64_t>(rows.integer(0)) : state.counted;
        if (!is_one) break;
        found.push_back(from);
        state.bytes -= std::min(state.bytes, static_cast<std::uint64_t>(rows.integer(1)));
    }
    rows.reset();
    // A row that is only written over keeps its part of a page for ever, so it is deleted first.
    Statement take(database_, "DELETE FROM replays WHERE seq = ?");
    for (const auto seq : found) take.run(seq);
    Statement put(database_,
                  "INSERT INTO replays SELECT seq, 0, x'', replay FROM chain WHERE seq = ?");
    for (const auto seq : found) put.run(seq);
    return found.size();
}

}  // namespace referee::store
