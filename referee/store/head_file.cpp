#include "referee/store/head_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/store/store_files.h"

namespace referee::store {
namespace {

namespace json = protocol::json;

// A sector: a disk writes it wholly or not at all.
constexpr std::size_t place_bytes = 512;
constexpr mode_t file_mode = 0640;

std::string name_beside(const std::string& path) {
    return path + ".head";
}

Digest check_of(const ChainTip& tip) {
    return base::digest_of("referee head 1\n" + std::to_string(tip.seq) + "\n", tip.link);
}

// One line, filled up with spaces.
std::string place_of(const ChainTip& tip) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("seq", tip.seq)
        .member("link", hex_of(tip.link))
        .member("check", hex_of(check_of(tip)))
        .end_object();
    text.resize(place_bytes - 1, ' ');
    return text + '\n';
}

std::optional<ChainTip> tip_in(std::string_view place) {
    json::Document document;
    if (!document.parse(place, {})) return std::nullopt;
    const auto root = document.root();
    const auto seq = root.find("seq").unsigned_integer();
    const auto link = digest_in(root.find("link").string().value_or(""));
    const auto check = digest_in(root.find("check").string().value_or(""));
    if (!seq || !link || !check) return std::nullopt;
    const ChainTip tip{*seq, *link};
    if (check_of(tip) != *check) return std::nullopt;
    return tip;
}

StoreError refused(const std::string& name) {
    return {StoreTrouble::io, name + ": " + std::strerror(errno)};
}

bool write_place(int file, const ChainTip& tip, bool second) {
    const auto place = place_of(tip);
    const auto written =
        pwrite(file, place.data(), place.size(), second ? off_t{place_bytes} : off_t{0});
    if (written >= 0 && static_cast<std::size_t>(written) < place.size()) errno = ENOSPC;
    return written == static_cast<ssize_t>(place.size());
}

bool is_no_room(int error) {
    return error == ENOSPC || error == EDQUOT;
}

}  // namespace

base::Result<std::optional<ChainTip>, StoreError> HeadFile::read(const std::string& path) {
    const auto name = name_beside(file_of_store(path));
    const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno == ENOENT) return std::optional<ChainTip>();
        return base::failure(refused(name));
    }
    std::array<char, 2 * place_bytes> bytes{};
    const auto count = pread(file, bytes.data(), bytes.size(), 0);
    const auto trouble = refused(name);
    close(file);
    if (count < 0) return base::failure(trouble);
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
    const int file = open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode);
    if (file < 0) return base::failure(refused(part));
    HeadFile head(file, name);
    if (!write_place(file, tip, false) || !write_place(file, tip, true) || fsync(file) != 0 ||
        rename(part.c_str(), name.c_str()) != 0) {
        const auto trouble = is_no_room(errno) ? StoreError{StoreTrouble::disk_full,
                                                            name +
                                                                ": the disk is full; make room "
                                                                "on its file system"}
                                               : refused(name);
        unlink(part.c_str());
        return base::failure(trouble);
    }
    if (auto synced = sync_folder(path); !synced) return base::failure(std::move(synced.error()));
    return head;
}

HeadFile::HeadFile(HeadFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      name_(std::move(other.name_)),
      second_place_(other.second_place_) {}

HeadFile& HeadFile::operator=(HeadFile&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(name_, other.name_);
    std::swap(second_place_, other.second_place_);
    return *this;
}

HeadFile::~HeadFile() {
    if (file_ >= 0) close(file_);
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
