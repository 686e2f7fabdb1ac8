#include "referee/submit/archives/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <sys/stat.h>

#include "protocol/json/printable.h"

namespace referee::archives {
namespace {

constexpr std::size_t block_bytes = 64 * 1024;

// The library turns names into the thread's locale: with this one they stay UTF-8, whatever the
// machine is set to.
class Utf8Here {
 public:
    Utf8Here() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (locale_ != nullptr) before_ = ::uselocale(locale_);
    }
    ~Utf8Here() {
        if (locale_ == nullptr) return;
        ::uselocale(before_);
        ::freelocale(locale_);
    }
    Utf8Here(const Utf8Here&) = delete;
    Utf8Here& operator=(const Utf8Here&) = delete;
    Utf8Here(Utf8Here&&) = delete;
    Utf8Here& operator=(Utf8Here&&) = delete;

 private:
    locale_t locale_;
    locale_t before_ = nullptr;
};

std::string reason_of(archive* reader) {
    const char* text = archive_error_string(reader);
    return text == nullptr ? "its bytes make no sense" : protocol::json::visible_line(text);
}

EntryKind kind_of(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr) return EntryKind::hard_link;
    if (archive_entry_symlink(entry) != nullptr) return EntryKind::symbolic_link;
    if (archive_entry_is_encrypted(entry) != 0) return EntryKind::encrypted;
    switch (archive_entry_filetype(entry)) {
        case AE_IFDIR:
            return EntryKind::folder;
        case AE_IFLNK:
            return EntryKind::symbolic_link;
        case AE_IFREG:
        case 0:
            return EntryKind::file;
        default:
            return EntryKind::device;
    }
}

std::string name_of(archive_entry* entry) {
    if (const char* name = archive_entry_pathname(entry); name != nullptr) return name;
    const char* name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? std::string() : name;
}

}  // namespace

void ArchiveReader::Closer::operator()(archive* reader) const {
    archive_read_free(reader);
}

base::Result<ArchiveReader, std::string> ArchiveReader::open(const std::string& file) {
    Handle handle(archive_read_new());
    archive_read_support_format_zip(handle.get());
    archive_read_support_format_tar(handle.get());
    archive_read_support_format_7zip(handle.get());
    archive_read_support_format_rar(handle.get());
    archive_read_support_format_rar5(handle.get());
    archive_read_support_filter_gzip(handle.get());
    archive_read_support_filter_bzip2(handle.get());
    archive_read_support_filter_xz(handle.get());
    archive_read_support_filter_zstd(handle.get());
    if (archive_read_open_filename(handle.get(), file.c_str(), block_bytes) != ARCHIVE_OK)
        return base::failure("is no archive that can be read: " + reason_of(handle.get()));
    return ArchiveReader(std::move(handle));
}

base::Result<std::optional<ArchiveEntry>, std::string> ArchiveReader::next() {
    const Utf8Here utf8;
    archive_entry* entry = nullptr;
    const int done = archive_read_next_header(handle_.get(), &entry);
    if (done == ARCHIVE_EOF) return std::optional<ArchiveEntry>();
    if (done != ARCHIVE_OK && done != ARCHIVE_WARN)
        return base::failure("is damaged: " + reason_of(handle_.get()));
    ArchiveEntry found;
    found.name = name_of(entry);
    found.kind = kind_of(entry);
    if (found.kind == EntryKind::file && found.name.ends_with('/')) found.kind = EntryKind::folder;
    found.executable = (archive_entry_perm(entry) & S_IXUSR) != 0;
    if (archive_entry_mtime_is_set(entry) != 0) found.changed_s = archive_entry_mtime(entry);
    return std::optional<ArchiveEntry>(std::move(found));
}

base::Result<std::size_t, std::string> ArchiveReader::read(std::span<char> into) {
    const auto count = archive_read_data(handle_.get(), into.data(), into.size());
    if (count < 0) return base::failure("is damaged: " + reason_of(handle_.get()));
    return static_cast<std::size_t>(count);
}

}  // namespace referee::archives
