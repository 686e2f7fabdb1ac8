#include <algorithm>
#include <array>
#include <string_view>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"

namespace referee::config {
namespace {

constexpr std::size_t jobs_at_once_most = 10'000;
constexpr std::size_t cores_of_job_most = 1024;
constexpr std::string_view no_machines = "local";
// As MachinesKind has them.
constexpr std::array<std::string_view, 3> kinds_of_machines{"command", "slurm", no_machines};

// What is left of an option's beginning where it has no name.
constexpr std::size_t shortest_option = 3;

// Options that would contradict ours, or keep sbatch from coming back.
constexpr std::array refused_options{
    "--array",    "--job-name", "--requeue",  "--output",     "--error",         "--open-mode",
    "--signal",   "--wait",     "--wrap",     "--test-only",  "--export",        "--time",
    "--nodes",    "--ntasks",   "--time-min", "--chdir",      "--clusters",      "--begin",
    "--deadline", "--help",     "--version",  "--no-requeue", "--cpus-per-task", "--parsable"};

// What is said where something is missing that each kind needs.
void read_needed(json::Reader& reader, std::string_view name, std::string& into,
                 const std::string& what) {
    reader.text(name, into);
    const bool is_of_another_kind = reader.has(name) && !reader.given(name).string();
    if (into.empty() && !is_of_another_kind) reader.wrong(name, "expected " + what);
}

void write_bots(const json::View& bots, protocol::json::Writer& writer) {
    writer.begin_array();
    for (const auto bot : bots.elements()) {
        writer.begin_object();
        // Its token is for this referee's door alone.
        json::write_members(writer, bot, [](const auto& member) { return member.name != "token"; });
        writer.end_object();
    }
    writer.end_array();
}

std::string job_config_of(const json::View& root) {
    return json::object_text([&](json::Writer& writer) {
        for (const std::string_view name : {"sandbox", "priority", "tournaments"}) {
            if (const auto value = root.find(name)) value.write(writer.key(name));
        }
        writer.key("bots");
        write_bots(root.find("bots"), writer);
    });
}

void read_commands(json::Reader& reader, MachinesConfig& into) {
    read_needed(reader, "submit", into.submit,
                "a command that starts each job whose folder it is given, such as \"./submit\"");
    read_needed(reader, "list", into.list,
                "a command that prints a line for each job that waits or is played, such as "
                "\"./list\"");
    read_needed(reader, "cancel", into.cancel,
                "a command that ends each job whose folder it is given, such as \"./cancel\"");
}

// Why sbatch isn't given that; nothing where it is.
std::optional<std::string> refused_slurm_argument(const std::string& argument) {
    const auto name = argument.substr(0, argument.find('='));
    if (name.size() < shortest_option || !name.starts_with("--"))
        return "expected a long option of sbatch in one word, such as \"--mem=4G\"";
    // sbatch takes a beginning for the whole.
    const auto* found = std::ranges::find_if(
        refused_options, [&name](std::string_view option) { return option.starts_with(name); });
    if (found == refused_options.end()) return std::nullopt;
    if (std::string_view(*found).starts_with("--time"))
        return std::string(*found) +
               " follows from the games' budgets; expected \"time_max\" of \"machines\" where jobs "
               "may not last so long, such as \"30m\"";
    return std::string(*found) + " is the referee's own to say, or can't be used here";
}

void read_slurm(json::Reader& reader, const std::string& directory, SlurmConfig& into) {
    reader.text("partition", into.partition);
    reader.text("account", into.account);
    reader.text("qos", into.qos);
    std::string commands;
    reader.text("commands", commands);
    if (!commands.empty()) into.commands = files::absolute_path(directory, commands);
    reader.texts("arguments", into.arguments);
    for (std::size_t i = 0; i < into.arguments.size(); ++i)
        if (const auto refused = refused_slurm_argument(into.arguments[i]))
            reader.wrong(fmt::format("arguments[{}]", i),
                         *refused + "; found \"" + into.arguments[i] + "\"");
}

// What stays here all the same.
void warn_of_what_stays(Config& config) {
    const auto note = [&config](const std::string& what) {
        config.warnings.push_back("\"machines\": " + what);
    };
    if (config.pseudonyms) {
        note(
            "all matches are played here, as bots are told pseudonyms (\"names\"), which other "
            "machines don't know");
    } else if (std::ranges::none_of(config.bots, &BotConfig::launched)) {
        note("no bot has a \"launch\", so all matches are played here");
    }
}

}  // namespace

void read_machines(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = root.optional_object("machines");
    if (!object) return;
    json::Reader reader(object);
    MachinesConfig read;
    read.directory = directory;
    bool is_known = false;
    if (!reader.has("kind")) {
        reader.wrong(
            "kind",
            "missing; expected how matches get to other machines: \"command\" or \"slurm\"");
    } else if (const auto kind = reader.optional_word("kind", kinds_of_machines)) {
        if (kinds_of_machines[*kind] == no_machines) return;
        read.kind = static_cast<MachinesKind>(*kind);
        is_known = true;
    }
    std::string folder;
    read_needed(reader, "folder", folder,
                "a folder on a file system that all machines share, such as "
                "\"/shared/course/friday\"");
    read.folder = files::absolute_path(directory, folder);
    reader.integer("jobs_at_once", read.jobs_at_once, 1, jobs_at_once_most);
    reader.integer("cores", read.cores, 1, cores_of_job_most);
    auto time_max = Duration::max();  // nothing was read
    read_time(reader, "time_max", time_max);
    if (time_max <= Duration::zero())
        reader.wrong("time_max", "expected how long a job may last there, such as \"30m\"");
    if (time_max != Duration::max()) read.time_max = time_max;
    if (!is_known) return;  // what else it needs, and what it doesn't know, depends on the kind
    if (read.kind == MachinesKind::slurm) {
        read_slurm(reader, directory, read.slurm);
    } else {
        read_commands(reader, read);
    }
    reader.no_others();
    if (root.mistakes()) return;
    read.job_config = job_config_of(root.object());
    config.machines = std::move(read);
    warn_of_what_stays(config);
}

}  // namespace referee::config
