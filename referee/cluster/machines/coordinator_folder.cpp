#include "referee/cluster/machines/coordinator_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/files/file.h"

namespace referee::machines {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

constexpr std::size_t small_file_max = 4096;
constexpr std::size_t last_line_max = 600;
constexpr std::size_t log_bytes_max = 16 * 1024 * 1024;
constexpr const char* part_of_job = ".part-";
constexpr const char* cancelled_file = "/cancelled.json";
constexpr const char* name_of_try = ".referee-check-XXXXXX";

std::string untaken(const std::string& file, const std::string& reason) {
    return file + ": " + reason +
           "; expected \"folder\" of \"machines\" to be on a file system that all machines share, "
           "where this user may write";
}

CoordinatorFolder::Result<std::string> text_in(const std::string& file, std::size_t bytes_max) {
    return files::read_named_file(file, bytes_max).map_error([&](const std::string& why) {
        return file + " " + why;
    });
}

// What a lock says: whose it is and, for people, who holds it: "node7, process 17".
struct LockText {
    CoordinatorFolder::Owner owner;  // empty where it can't be read
    std::string who = "nobody knows whom";
};

LockText lock_in(const std::string& file) {
    const auto text = files::read_named_file(file, small_file_max);
    json::Document document;
    if (!text || !document.parse(*text, {.depth_max = 2})) return {};
    const auto word = [&document](std::string_view name) {
        return std::string(document.root().find(name).text());
    };
    return {{word("store"), word("run")}, base::visible_line(word("who"))};
}

std::string in_others_hands(const std::string& danger) {
    return "jobs in a folder to which others may write would be theirs to change: " + danger;
}

}  // namespace

std::string number_text(std::uint64_t number) {
    return fmt::format("{:0{}}", number, digits_of_number);
}

std::string last_line_of(std::string_view text) {
    return base::visible_line(base::last_line(text).substr(0, last_line_max));
}

CoordinatorFolder::Result<CoordinatorFolder> CoordinatorFolder::open(const std::string& path,
                                                                     Owner owner) {
    CoordinatorFolder folder(path, std::move(owner));
    if (auto made = folder.make(); !made) return base::failure(made.error());
    if (auto locked = folder.lock(); !locked) return base::failure(locked.error());
    for (const auto* part : {"/jobs", "/late"}) {
        for (const auto& name : files::names_in(path + part)) {
            if (const auto number = base::whole_number(fs::path(name).stem().string()))
                folder.first_free_ = std::max(folder.first_free_, *number + 1);
        }
    }
    return folder;
}

CoordinatorFolder::Result<void> CoordinatorFolder::make() {
    for (const auto* part : {"", "/jobs", "/late"}) {
        std::error_code error;
        // Jobs hold the environment that a config gives to its bots.
        if (fs::create_directories(path_ + part, error) && !error)
            fs::permissions(path_ + part, fs::perms::owner_all, error);
        if (error) return base::failure(untaken(path_ + part, error.message()));
    }
    if (auto danger = files::others_who_may_write(path_); !danger.empty())
        return base::failure(in_others_hands(danger));
    return {};
}

// A folder like it is made, in it or as near to it as there is something, and goes again: nothing
// else tells what a file system that is read-only, full or no real one will say.
CoordinatorFolder::Result<void> CoordinatorFolder::try_out(const std::string& path) {
    fs::path there(path);
    std::error_code error;
    // A link that leads nowhere is there, and in the way.
    while (there.has_relative_path() && !fs::exists(fs::symlink_status(there, error)))
        there = there.parent_path();
    auto tried = (there / name_of_try).string();
    if (::mkdtemp(tried.data()) == nullptr)
        return base::failure(untaken(there.string(), std::strerror(errno)));
    const auto danger = files::others_who_may_write(tried);
    ::rmdir(tried.c_str());
    if (!danger.empty()) return base::failure(in_others_hands(danger));
    return {};
}

CoordinatorFolder::Result<void> CoordinatorFolder::lock() {
    const auto text = json::object_text([this](json::Writer& writer) {
        writer.member("store", owner_.store)
            .member("run", owner_.run)
            .member("who", fmt::format("{}, process {}", jobs::machine_name(), ::getpid()));
    });
    const auto part = lock_file() + "." + owner_.run;
    if (auto written = files::replace_file(part, text + "\n"); !written)
        return base::failure(untaken(part, written.error()));
    int error = files::give_free_name(part, lock_file());
    const auto held = lock_in(lock_file());
    if (error == EEXIST && held.owner.store == owner_.store)
        error = ::rename(part.c_str(), lock_file().c_str()) == 0 ? 0 : errno;
    if (error != 0) ::unlink(part.c_str());
    if (error == EEXIST)
        return base::failure(path_ + " holds the jobs of another store (" + held.who +
                             "); expected a folder of its own for each store, such as " + path_ +
                             "-2; where that is this store, whose machines.id was lost, write \"" +
                             base::visible_line(held.owner.store) +
                             "\" into machines.id again; where it is gone for ever, remove " +
                             path_);
    if (error != 0) return base::failure(untaken(lock_file(), std::strerror(error)));
    return {};
}

