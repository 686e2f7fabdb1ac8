#pragma once

#include <map>
#include <optional>
#include <string>

#include "referee/grading/verdict/played.h"

namespace referee::grading {

// What is known of the runs of one submission: a line of JSON a run in a file, added when the run
// has ended. A line that was cut off by a crash counts for nothing, and is written anew.
class ToolRecords {
 public:
    struct Record {
        verdict::PlayedRun run;
        std::string sandbox;  // in which tier it ran
    };

    explicit ToolRecords(std::string file) : file_(std::move(file)) {}

    // What is wrong with the file, or nothing. A missing one is empty.
    std::string read();
    // `key`: a hash of all that decides the run. Null where it isn't known.
    const Record* find(const std::string& key) const;
    // Why it can't be kept, or nothing.
    std::string add(const std::string& key, Record record);

 private:
    std::string file_;
    std::map<std::string, Record> known_;
    bool cut_off_ = false;  // the file's last line has no end
};

}  // namespace referee::grading
