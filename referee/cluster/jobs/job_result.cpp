#include "referee/cluster/jobs/job_result.h"

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
#include <limits>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "protocol/base/split_mix.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/net/loop/process_resources.h"
#include "referee/store/archive.h"

namespace referee::jobs {
namespace {

namespace json = protocol::json;

// Of what is told on terminals, and kept with each game.
constexpr std::size_t text_bytes_max = 200;

std::string fact(const std::string& text) {
    return base::visible_line(text).substr(0, text_bytes_max);
}

std::string origin_of(const Job& job, const JobResult& result) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("job", job.id)
        .member("referee", job.version)
        .member("took_ms", static_cast<std::int64_t>(result.took.count()))
        .end_object();
    return text;
}

// Why the archive is no result of the job, in words behind the name of its file; empty where it is.
std::string wrong_origin(const std::string& origin, const Job& job, JobResult& into) {
    json::Document document;
    if (!document.parse(origin, {.depth_max = protocol::limits::depth_max}))
        return "expected the result of a job, found an archive of another origin";
    json::Mistakes mistakes;
    json::Reader root(document.root(), mistakes, "origin");
    const auto id = root.text("job");
    const auto version = root.text("referee");
    into.took = std::chrono::milliseconds(root.integer("took_ms"));
    if (mistakes) return mistakes.first().text();
    if (id != job.id)
        return "expected the result of the job " + job.id + ", found that of " + std::string(id);
    if (version == job.version) return {};
    return "expected a result of the referee's version " + job.version + ", found one of " +
           std::string(version) + "; install the same referee on all machines";
}

// Games that the job asks for, and that were not read yet.
using Asked = std::map<GameKey, const MatchTask::Game*>;

// The same of a record in it. Whether games make their match whole is the scheduler's to say.
std::string wrong_record(const records::Record& record, const Job& job, Asked& asked) {
    const auto* game = std::get_if<records::GameRecord>(&record);
    if (game == nullptr) return "expected records of games alone";
    const auto& played = game->result;
    const auto id = "game " + game_id(played.key);
    const auto found = asked.extract(played.key);
    if (found.empty())
        return id + " was not asked for, or stands twice; it is kept, and doesn't count";
    const auto& bots = found.mapped()->bots;
    for (std::size_t seat = 0; seat < std::min(bots.size(), played.program.size()); ++seat) {
        const auto& program = played.program[seat];
        const auto& expected = job.programs.at(bots[seat]);
        if (!program.empty() && program != expected)
            return id + ": " + bots[seat] + " was played by " + program + ", and the job names " +
                   expected + "; its files changed while the job was played";
    }
    return {};
}

// Enough for a processor to reach its pace, and too little to cost a job anything.
constexpr int calibration_tries = 5;
constexpr int calibration_steps = 2'000'000;

std::string model_of_processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with("model name")) continue;
        const auto colon = line.find(": ");
        return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
    return {};
}

std::int64_t calibrated_us() {
    auto least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < calibration_tries; ++i) {
        const auto before = std::chrono::steady_clock::now();
        base::SplitMix numbers(1);
        std::uint64_t sum = 0;
        for (int step = 0; step < calibration_steps; ++step) sum += numbers.next();
        // Looked at, so that the sum has to be worked out.
        volatile auto seen = sum;
        static_cast<void>(seen);
        const auto took = std::chrono::steady_clock::now() - before;
        least = std::min<std::int64_t>(
            least, std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    }
    return least;
}

constexpr mode_t part_mode = 0640;
constexpr const char* machine_file = "/host";
constexpr std::size_t machine_bytes_max = 4096;
constexpr const char* part_name_begins = "result.";  // as the result's own name does
constexpr std::int64_t ms_per_s = 1000;
constexpr std::int64_t ns_per_ms = 1'000'000;
constexpr std::int64_t ns_per_s = 1'000'000'000;
constexpr std::int64_t s_per_minute = 60;
// Machines of one course are kept together by NTP. Minutes are told apart from a shared disk's lag.
constexpr std::int64_t clocks_apart_max_ms = 10 * s_per_minute * ms_per_s;

auto failed(const std::string& what, const std::string& path) {
    const int error = errno;
    const bool closed = error == EACCES || error == EPERM || error == EROFS;
    return base::failure(Ending{
        exit_trouble,
        path + " " + what + ": " + std::strerror(error) +
            (closed ? "; expected a folder of a shared file system in which this user may write"
                    : "")});
}

