#include "referee/config/slurm_arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace referee::config {
namespace {

// What is left of an option's beginning where it has no name.
constexpr std::size_t shortest_option = 3;

// Options that would contradict ours, or keep sbatch from coming back.
constexpr std::array refused_options{
    "--array",    "--job-name", "--requeue", "--output",     "--error",         "--open-mode",
    "--signal",   "--wait",     "--wrap",    "--test-only",  "--export",        "--time-min",
    "--nodes",    "--ntasks",   "--time",    "--chdir",      "--clusters",      "--begin",
    "--deadline", "--help",     "--version", "--no-requeue", "--cpus-per-task", "--parsable"};

}  // namespace

std::optional<std::string> refused_slurm_argument(const std::string& argument) {
    const auto name = argument.substr(0, argument.find('='));
    if (name.size() < shortest_option || !name.starts_with("--"))
        return "expected a long option of sbatch in one word, such as \"--mem=4G\"";
    // sbatch takes a beginning for the whole.
    const auto begins = [&name](std::string_view option) { return option.starts_with(name); };
    const auto* found = std::find(refused_options.begin(), refused_options.end(), name);
    if (found == refused_options.end())
        found = std::find_if(refused_options.begin(), refused_options.end(), begins);
    if (found == refused_options.end()) return std::nullopt;
    if (std::string_view(*found).starts_with("--time"))
        return std::string(*found) +
               " follows from the games' budgets; expected \"time_max\" of \"machines\" where jobs "
               "may not last so long, such as \"30m\"";
    return std::string(*found) + " is the referee's own to say, or can't be used here";
}

}  // namespace referee::config
