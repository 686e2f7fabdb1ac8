#include "referee/store/head_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "referee/store/store_files.h"

namespace referee::store {
namespace {

// A sector: a disk writes it wholly or not at all.
constexpr std::size_t place_bytes = 512;
constexpr mode_t file_mode = 0640;

std::string name_beside(const std::string& path) {
    return path + ".head";
}

Digest check_of(const ChainTip& tip) {
    return base::digest_of("referee head 1\n" + std::to_string(tip.seq) + "\n", tip.link);
}

// One line, filled up with spaces: "31 LINK CHECK".
std::string place_of(const ChainTip& tip) {
    auto text = std::to_string(tip.seq) + ' ' + hex_of(tip.link) + ' ' + hex_of(check_of(tip));
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
    if (!first && !second) {
        return base::failure(StoreError{
            StoreTrouble::corrupt,
            name + " is damaged: it tells in neither of its two places where the store ends"});
    }
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

}  // namespace referee::store