std::string minutes(std::int64_t ms) {
    return std::to_string(std::abs(ms) / ms_per_s / s_per_minute) + " minutes";
}

std::int64_t changed_ns(const struct stat& status) {
    return static_cast<std::int64_t>(status.st_mtim.tv_sec) * ns_per_s +
           static_cast<std::int64_t>(status.st_mtim.tv_nsec);
}

}  // namespace

std::string result_text(const Job& job, const JobResult& result) {
    std::ostringstream out;
    store::ArchiveWriter archive(out, origin_of(job, result));
    std::uint64_t seq = 0;
    for (const auto& played : result.games) archive.write({++seq, played.ended_ms, played.game});
    archive.end();
    return out.str();
}

base::Result<JobResult, std::string> read_result(const std::string& text, const std::string& name,
                                                 const Job& job) {
    Asked asked;
    for (const auto& match : job.matches) {
        for (const auto& game : match.games) asked.emplace(game.key, &game);
    }
    std::string wrong;
    auto read = store::result_of(name, [&] {
        std::istringstream in(text);
        store::ArchiveReader archive(in, name);
        JobResult result;
        wrong = wrong_origin(archive.origin(), job, result);
        while (wrong.empty()) {
            auto next = archive.next();
            if (!next) break;
            wrong = wrong_record(next->record, job, asked);
            if (wrong.empty())
                result.games.push_back(
                    {next->time_ms, std::get<records::GameRecord>(std::move(next->record))});
        }
        return result;
    });
    if (!read)
        return base::failure(read.error().message +
                             "; it counts for nothing, and the job is to be played again");
    if (!wrong.empty()) return base::failure(name + ": " + wrong);
    return *std::move(read);
}

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
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const auto name = entry.path().filename().string();
        if (!name.starts_with(part_name_begins) || name == result_file) continue;
        struct stat status {};
        if (::lstat(entry.path().c_str(), &status) != 0) continue;
        last = std::max(last, std::optional(changed_ns(status)));
    }
    return last;
}

base::Result<ResultPlace, Ending> ResultPlace::open(const std::string& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return base::failure(Ending{
            exit_bad_input, folder +
                                " is no folder on this machine; expected a job's folder, on a file "
                                "system that all machines share"});
    auto part = folder + "/" + part_name_begins + "XXXXXX";
    files::Descriptor file(::mkostemp(part.data(), O_CLOEXEC));
    if (!file) return failed("takes no files", folder);
    ResultPlace place(folder, std::move(part), std::move(file));
    // As any file of the coordinator's, and not for its owner alone.
    if (::fchmod(place.file_.get(), part_mode) != 0 && errno != EPERM)
        return failed("can't be made readable", place.part_);
    return place;
}

ResultPlace::ResultPlace(ResultPlace&& other) noexcept
    : folder_(std::move(other.folder_)),
      part_(std::exchange(other.part_, {})),
      file_(std::move(other.file_)) {}

ResultPlace::~ResultPlace() {
    if (!part_.empty()) ::unlink(part_.c_str());
}

base::Result<void, Ending> ResultPlace::check_clocks(std::int64_t now_ms,
                                                     std::int64_t written_ms) const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return failed("can't be looked at", part_);
    const auto off = now_ms - changed_ns(status) / ns_per_ms;
    if (std::abs(off) > clocks_apart_max_ms)
        return base::failure(
            Ending{exit_trouble, "this machine's clock is " + minutes(off) +
                                     (off > 0 ? " ahead of" : " behind") + " that of " + folder_ +
                                     "; set it by NTP, or give jobs to no such machine"});
    if (written_ms - now_ms > clocks_apart_max_ms)
        return base::failure(Ending{
            exit_trouble, "the job was written " + minutes(written_ms - now_ms) +
                              " in the future, as this machine's clock has it; set the clocks of "
                              "this machine and of the coordinator's by NTP"});
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
            return base::failure(Ending{
                exit_done, name + " is there already: another run of this job has written it "
                                  "first, and its result stands"});
        errno = error;
        return failed("can't be named", name);
    }
    part_.clear();
    if (!files::sync_folder(folder_)) return failed("can't be made sure of", folder_);
    return {};
}

}  // namespace referee::jobs
