#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::versions {

// Where it lies in the folder of a run.
inline constexpr const char* folder_in_output = "handed-in";

// What came of the build of a version.
struct VersionOutcome {
    bool built = false;
    std::string reason;  // why not
    std::string output;  // of its build
    bool came = false;   // whether it has ever logged in
};

// A program that was handed in, as it is kept.
struct Version {
    unsigned number = 0;  // from 1, of its owner
    std::string file;     // as it was called
    std::uint64_t bytes = 0;
    std::string sha256;
    std::int64_t handed_in_s = 0;           // since 1970
    std::optional<VersionOutcome> outcome;  // nothing before its build is over
};

// All that one bot's owner has handed in.
struct Owner {
    std::string bot;
    std::vector<Version> versions;  // the oldest first
    unsigned withdrawn = 0;         // versions up to this one don't play
};

// Where what was handed in is kept: a folder for each bot, in it a folder for each version. What a
// call has written stays, whatever happens to the machine after it; whoever is stopped in the
// middle of a call leaves what was there before. All calls wait for the disk.
class VersionStore {
 public:
    using Done = base::Result<void, std::string>;

    explicit VersionStore(std::string folder) : folder_(std::move(folder)) {}

    // In the order of the bots' names. Takes away what a call that was stopped has left.
    base::Result<std::vector<Owner>, std::string> read() const;
    Done keep(const std::string& bot, const Version& version, const std::string& bytes) const;
    Done conclude(const std::string& bot, unsigned number, const VersionOutcome& outcome) const;
    Done withdraw(const std::string& bot, unsigned number) const;
    void remove(const std::string& bot, unsigned number) const;

    // The file that was handed in.
    std::string file_of(const std::string& bot, const Version& version) const;
    // The folder for what is built of it.
    std::string build_folder_of(const std::string& bot, unsigned number) const;
    // All that is kept of a bot.
    std::string folder_of(const std::string& bot) const;

 private:
    std::string folder_;
};

}  // namespace referee::versions
