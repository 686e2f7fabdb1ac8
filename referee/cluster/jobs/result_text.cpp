#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "protocol/base/split_mix.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/cluster/jobs/job.h"
#include "referee/net/loop/process_limits.h"
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
    std::istringstream in(text);
    store::RecordArchiveReader archive(in, name);
    const auto damaged = [](const auto& error) {
        return base::failure(error.message +
                             "; it counts for nothing, and the job is to be played again");
    };
    if (const auto header = archive.header(); !header) return damaged(header.error());
    JobResult result;
    if (const auto wrong = wrong_origin(archive.origin(), job, result); !wrong.empty())
        return base::failure(name + ": " + wrong);
    Asked asked;
    for (const auto& match : job.matches) {
        for (const auto& game : match.games) asked.emplace(game.key, &game);
    }
    while (true) {
        auto next = archive.next();
        if (!next) return damaged(next.error());
        if (!*next) return result;
        if (const auto wrong = wrong_record((*next)->record, job, asked); !wrong.empty())
            return base::failure(name + ": " + wrong);
        result.games.push_back(
            {(*next)->time_ms, std::get<records::GameRecord>(std::move((*next)->record))});
    }
}

HostFacts host_facts() {
    HostFacts facts;
    utsname system{};
    if (uname(&system) == 0) facts.kernel = std::string(system.sysname) + " " + system.release;
    facts.name = fact(host_name());
    facts.processor = fact(model_of_processor());
    facts.cores = loop::usable_cores();
    facts.calibration_us = calibrated_us();
    return facts;
}

}  // namespace referee::jobs
