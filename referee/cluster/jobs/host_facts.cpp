#include "referee/cluster/jobs/host_facts.h"

#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "protocol/base/split_mix.h"
#include "protocol/json/text.h"
#include "referee/net/loop/usable_cores.h"

namespace referee::jobs {
namespace {

// Enough for a processor to reach its pace, and too little to cost a job anything.
constexpr int calibration_tries = 5;
constexpr int calibration_steps = 2'000'000;
// Hosts' names have 64 bytes at most, and models of processors some dozens.
constexpr std::size_t text_bytes_max = 200;
// More than any machine has.
constexpr std::uint64_t cores_most = 1'000'000;
constexpr std::string_view without_name = "unnamed";

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

// It is told on terminals, and kept with each game.
std::string short_line(protocol::json::Reader& reader, std::string_view name) {
    const auto text = reader.text(name);
    if (!protocol::json::is_one_printable_line(text) || text.size() > text_bytes_max)
        reader.member(name).expected("a printable line of up to " + std::to_string(text_bytes_max) +
                                     " bytes");
    return std::string(text);
}

}  // namespace

HostFacts host_facts() {
    HostFacts facts;
    utsname system{};
    if (uname(&system) == 0) {
        // Where jobs are played in containers, who starts them knows the machine's name.
        const char* given = std::getenv("REFEREE_HOST");
        facts.name = given == nullptr || *given == '\0' ? system.nodename : given;
        if (facts.name.empty()) facts.name = without_name;
        facts.kernel = std::string(system.sysname) + " " + system.release;
    }
    facts.processor = protocol::json::visible_line(model_of_processor()).substr(0, text_bytes_max);
    facts.cores = loop::usable_cores();
    facts.calibration_us = calibrated_us();
    return facts;
}

void write_host(protocol::json::Writer& writer, const HostFacts& host) {
    writer.begin_object()
        .member("name", host.name)
        .member("processor", host.processor)
        .member("kernel", host.kernel)
        .member("cores", host.cores)
        .member("sandbox", host.sandbox)
        .member("calibration_us", host.calibration_us)
        .end_object();
}

HostFacts read_host(protocol::json::Reader& reader) {
    HostFacts host;
    host.name = short_line(reader, "name");
    // Games without a host's name were played by the referee itself.
    if (host.name.empty()) reader.member("name").expected("a host's name, such as \"node7\"");
    host.processor = short_line(reader, "processor");
    host.kernel = short_line(reader, "kernel");
    host.cores = reader.member("cores").unsigned_integer({0, cores_most, "4"}).value_or(0);
    host.sandbox = short_line(reader, "sandbox");
    host.calibration_us = reader.integer("calibration_us");
    return host;
}

}  // namespace referee::jobs
