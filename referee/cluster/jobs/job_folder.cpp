#include "referee/cluster/jobs/job_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "protocol/base/split_mix.h"
#include "protocol/base/visible_text.h"
#include "referee/net/loop/process_resources.h"

namespace referee::jobs {
namespace {

// Of what is told on terminals, and kept with each game.
constexpr std::size_t text_bytes_max = 200;

std::string fact(const std::string& text) {
    return base::visible_line(text).substr(0, text_bytes_max);
}

// Enough for a processor to reach its pace, and too little to cost a job anything.
constexpr int calibration_tries = 5;
constexpr int calibration_steps = 2'000'000;

std::string model_of_processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const auto colon = line.find(": ");
        if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
    }
    return {};
}

std::int64_t calibrated_us() {
    auto least = std::chrono::microseconds::max();
    for (int i = 0; i < calibration_tries; ++i) {
        const auto before = std::chrono::steady_clock::now();
        base::SplitMix numbers(1);
        std::uint64_t sum = 0;
        for (int step = 0; step < calibration_steps; ++step) sum += numbers.next();
        // Looked at, so that the sum has to be worked out.
        volatile auto seen = sum;
        static_cast<void>(seen);
        least = std::min(least, std::chrono::duration_cast<std::chrono::microseconds>(
                                    std::chrono::steady_clock::now() - before));
    }
    return least.count();
}

constexpr mode_t part_mode = 0640;
constexpr const char* machine_file = "/host";
constexpr std::size_t machine_bytes_max = 4096;
constexpr const char* part_name_begins = "result.";  // as the result's own name does
// Machines of one course are kept together by NTP. Minutes are told apart from a shared disk's lag.
constexpr std::chrono::minutes clocks_apart_max{10};

auto ends(int status, const std::string& message) {
    return base::failure(Ending{status, message});
}

auto failed(const std::string& what, const std::string& path) {
    const int error = errno;
    const bool closed = error == EACCES || error == EPERM || error == EROFS;
    return ends(
        exit_trouble,
        path + " " + what + ": " + std::strerror(error) +
            (closed ? "; expected a folder of a shared file system in which this user may write"
                    : ""));
}

std::string minutes(std::chrono::nanoseconds time) {
    const auto whole = std::chrono::duration_cast<std::chrono::minutes>(std::chrono::abs(time));
    return std::to_string(whole.count()) + " minutes";
}

std::chrono::nanoseconds changed_at(const struct stat& status) {
    return std::chrono::seconds(status.st_mtim.tv_sec) +
           std::chrono::nanoseconds(status.st_mtim.tv_nsec);
}

}  // namespace

MachineFacts machine_facts() {
    MachineFacts facts;
    utsname system{};
    if (uname(&system) == 0) facts.kernel = std::string(system.sysname) + " " + system.release;
    facts.name = fact(machine_name());
    facts.processor = fact(model_of_processor());
    facts.cores = loop::usable_cores();
    facts.calibration_us = calibrated_us();
    return facts;
}

std::string machine_name() {
    // Where jobs are played in containers, who starts them knows the machine's name.
    const char* given = std::getenv("REFEREE_HOST");
    utsname system{};
    if (given == nullptr || *given == '\0') given = ::uname(&system) == 0 ? system.nodename : "";
    return *given == '\0' ? "unnamed" : given;
}

std::string this_program() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? "/usr/bin/referee" : path.string();
}

std::string machine_of(const std::string& folder) {
    const auto text = files::read_named_file(folder + machine_file, machine_bytes_max);
    return text ? base::visible_line(text->substr(0, text->find('\n'))) : std::string();
}

void note_machine(const std::string& folder) {
    const files::Descriptor file(::open((folder + machine_file).c_str(),
                                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, part_mode));
    if (file) files::write_all(file.get(), machine_name() + "\n");
}

std::string result_path(const std::string& folder) {
    return folder + "/" + result_file;
}

bool has_result(const std::string& folder) {
    struct stat status {};
    return ::lstat(result_path(folder).c_str(), &status) == 0;
}

std::optional<std::int64_t> last_life(const std::string& folder) {
    std::optional<std::int64_t> last;
    for (const auto& name : files::names_in(folder)) {
        if (!name.starts_with(part_name_begins) || name == result_file) continue;
        struct stat status {};
        if (::lstat((folder + "/" + name).c_str(), &status) != 0) continue;
        last = std::max(last, std::optional<std::int64_t>(changed_at(status).count()));
    }
    return last;
}

base::Result<std::unique_ptr<ResultPlace>, Ending> ResultPlace::open(const std::string& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return ends(exit_bad_input,
                    folder +
                        " is no folder on this machine; expected a job's folder, on a file "
                        "system that all machines share");
    auto part = folder + "/" + part_name_begins + "XXXXXX";
    files::Descriptor file(::mkostemp(part.data(), O_CLOEXEC));
    if (!file) return failed("takes no files", folder);
    std::unique_ptr<ResultPlace> place(new ResultPlace(folder, std::move(part), std::move(file)));
    // As any file of the coordinator's, and not for its owner alone.
    if (::fchmod(place->file_.get(), part_mode) != 0 && errno != EPERM)
        return failed("can't be made readable", place->part_);
    return place;
}

ResultPlace::~ResultPlace() {
    if (!part_.empty()) ::unlink(part_.c_str());
}

base::Result<void, Ending> ResultPlace::check_clocks(std::int64_t now_ms,
                                                     std::int64_t written_ms) const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return failed("can't be looked at", part_);
    const auto off = std::chrono::milliseconds(now_ms) -
                     std::chrono::floor<std::chrono::milliseconds>(changed_at(status));
    if (std::chrono::abs(off) > clocks_apart_max)
        return ends(exit_trouble, "this machine's clock is " + minutes(off) +
                                      (off.count() > 0 ? " ahead of" : " behind") + " that of " +
                                      folder_ + "; set it by NTP, or give jobs to no such machine");
    const std::chrono::milliseconds early(written_ms - now_ms);
    if (early > clocks_apart_max)
        return ends(exit_trouble,
                    "the job was written " + minutes(early) +
                        " in the future, as this machine's clock has it; set the clocks of "
                        "this machine and of the coordinator's by NTP");
    return {};
}

// The file system's time, not this machine's.
void ResultPlace::show_life() const {
    ::futimens(file_.get(), nullptr);
}

base::Result<void, Ending> ResultPlace::publish(const std::string& text) {
    if (!files::write_all(file_.get(), text) || ::fsync(file_.get()) != 0)
        return failed("can't be written", part_);
    const auto name = result_path(folder_);
    if (const int error = files::give_free_name(part_, name); error != 0) {
        if (error == EEXIST)
            return ends(exit_done, name +
                                       " is there already: another run of this job has written it "
                                       "first, and its result stands");
        errno = error;
        return failed("can't be named", name);
    }
    part_.clear();
    if (!files::sync_folder(folder_)) return failed("can't be made sure of", folder_);
    return {};
}

}  // namespace referee::jobs
