#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"

namespace referee::supply {

// How a config's launched bots are started, kept beside the store, so that a later run can tell
// where games that count were played by another command. The file is its owner's alone: commands
// may hold secrets. Of variables only the hash of the value is kept, and only the name is told.
class LaunchChanges {
 public:
    // The file's name in the folder of a run.
    static constexpr std::string_view file_name = "launches.json";

    explicit LaunchChanges(const std::string& folder)
        : file_(folder + "/" + std::string(file_name)) {}

    // What differs from what was kept last, a sentence each; then keeps what the config says now.
    // Bots that were not there, or that are not there any more, are no change. An error says why
    // the file can't be read or written.
    base::Result<std::vector<std::string>, std::string> take(const config::Config& config);

    // The text of such a file without a bot; nothing where it is none.
    static std::optional<std::string> without(std::string_view text, std::string_view bot);

 private:
    std::string file_;
};

}  // namespace referee::supply