CoordinatorFolder::Result<void> CoordinatorFolder::check_owner() const {
    const auto [owner, who] = lock_in(lock_file());
    if (owner.store == owner_.store && owner.run == owner_.run) return {};
    struct stat status {};
    if (owner.run.empty() && ::stat(lock_file().c_str(), &status) != 0)
        return base::failure(untaken(lock_file(), std::strerror(errno)));
    return base::failure(lock_file() + " names another coordinator (" + who +
                         "), which has taken this folder over: stop one of the two");
}

std::vector<LeftoverJob> CoordinatorFolder::leftover_jobs(const std::string& version) const {
    std::vector<LeftoverJob> all;
    for (const auto& name : files::names_in(path_ + "/jobs")) {
        const auto path = path_ + "/jobs/" + name;
        if (name.starts_with(part_of_job)) {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        }
        const auto number = base::whole_number(name);
        if (!number) continue;
        LeftoverJob leftover{*number, {}, {}};
        if (files::is_there(path + cancelled_file)) {
            leftover.is_cancelled = true;
        } else if (const auto read = job(*number, version)) {
            for (const auto& match : read->matches) leftover.match_tasks.push_back(match.key());
        } else {
            leftover.trouble = read.error();
        }
        all.push_back(std::move(leftover));
    }
    std::ranges::sort(all, {}, &LeftoverJob::number);
    return all;
}

std::string CoordinatorFolder::folder_of(std::uint64_t number) const {
    return path_ + "/jobs/" + number_text(number);
}

std::string CoordinatorFolder::late_file(std::uint64_t number) const {
    return path_ + "/late/" + number_text(number) + ".ndjson";
}

CoordinatorFolder::Result<void> CoordinatorFolder::write(std::uint64_t number,
                                                         const std::string& text) {
    const auto part = path_ + "/jobs/" + part_of_job + number_text(number);
    std::error_code error;
    fs::create_directory(part, error);
    if (error) return base::failure(untaken(part, error.message()));
    auto written = files::replace_file(part + "/" + jobs::job_file, text);
    if (written) {
        fs::rename(part, folder_of(number), error);
        if (!error) return {};
    }
    std::error_code ignored;
    fs::remove_all(part, ignored);
    return base::failure(untaken(part, written ? error.message() : written.error()));
}

// One that can't be renamed is taken up, and missed once more.
void CoordinatorFolder::note_cancelled(std::uint64_t number) const {
    const auto folder = folder_of(number);
    std::error_code ignored;
    fs::rename(folder + "/" + jobs::job_file, folder + cancelled_file, ignored);
}

CoordinatorFolder::Result<jobs::Job> CoordinatorFolder::job(std::uint64_t number,
                                                            const std::string& version) const {
    const auto file = folder_of(number) + "/" + jobs::job_file;
    const auto text = text_in(file, jobs::job_bytes_max);
    if (!text) return base::failure(text.error());
    return jobs::read_job(*text, file, version);
}

CoordinatorFolder::Result<std::string> CoordinatorFolder::result_text(std::uint64_t number) const {
    return text_in(jobs::result_path(folder_of(number)), jobs::result_bytes_max);
}

std::optional<std::string> CoordinatorFolder::last_words(std::uint64_t number) const {
    const auto file = folder_of(number) + "/" + jobs::log_file;
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return std::nullopt;
    const auto text = files::read_named_file(file, log_bytes_max);
    return text ? last_line_of(*text) : std::string();
}

CoordinatorFolder::Result<void> CoordinatorFolder::remove(std::uint64_t number, bool keeps_result) {
    const auto folder = folder_of(number);
    const auto result = jobs::result_path(folder);
    if (keeps_result && ::rename(result.c_str(), late_file(number).c_str()) != 0 && errno != ENOENT)
        return base::failure(untaken(result, std::strerror(errno)));
    // Under another name first: whoever still plays it can't put files into it meanwhile.
    const auto part = path_ + "/jobs/" + part_of_job + number_text(number);
    std::error_code error;
    fs::rename(folder, part, error);
    if (error == std::errc::no_such_file_or_directory) return {};
    if (!error) fs::remove_all(part, error);
    if (error) return base::failure(untaken(folder, error.message()));
    return {};
}

void CoordinatorFolder::leave() {
    if (check_owner()) ::unlink(lock_file().c_str());
}

}  // namespace referee::machines
