#include "tests/referee/store/simulated_disk.h"

#include <sqlite3.h>

#include <algorithm>

namespace referee::store {
namespace {

constexpr std::size_t sector_bytes = 512;

}  // namespace

void SimulatedDisk::stop_in(std::uint64_t operations) {
    const loop::Lock guard(mutex_);
    stop_at_ = operations_ + operations;
}

void SimulatedDisk::fail_sync_in(std::uint64_t syncs) {
    const loop::Lock guard(mutex_);
    fail_sync_at_ = syncs_ + syncs;
}

bool SimulatedDisk::has_failed_sync() const {
    const loop::Lock guard(mutex_);
    return fail_sync_at_ != 0 && syncs_ >= fail_sync_at_;
}

void SimulatedDisk::fail_in(std::uint64_t operations) {
    const loop::Lock guard(mutex_);
    fail_at_ = operations_ + operations;
}

void SimulatedDisk::set_room(std::uint64_t bytes) {
    const loop::Lock guard(mutex_);
    room_ = bytes;
}

std::uint64_t SimulatedDisk::operations() const {
    const loop::Lock guard(mutex_);
    return operations_;
}

std::uint64_t SimulatedDisk::size() const {
    const loop::Lock guard(mutex_);
    std::uint64_t bytes = 0;
    for (const auto& [name, file] : files_) bytes += file.exists ? file.now.size() : 0;
    return bytes;
}

void SimulatedDisk::restart() {
    const loop::Lock guard(mutex_);
    stopped_ = false;
    stop_at_ = fail_at_ = fail_sync_at_ = 0;
    shared_.clear();
}

void SimulatedDisk::cut_power(std::mt19937_64& random) {
    restart();
    const loop::Lock guard(mutex_);
    Files left;
    for (auto& [name, file] : files_) {
        std::optional<std::string> found;
        if (!file.exists) {
            if (file.is_name_safe && random() % 2 == 0) found = file.safe;
        } else if (file.is_name_safe || random() % 2 == 0) {
            found = survivor(file, random);
        } else {
            found = file.before;
        }
        if (!found) continue;
        SimulatedFile one;
        one.now = one.safe = *std::move(found);
        one.is_name_safe = true;
        left.emplace(name, std::move(one));
    }
    files_ = std::move(left);
}

std::string SimulatedDisk::survivor(const SimulatedFile& file, std::mt19937_64& random) {
    enum class Way : std::uint8_t { lost, kept, some_changes, some_sectors, count };
    const auto way = static_cast<Way>(random() % static_cast<unsigned>(Way::count));
    const auto coin = [&random] { return random() % 2 == 0; };
    auto text = file.safe;
    for (const auto& change : file.unsafe) {
        if (way == Way::lost || (way != Way::kept && way != Way::some_sectors && coin())) continue;
        if (change.is_truncation) {
            if (way == Way::kept || coin()) text.resize(change.offset);
            continue;
        }
        if (way != Way::some_sectors) {
            write_into(text, change.offset, change.bytes);
            continue;
        }
        for (std::size_t done = 0; done < change.bytes.size();) {
            const auto at = change.offset + done;
            const auto size =
                std::min(sector_bytes - at % sector_bytes, change.bytes.size() - done);
            if (coin()) write_into(text, at, std::string_view(change.bytes).substr(done, size));
            done += size;
        }
    }
    return text;
}

SimulatedDisk::Files SimulatedDisk::files() const {
    const loop::Lock guard(mutex_);
    return files_;
}

void SimulatedDisk::set_files(Files files) {
    restart();
    const loop::Lock guard(mutex_);
    files_ = std::move(files);
}

void SimulatedDisk::write_into(std::string& text, std::uint64_t offset, std::string_view bytes) {
    if (text.size() < offset + bytes.size()) text.resize(offset + bytes.size(), '\0');
    std::copy(bytes.begin(), bytes.end(), text.begin() + static_cast<std::ptrdiff_t>(offset));
}

int SimulatedDisk::begin_operation() {
    if (stopped_) return SQLITE_IOERR;
    ++operations_;
    if (operations_ == stop_at_)
        stopped_ = true;  // this operation begins, and nobody hears of its end
    if (operations_ == fail_at_) return SQLITE_IOERR;
    return SQLITE_OK;
}

}  // namespace referee::store
