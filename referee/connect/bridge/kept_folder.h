#pragma once

// What a bridge keeps for the student: what the program printed, and the stories of its last games.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace referee::bridge {

// Games whose stories are kept: some matches back.
inline constexpr std::size_t stories_kept = 20;
// Of what the program prints, twice this: the file that grows, and the one before it.
inline constexpr std::size_t printed_bytes_max = 1024 * 1024;

// The default folder of a bot: "referee-NAME", with "_" for what has no place in a file's name.
std::string default_folder(std::string_view name);

// Files in a folder:
//
//     printed.log       all that the program printed beside its messages, the newest
//     printed.old.log   what was printed before
//     games/000031 friday_12.1.txt   the story of a game; the oldest are removed
class KeptFolder {
 public:
    // Makes the folder where there is none. An error says why it can't be used.
    static base::Result<KeptFolder, std::string> in(const std::string& folder);

    // Both errors say what couldn't be written, and why; later calls try again.
    base::Result<void, std::string> print(std::string_view text);
    base::Result<void, std::string> keep_story(std::string_view game_id, std::string_view text);

    const std::string& folder() const { return folder_; }
    std::string printed_file() const { return folder_ + "/printed.log"; }

 private:
    explicit KeptFolder(std::string folder) : folder_(std::move(folder)) {}

    base::Result<void, std::string> open_printed();

    std::string folder_;
    std::ofstream printed_;
    std::size_t printed_bytes_ = 0;
    std::uint64_t stories_ = 0;  // the number of the last one
};

}  // namespace referee::bridge
