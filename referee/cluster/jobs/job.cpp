#include "referee/cluster/jobs/job.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/visible_text.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/game/fields/fields.h"
#include "referee/game/result/result_fields.h"
#include "referee/store/records/read_fields.h"

namespace referee::fields {

template <>
struct Words<sandbox::Tier> {
    static std::optional<sandbox::Tier> named(std::string_view name) {
        return base::value_named(sandbox::tier_names, name);
    }
    static constexpr std::string_view expected = R"("none", "C", "B" or "A")";
};

template <>
struct Description<scheduler::MatchTask::Game> {
    using Row = scheduler::MatchTask::Game;
    static constexpr std::tuple fields{
        PartOf{&Row::key, Description<GameKey>::fields},
        Field{"setup", &Row::setup},
        Field{"seed", &Row::seed},
        List{"bots", &Row::bots, "bot"},
    };
};

template <>
struct Description<scheduler::MatchTask> {
    using Row = scheduler::MatchTask;
    static constexpr std::tuple fields{
        Field{"games_max", &Row::games_max},
        Field{"one_goes_on", &Row::one_goes_on},
        Field{"extra_games", &Row::extra_games},
        Rows{"games", &Row::games},
    };
};

// Beside these a job has "programs", a member for each bot.
template <>
struct Description<jobs::Job> {
    using Row = jobs::Job;
    static constexpr std::tuple fields{
        Field{"job", &Row::id},
        Field{"referee", &Row::version},
        Field{"written_by", &Row::written_by, Absent::from_both},
        Field{"written", &Row::written_ms},
        Field{"unsandboxed", &Row::unsandboxed},
        Field{"min_tier", &Row::tier_min, Absent::from_both},
        Field{"directory", &Row::directory},
        JsonText{"config", &Row::config_text},
        Rows{"matches", &Row::matches},
    };
};

}  // namespace referee::fields

namespace referee::jobs {
namespace {

namespace json = protocol::json;

// 64 hexadecimal digits and a line feed.
constexpr std::size_t seal_bytes = 65;

std::string seal_of(std::string_view text) {
    return base::hex_of(base::digest_of(text)) + '\n';
}

const config::TournamentConfig& tournament_of(const config::Config& config,
                                              const MatchTask& match) {
    const auto found = std::ranges::find(config.tournaments, match.key().tournament,
                                         &config::TournamentConfig::id);
    REFEREE_ASSERT(found != config.tournaments.end());
    return *found;
}

std::string job_written_anew(const std::string& file, const std::string& what) {
    return file + ": " + what + "; let the coordinator write the job anew";
}

}  // namespace

std::string job_text(const Job& job) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    fields::write_fields(writer, job, fields::Description<Job>::fields);
    writer.key("programs").begin_object();
    for (const auto& [bot, program] : job.programs) writer.member(bot, program);
    writer.end_object().end_object();
    text += '\n';
    return text + seal_of(text);
}

base::Result<Job, std::string> read_job(std::string_view text, const std::string& file,
                                        std::string_view version) {
    const auto mistake = [&file](const std::string& what) {
        return base::failure(job_written_anew(file, what));
    };
    const auto body = text.substr(0, text.size() - std::min(text.size(), seal_bytes));
    if (text.substr(body.size()) != seal_of(body))
        return mistake(
            "its last line isn't the digest of what stands before it, as in a job of this version");
    json::Document document;
    if (const auto parsed = document.parse(body); !parsed) return mistake(parsed.error().message);
    json::Mistakes mistakes;
    json::Reader root(document.root(), mistakes);
    // What another version's job says is not for this referee to judge.
    const auto writer = root.text("referee");
    if (!mistakes && writer != version) {
        const auto by = root.given("written_by").string();
        return mistake("referee: the coordinator" + (by ? ", " + std::string(*by) + "," : "") +
                       " is version " + std::string(writer) + ", and this machine has version " +
                       std::string(version) +
                       ", which may play otherwise; install the same referee on both");
    }
    Job job;
    records::read_fields(root, job, fields::Description<Job>::fields);
    const auto programs = root.object("programs");
    for (const auto [bot, program] : programs.view().members())
        job.programs.emplace(bot, program.string().value_or(""));
    if (mistakes) return mistake(mistakes.first().text());
    return job;
}

