#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/files/file.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"

// What a grading reads and writes.

namespace referee::grading {

// The rubric in a file; else all its mistakes, each as a line: "rubric.json:7: steps[0].points:
// ...".
base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file);
// The folder from which the rubric's own paths go, absolute.
std::string folder_of_rubric(const std::string& file);

// Each writes files, and says why one can't be written; empty where all is well.

// grade.json and report.txt for the instructor; feedback.md and feedback.html for the student.
std::string write_grade(const std::string& folder, const verdict::Grade& grade);
// grades.csv, grades.txt and grades.json.
std::string write_class(const std::string& folder, const std::vector<verdict::Grade>& grades);

// Files that others read; those with an empty name are not written.
struct ExtraFiles {
    std::string junit;
    std::string gradescope;    // of a single grade
    std::string step_summary;  // is added to
};
// What an earlier grading wrote there tells nothing of this one. What is added to stays.
void remove_extra(const ExtraFiles& files);
std::string write_extra(const ExtraFiles& files, const std::vector<verdict::Grade>& grades);

// Why grades may not be written into `out`: it is a symbolic link, or lies in one of `folders`,
// which programs see and students fill. Links are resolved. Empty where they may.
std::string mistake_in_folder(const std::string& out, const std::vector<std::string>& folders);

// Makes the folder and its "games", and keeps other gradings off it for as long as the descriptor
// lives. An error says who holds it, or why it can't be made; then nothing was changed.
base::Result<files::Descriptor, std::string> take_folder(const std::string& out);

// The places of a tournament that was played elsewhere, by the names of its bots: what extra points
// by place are given for.
class Places {
 public:
    // A tournament's standings.json; an empty name: there is none. What is wrong, or nothing.
    std::string read(const std::string& file);
    bool known() const { return known_; }
    // Tells what is known of the bot's place.
    void tell(const std::string& bot, verdict::Played& played) const;

 private:
    bool known_ = false;
    bool open_ = false;                    // the tournament isn't over
    std::string by_;                       // what they go by first; empty: not told
    std::vector<verdict::Placed> placed_;  // the best first
};

// How often series of games came to nothing by the referee's own trouble: the next grading plays
// them again under another id. Kept in a file.
class Tries {
 public:
    explicit Tries(std::string file) : file_(std::move(file)) {}

    // What is wrong with the file, or nothing. A missing one is empty.
    std::string read();
    // Why it can't be written, or nothing.
    std::string write() const;
    void count(const std::string& series) {
        ++counts_[series];
        changed_ = true;
    }
    const std::map<std::string, unsigned>& counts() const { return counts_; }

 private:
    std::string file_;
    std::map<std::string, unsigned> counts_;
    bool changed_ = false;
};

}  // namespace referee::grading
