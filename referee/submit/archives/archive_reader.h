#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "protocol/base/result.h"

struct archive;

// An archive's entries, one after the other: zip, tar (also packed by gzip, bzip2, xz or zstd),
// 7z and rar. Formats that name files outside of the archive, and those that start a program, are
// not read.

namespace referee::archives {

enum class EntryKind : std::uint8_t { file, folder, symbolic_link, hard_link, device, encrypted };

struct ArchiveEntry {
    std::string name;  // any bytes
    EntryKind kind = EntryKind::file;
    bool executable = false;
    std::optional<std::int64_t> changed_s;  // since 1970
};

class ArchiveReader {
 public:
    // An error says why, to stand behind the archive's name: "is no archive that can be read".
    static base::Result<ArchiveReader, std::string> open(const std::string& file);

    // The next entry; nothing at the end.
    base::Result<std::optional<ArchiveEntry>, std::string> next();
    // What comes next of the entry's bytes; 0 at its end.
    base::Result<std::size_t, std::string> read(std::span<char> into);

 private:
    struct Closer {
        void operator()(archive* reader) const;
    };
    using Handle = std::unique_ptr<archive, Closer>;
    explicit ArchiveReader(Handle handle) : handle_(std::move(handle)) {}

    Handle handle_;
};

}  // namespace referee::archives
