// What runs of a series are: another program of the submission, with a file for each run.

#include "referee/game/clock/written_time.h"
#include "referee/grading/rubric/sections.h"
#include "referee/limits.h"

namespace referee::rubric {
namespace {

constexpr auto time_most = std::chrono::hours(1);
constexpr std::string_view any_order = "any_order";
constexpr std::string_view example = R"(["./sb-read", "8", "10"])";
constexpr std::string_view checker_example = R"(["sb-check-sets", "8", "10"])";

void read_check(json::Reader& reader, Runs& runs) {
    const auto check = reader.optional("check");
    if (!check) return;
    if (check.view().is_array()) {
        runs.check = Runs::Check::program;
        runs.checker = read_command(check, checker_example);
    } else if (check.view().string() == any_order) {
        runs.check = Runs::Check::any_order;
    } else {
        check.expected(
            "\"any_order\", a checker's command such as [\"sb-check-sets\", \"8\", \"10\", \"5\", "
            "\"pbyrg\"], or no such member for the same lines");
    }
}

}  // namespace

Runs read_runs(const json::Placed& object, const std::string& directory) {
    Runs runs;
    if (!object) return runs;
    json::Reader reader(object);
    const auto command = reader.array("command", R"(["./sb-read", "8", "10", "5", "pbyrg"])");
    if (command) runs.command = read_command(command, example);
    const auto reference = reader.array("reference", R"(["sb-read", "8", "10", "5", "pbyrg"])");
    if (reference) runs.reference = read_command(reference, example);
    const auto inputs = reader.member("inputs").text();
    if (inputs && inputs->empty()) reader.wrong("inputs", "expected a folder, such as \"boards\"");
    if (inputs) runs.inputs = absolute(*inputs, directory);
    read_check(reader, runs);
    clock::read_time(reader, "time", runs.time);
    if (runs.time <= Duration::zero() || runs.time > time_most)
        reader.wrong("time", "expected more than no time and at most 1h, such as \"10s\"");
    reader.no_others();
    return runs;
}

}  // namespace referee::rubric