base::Result<JobConfig, std::string> read_config_of(const Job& job, const std::string& file) {
    auto read = config::read_config(job.config_text, file, job.directory);
    if (!read) {
        const auto& first = read.error().front();
        const auto member = first.member.empty() ? "" : "." + first.member;
        return base::failure(job_written_anew(file, "config" + member + ": " + first.message));
    }
    JobConfig known{*std::move(read), {}};
    for (const auto& tournament : known.config.tournaments) {
        auto registry = config::registry_for(tournament);
        if (!registry)
            return base::failure(
                job_written_anew(file, "config.maps: " + registry.error().message));
        known.games[tournament.id] = *std::move(registry);
    }
    return known;
}

MatchProgress::MatchProgress(const JobConfig& config, const MatchTask& match)
    : match_(match),
      tournament_(tournament_of(config.config, match)),
      rules_(*config.games.at(tournament_.id)->find(tournament_.game)) {}

const MatchTask::Game* MatchProgress::next() const {
    if (stopped_ || begun_ == match_.games.size()) return nullptr;
    if (!tournament_.match.solo && ended_ < begun_) return nullptr;
    return &match_.games[begun_];
}

void MatchProgress::end(const GameResult& result) {
    ++ended_;
    results_.push_back(result);
    // Solo games don't wait for each other, so one of them stops no other one.
    if (!tournament_.match.solo) stopped_ = !counts(result.status) || is_decided();
}

bool MatchProgress::is_decided() const {
    formats::Pairing pairing;
    const auto& first = match_.games.front();
    pairing.match = first.key.match;
    for (formats::Entrant seat = 0; seat < first.bots.size(); ++seat) pairing.seats.push_back(seat);
    formats::MatchTerms terms;
    terms.one_goes_on = match_.one_goes_on;
    terms.extra_games = match_.extra_games;
    return formats::fold_match(tournament_.match, pairing, results_, rules_, terms).over;
}

namespace {

constexpr mode_t part_mode = 0640;
constexpr const char* host_file = "/host";
constexpr std::size_t host_bytes_max = 4096;
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
    return base::failure(JobEnding{
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

// A link that an old server answers twice is there all the same.
bool is_linked(const std::string& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && status.st_nlink > 1;
}

}  // namespace

std::string host_name() {
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

std::string host_in(const std::string& folder) {
    const auto text = files::read_named_file(folder + host_file, host_bytes_max);
    return text ? base::visible_line(text->substr(0, text->find('\n'))) : std::string();
}

void note_host(const std::string& folder) {
    const files::Descriptor file(
        ::open((folder + host_file).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, part_mode));
    if (file) files::write_all(file.get(), host_name() + "\n");
}

int give_name(const std::string& part, const std::string& name) {
    if (::link(part.c_str(), name.c_str()) == 0 || is_linked(part)) return 0;
    const int error = errno;
    if (error == EEXIST) return error;
    if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0)
        return 0;
    return errno == EEXIST ? EEXIST : error;
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

base::Result<ResultPlace, JobEnding> ResultPlace::open(const std::string& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return base::failure(JobEnding{
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

base::Result<void, JobEnding> ResultPlace::check_clocks(std::int64_t now_ms,
                                                        std::int64_t written_ms) const {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) return failed("can't be looked at", part_);
    const auto off = now_ms - changed_ns(status) / ns_per_ms;
    if (std::abs(off) > clocks_apart_max_ms)
        return base::failure(JobEnding{
            exit_trouble, "this machine's clock is " + minutes(off) +
                              (off > 0 ? " ahead of" : " behind") + " that of " + folder_ +
                              "; set it by NTP, or give jobs to no such machine"});
    if (written_ms - now_ms > clocks_apart_max_ms)
        return base::failure(JobEnding{
            exit_trouble, "the job was written " + minutes(written_ms - now_ms) +
                              " in the future, as this machine's clock has it; set the clocks of "
                              "this machine and of the coordinator's by NTP"});
    return {};
}

// The file system's time, not this machine's.
void ResultPlace::show_life() const {
    ::futimens(file_.get(), nullptr);
}

base::Result<void, JobEnding> ResultPlace::publish(const std::string& text) {
    if (!files::write_all(file_.get(), text) || ::fsync(file_.get()) != 0)
        return failed("can't be written", part_);
    const auto name = result_path(folder_);
    if (const int error = give_name(part_, name); error != 0) {
        if (error == EEXIST)
            return base::failure(JobEnding{
                exit_done, name + " is there already: another run of this job has written it "
                                  "first, and its result stands"});
        errno = error;
        return failed("can't be named", name);
    }
    if (!files::sync_folder(folder_)) return failed("can't be made sure of", folder_);
    return {};
}

}  // namespace referee::jobs
