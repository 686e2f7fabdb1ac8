#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"
#include "referee/game/result/game_result.h"

namespace referee::machines {

// A job that an earlier coordinator left.
struct LeftoverJob {
    std::uint64_t number = 0;
    std::vector<GameKey> match_tasks;  // the first game of each of its matches
    std::string trouble;  // why nobody can play it; empty: it may be played, or have its result
    bool is_cancelled = false;
};

// The folder in which a coordinator keeps its jobs, on a file system that all machines share:
//
//     coordinator.json   whose folder it is
//     jobs/000017/       a job: job.json, its result, and the log of who plays it; cancelled.json
//                        in place of job.json where nobody is to begin it any more
//     late/000012.ndjson results that didn't count
//
// A job's folder gets its name when its job is whole. All calls may wait for the file system. An
// error says what happened and what to do.
class CoordinatorFolder {
 public:
    template <typename T>
    using Result = base::Result<T, std::string>;

    // Whose the folder is to be.
    struct Owner {
        std::string store;  // of no other store
        std::string run;    // of no other process
    };
    // Makes the folder. Refused where it is another store's. Where it is this store's, an earlier
    // coordinator is gone, as a store has one at a time: its folder is taken over.
    static Result<CoordinatorFolder> open(const std::string& path, Owner owner);
    // Whether it could be made there, and only this user could write to it. Leaves nothing.
    static Result<void> try_out(const std::string& path);

    // Fails where another coordinator has taken it over meanwhile.
    Result<void> check_owner() const;
    // What an earlier coordinator left, by number. `version`: of this referee.
    std::vector<LeftoverJob> leftover_jobs(const std::string& version) const;
    // No job and no late result had this number or a higher one when this was opened.
    std::uint64_t first_free() const { return first_free_; }

    const std::string& path() const { return path_; }
    std::string folder_of(std::uint64_t number) const;
    std::string late_file(std::uint64_t number) const;
    // `text`: of its job.json.
    Result<void> write(std::uint64_t number, const std::string& text);
    // Nobody begins it any more, and the next coordinator doesn't wait for it.
    void note_cancelled(std::uint64_t number) const;
    Result<jobs::Job> job(std::uint64_t number, const std::string& version) const;
    Result<std::string> result_text(std::uint64_t number) const;
    // The end of the log of who played it, a line; empty: that said nothing. Nothing: there is no
    // log, so nobody has begun to play it who keeps one.
    std::optional<std::string> last_words(std::uint64_t number) const;
    // `keeps_result`: among those that didn't count, where there is one.
    Result<void> remove(std::uint64_t number, bool keeps_result);
    // It is nobody's any more.
    void leave();

 private:
    CoordinatorFolder(std::string path, Owner owner)
        : path_(std::move(path)), owner_(std::move(owner)) {}
    Result<void> make();
    Result<void> lock();
    std::string lock_file() const { return path_ + "/coordinator.json"; }

    std::string path_;
    Owner owner_;
    std::uint64_t first_free_ = 1;
};

// What scripts find a job's folder by: "000017".
inline constexpr std::size_t digits_of_number = 6;
std::string number_text(std::uint64_t number);

// The last line that says anything, as much of it as a person reads.
std::string last_line_of(std::string_view text);

}  // namespace referee::machines
