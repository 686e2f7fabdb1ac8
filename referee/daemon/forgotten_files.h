#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/report/output_folder.h"
#include "referee/store/records/forgetting.h"

namespace referee::daemon {

// The files below the folder of a run, as they concern a bot that is forgotten. The store's own are
// no part of them.
struct FilesOfBot {
    std::vector<std::string> rewritten;  // games, standings and the like, with the pseudonym
    std::vector<std::string> removed;    // what the bot sent for its own use; what is drawn up anew
    std::vector<std::string> left;       // that name it and are not the referee's to change
    std::vector<std::string> too_large;  // to be looked at; the referee writes none of that size
};

// Looks through all files of the folder. An error names one that can't be read.
base::Result<FilesOfBot, std::string> files_of_bot(const std::string& folder,
                                                   const records::Pseudonym& of);

// Rewrites and removes them. May be done again where it was cut short.
report::Written forget_in_files(const FilesOfBot& files, const records::Forgetting& forgetting);

}  // namespace referee::daemon
