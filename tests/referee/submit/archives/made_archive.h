#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Archives as tests want them, also such as no honest program makes.

namespace tests {

struct MadeEntry {
    std::string name;
    std::string content;
    char kind = 'f';  // f file, d folder, l symbolic link, h hard link (to `content`), p named pipe
    unsigned mode = 0644;
    std::int64_t changed_s = 0;  // 0: none is told
};

// Of a format by the file's ending: .zip, .tar, .tar.gz, .7z.
void make_archive(const std::string& file, const std::vector<MadeEntry>& entries);

}  // namespace tests
