#include "referee/cli/import_maps.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/roster/kinds/kind.h"

namespace referee::cli {
namespace {

// A map of 35 x 35 is some KiB; the course's file has sixteen.
constexpr std::size_t output_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t chunk_bytes = 64 * 1024;
constexpr std::chrono::seconds time_max{60};

using Maps = base::Result<ImportedMaps, ImportError>;

process::LaunchSpec spec_for(const std::string& file, const std::string& program,
                             sandbox::Tier tier) {
    const auto adapters = kinds::sample_bots_place() + "/adapters";
    process::LaunchSpec spec;
    spec.command = {program,   "--no-gui",       "--no-history",
                    "--quiet", "--no-init-file", adapters + "/e7_maps.m",
                    file};
    spec.working_directory = "/";
    if (tier > sandbox::Tier::none) {
        spec.sandbox.emplace();
        spec.sandbox->reads = {adapters, file};
    }
    return spec;
}

// Until its output ends; nothing where that took too long, or was too much.
std::optional<std::string> output_of(process::LaunchedBot& octave) {
    octave.take_input();  // and close it
    const auto output = octave.take_output();
    const auto deadline = std::chrono::steady_clock::now() + time_max;
    std::string text;
    std::array<char, chunk_bytes> chunk;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd watched{output.get(), POLLIN, 0};
        if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) <= 0)
            return std::nullopt;
        const auto got = ::read(output.get(), chunk.data(), chunk.size());
        if (got <= 0) return text;
        text.append(chunk.data(), static_cast<std::size_t>(got));
        if (text.size() > output_bytes_max) return std::nullopt;
    }
}

ImportedMaps maps_in(const std::string& output) {
    ImportedMaps found;
    std::istringstream lines(output);
    protocol::json::Document document;
    for (std::string line; std::getline(lines, line);) {
        if (!document.parse(line)) continue;
        const auto root = document.root();
        if (const auto version = root.find("version").string()) {
            found.version = protocol::json::visible_line(*version);
            continue;
        }
        ImportedMap map;
        map.name = root.find("name").string().value_or("");
        map.wrong = root.find("wrong").string().value_or("");
        if (map.wrong.empty()) {
            protocol::json::Writer writer(map.text);
            root.find("map").write(writer);
            map.text += '\n';
        }
        found.maps.push_back(std::move(map));
    }
    return found;
}

Maps failed(std::string message, bool of_machine) {
    return base::failure(ImportError{std::move(message), of_machine});
}

}  // namespace

Maps import_maps(const std::string& file) {
    std::error_code error;
    const auto path = std::filesystem::canonical(file, error);
    if (error || !std::filesystem::is_regular_file(path, error))
        return failed(file +
                          ": no such file; expected a .mat file of the E7 course, such as "
                          "e7planets_maps_published.mat",
                      false);
    const auto& octave = *kinds::find_kind("octave");
    const auto program =
        process::program_file(std::string(octave.interpreter), "/", process::program_search_path());
    if (program.empty())
        return failed("Octave reads .mat files, and it isn't installed; apt-get install " +
                          std::string(octave.package),
                      true);
    ::signal(SIGPIPE, SIG_IGN);
    boost::asio::io_context loop;
    auto opened = supply::open_launcher(loop.get_executor(), true);
    if (!opened) return failed(opened.error(), true);
    const auto spec = spec_for(path.string(), program, (*opened)->sandbox().tier);
    auto launched = (*opened)->launch(spec);
    if (!launched) return failed(launched.error().message, true);
    const auto output = output_of(**launched);
    if (!output)
        return failed(file +
                          ": Octave was stopped: it took more than a minute, or printed more "
                          "than 16 MiB",
                      false);
    auto maps = maps_in(*output);
    if (maps.maps.empty()) {
        const auto said = protocol::json::visible_line((*launched)->error_tail());
        return failed(file +
                          ": no maps in it; expected a .mat file of the E7 course, with a struct "
                          "for each map" +
                          (said.empty() ? "" : "; Octave said: " + said),
                      false);
    }
    return maps;
}

}  // namespace referee::cli
