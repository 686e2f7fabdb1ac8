#include <sys/utsname.h>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>

#include "protocol/base/split_mix.h"
#include "protocol/json/reader.h"
#include "protocol/json/text.h"
#include "protocol/json/writer.h"
#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/net/loop/usable_cores.h"
#include "referee/store/archive.h"

namespace referee::jobs {
namespace {

namespace json = protocol::json;

// What is told on terminals, and kept with each game. Hosts' names have 64 bytes at most, and
// models of processors some dozens; no machine has so many cores.
constexpr std::size_t text_bytes_max = 200;
constexpr std::uint64_t cores_most = 1'000'000;

// Why these are no facts of a host; empty where they are. Games without a host's name were played
// by the referee itself.
std::string wrong_host(const HostFacts& host) {
    if (host.name.empty()) return "host: expected a host's name, such as \"node7\"";
    for (const auto* text : {&host.name, &host.processor, &host.kernel, &host.sandbox}) {
        if (!json::is_one_printable_line(*text) || text->size() > text_bytes_max)
            return "host: expected printable lines of up to " + std::to_string(text_bytes_max) +
                   " bytes";
    }
    return host.cores > cores_most ? "host_cores: expected a number of cores, such as 4" : "";
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

// What a reader tells, behind the name of the file.
class Reading {
 public:
    Reading(const std::string& text, const std::string& name, const Job& job)
        : name_(name), job_(job), in_(text) {
        for (const auto& match : job.matches) {
            for (const auto& game : match.games) asked_.emplace(place_of(game.key), &game);
        }
    }

    base::Result<JobResult, std::string> read() {
        store::RecordArchiveReader archive(in_, name_);
        if (auto header = archive.header(); !header)
            return base::failure(damaged(header.error().message));
        if (auto refusal = read_origin(archive.origin())) return base::failure(*std::move(refusal));
        while (true) {
            auto next = archive.next();
            if (!next) return base::failure(damaged(next.error().message));
            if (!*next) break;
            if (auto refusal = take(**next)) return base::failure(*std::move(refusal));
        }
        if (auto refusal = missing()) return base::failure(*std::move(refusal));
        return std::move(result_);
    }

 private:
    using Place = std::tuple<std::string, std::uint64_t, std::uint32_t>;
    static Place place_of(const GameKey& key) { return {key.tournament, key.match, key.number}; }

    static std::string damaged(const std::string& what) {
        return what + "; it counts for nothing, and the job is to be played again";
    }
    std::string refused(const std::string& what) const { return name_ + ": " + what; }

    std::optional<std::string> read_origin(const std::string& origin) {
        json::Document document;
        if (!document.parse(origin))
            return refused("expected the result of a job, found an archive of another origin");
        json::Mistakes mistakes;
        json::Reader root(document.root(), mistakes, "origin");
        const auto id = root.text("job");
        const auto version = root.text("referee");
        result_.took = std::chrono::milliseconds(root.integer("took_ms"));
        if (mistakes) return refused(mistakes.first().text());
        if (id != job_.id)
            return refused("expected the result of the job " + job_.id + ", found that of " +
                           std::string(id));
        if (version != job_.version)
            return refused("expected a result of the referee's version " + job_.version +
                           ", found one of " + std::string(version) +
                           "; install the same referee on all machines");
        return std::nullopt;
    }

    std::optional<std::string> take(const store::StoredRecord& stored) {
        const auto* game = std::get_if<records::GameRecord>(&stored.record);
        if (game == nullptr) return refused("expected records of games alone");
        const auto& played = game->result;
        const auto id = "game " + game_id(played.key);
        const auto found = asked_.find(place_of(played.key));
        if (found == asked_.end()) return refused(id + " was not asked for, or stands twice");
        const auto& asked = *found->second;
        if (played.key.attempt != asked.key.attempt)
            return refused(id + " is another attempt than the one that was asked for, " +
                           game_id(asked.key) + "; it is kept, and doesn't count");
        if (played.seed != asked.seed || played.bots != asked.bots)
            return refused(id + " has another seed or other bots");
        for (std::size_t seat = 0; seat < played.program.size(); ++seat) {
            const auto& program = played.program[seat];
            const auto& expected = job_.programs.at(asked.bots[seat]);
            if (!program.empty() && program != expected)
                return refused(id + ": " + asked.bots[seat] + " was played by " + program +
                               ", and the job names " + expected +
                               "; its files changed while the job was played");
        }
        if (const auto wrong = wrong_host(played.host); !wrong.empty())
            return refused(id + ": " + wrong);
        asked_.erase(found);
        played_.emplace(place_of(played.key), result_.games.size());
        result_.games.push_back({stored.time_ms, *game});
        return std::nullopt;
    }

    // A match is whole when nobody who plays it would begin one more game.
    std::optional<std::string> missing() const {
        std::size_t needed = 0;
        for (const auto& match : job_.matches) {
            MatchProgress progress(job_, match);
            while (const auto* game = progress.next()) {
                const auto found = played_.find(place_of(game->key));
                if (found == played_.end())
                    return refused("game " + game_id(game->key) + " is missing");
                progress.begin();
                progress.end(result_.games[found->second].game.result);
                ++needed;
            }
        }
        if (needed < result_.games.size())
            return refused("it has games of matches that were decided before them");
        return std::nullopt;
    }

    const std::string& name_;
    const Job& job_;
    std::istringstream in_;
    std::map<Place, const MatchTask::Game*> asked_;  // and not read yet
    std::map<Place, std::size_t> played_;
    JobResult result_;
};

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
    return Reading(text, name, job).read();
}

HostFacts host_facts() {
    HostFacts facts;
    utsname system{};
    if (uname(&system) == 0) facts.kernel = std::string(system.sysname) + " " + system.release;
    facts.name = host_name();
    facts.processor = protocol::json::visible_line(model_of_processor()).substr(0, text_bytes_max);
    facts.cores = loop::usable_cores();
    facts.calibration_us = calibrated_us();
    return facts;
}

}  // namespace referee::jobs
