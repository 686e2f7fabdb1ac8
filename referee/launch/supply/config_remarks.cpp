#include "referee/launch/supply/config_remarks.h"

#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/launch_spec_of.h"

namespace referee::supply {
namespace {

namespace json = protocol::json;
using sandbox::Tier;

std::uint64_t number_in(const char* file) {
    std::uint64_t number = 0;
    std::ifstream(file) >> number;
    return number;
}

// The first secret that lies in the folder.
const Secret* held_secret(const std::string& folder, const std::vector<Secret>& secrets) {
    const auto led_to = files::real_path(folder);
    for (const auto& secret : secrets) {
        if (files::lies_in(files::real_path(secret.path), led_to)) return &secret;
    }
    return nullptr;
}

// The same for a path that may itself lie in a folder that is secret.
const Secret* secret_in(const std::string& path, const std::vector<Secret>& secrets) {
    if (const auto* held = held_secret(path, secrets)) return held;
    for (const auto& secret : secrets) {
        if (files::lies_in(files::real_path(path), files::real_path(secret.path))) return &secret;
    }
    return nullptr;
}

// Without a folder of its own a bot sees what its command names.
void tell_folderless(const config::Config& config, const std::string& search_path,
                     FolderRemarks& remarks) {
    std::vector<std::string> nothing;
    for (const auto& bot : config.bots) {
        if (!bot.launched() || bot.has_own_directory) continue;
        const auto named = visible_files({bot, search_path}).named;
        if (named.empty()) {
            nothing.push_back(base::quoted(bot.name));
            continue;
        }
        remarks.notes.push_back(
            "the bot " + base::quoted(bot.name) +
            " has no \"directory\" of its own: in the sandbox it sees " + base::joined(named) +
            " and nothing that lies beside it, so no modules to import and no tables");
    }
    if (nothing.empty()) return;
    remarks.notes.push_back(
        "without a \"directory\" of their own, these bots see the system's programs and their own "
        "program in the sandbox, and nothing of the config's folder: " +
        base::joined(nothing));
}

void tell_nested(const config::Config& config, FolderRemarks& remarks) {
    std::map<std::string, std::vector<std::string>> bots;  // by folder
    for (const auto& bot : config.bots) {
        if (bot.launched() && bot.has_own_directory)
            bots[files::real_path(bot.directory)].push_back(base::quoted(bot.name));
    }
    for (const auto& [folder, names] : bots) {
        if (names.size() > 1)
            remarks.notes.push_back("these bots have the same \"directory\", " + folder +
                                    ", so each can read the others' files: " + base::joined(names));
        for (const auto& [other, others] : bots) {
            if (folder == other || !files::lies_in(other, folder)) continue;
            remarks.warnings.push_back("the \"directory\" of " + base::joined(names) + ", " +
                                       folder + ", holds that of " + base::joined(others) + ", " +
                                       other +
                                       ", whose files can be read from there; expected folders "
                                       "beside each other, such as \"bots/ann\" and \"bots/bob\"");
        }
    }
}

// Far beyond a class of thousands.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

std::string launches_text(const config::Config& config) {
    const auto launches = [&](json::Writer& writer) {
        for (const auto& bot : config.bots) {
            if (!bot.launched()) continue;
            writer.key(bot.name).begin_object().key("launch").texts(bot.launch);
            writer.member("directory", bot.directory).key("environment").begin_object();
            for (const auto& [name, value] : bot.environment)
                writer.member(name, base::hex_of(base::digest_of(value)));
            writer.end_object().end_object();
        }
    };
    return json::object_text(launches) + '\n';
}

// Names of variables that are new, gone or have another value.
std::string changed_variables(json::View was, json::View is) {
    std::vector<std::string_view> names;
    for (const auto [name, value] : is.members())
        if (value.string() != was.find(name).string()) names.push_back(name);
    for (const auto [name, value] : was.members())
        if (!is.find(name)) names.push_back(name);
    return base::joined(names);
}

std::vector<std::string> changes_between(json::View was, json::View is) {
    std::vector<std::string> found;
    for (const auto [bot, now] : is.members()) {
        const auto before = was.find(bot);
        if (!before) continue;
        const auto tell = [&found, name = std::string(bot)](const std::string& what) {
            found.push_back(name + ": " + what +
                            "; games that were played before count as they are");
        };
        for (const auto* const member : {"launch", "directory"}) {
            const auto old_text = before.find(member).json_text();
            const auto new_text = now.find(member).json_text();
            if (old_text != new_text)
                tell("its \"" + std::string(member) + "\" has changed: it was " + old_text +
                     ", and is " + new_text);
        }
        if (const auto names =
                changed_variables(before.find("environment"), now.find("environment"));
            !names.empty())
            tell("its \"environment\" has changed: " + names +
                 " (values are not shown, because they may be secrets)");
    }
    return found;
}

}  // namespace

LimitingMachine this_machine() {
    LimitingMachine machine;
    struct sysinfo found = {};
    if (::sysinfo(&found) == 0)
        machine.memory_bytes = std::uint64_t{found.totalram} * found.mem_unit;
    machine.processes =
        std::min(number_in("/proc/sys/kernel/pid_max"), number_in("/proc/sys/kernel/threads-max"));
    return machine;
}

LimitsHeld limits_held_by(const process::Launcher& launcher) {
    const auto tier = launcher.sandbox().tier;
    const bool own_users = ::geteuid() == 0;
    return {tier, tier >= Tier::b || own_users || launcher.holds_process_limit()};
}

std::vector<std::string> remarks_on_limits(const config::Config& config, const LimitsHeld& held,
                                           const LimitingMachine& machine) {
    std::vector<std::string> remarks;
    if (held.tier == Tier::none) return remarks;
    const auto remark = [&](const auto& is_of, const std::string& text) {
        std::vector<std::string> names;
        for (const auto& bot : config.bots)
            if (bot.launched() && is_of(bot)) names.push_back(base::quoted(bot.name));
        if (!names.empty()) remarks.push_back(text + ": " + base::joined(names));
    };
    if (const auto here = machine.memory_bytes / bytes_a_mb; here > 0) {
        remark([&](const auto& bot) { return memory_mb_of(bot) >= here; },
               fmt::format("the machine has {0} MB of memory, and these bots may have as much or "
                           "more: when memory runs out, the kernel kills a bot, and perhaps "
                           "another one than took it; expected a \"memory_mb\" below {0} MB",
                           here));
        remark(
            [&](const auto& bot) { return held.tier >= Tier::b && disk_mb_of(bot) > here / 2; },
            fmt::format("what a bot keeps in /tmp is memory, of which the machine has {} MB, and "
                        "these bots may keep more than half of it there; expected a \"disk_mb\" "
                        "of at most {} MB",
                        here, here / 2));
    }
    remark(
        [&](const auto& bot) {
            return held.tier == Tier::a && disk_mb_of(bot) >= memory_mb_of(bot);
        },
        "what a bot keeps in /tmp counts as its memory, so these bots are ended by \"memory_mb\" "
        "before they have \"disk_mb\" there; expected a \"memory_mb\" that is larger than "
        "\"disk_mb\"");
    remark(
        [&](const auto& bot) {
            return machine.processes > 0 && processes_of(bot) > machine.processes;
        },
        fmt::format("the kernel makes at most {} processes and threads in all, and these bots may "
                    "have more, so one of them can take them all; expected fewer \"processes\"",
                    machine.processes));
    remark(
        [&](const auto& /*bot*/) { return !held.processes; },
        "nothing bounds how many processes these bots make: in tier C an ordinary user's bots have "
        "the referee's own user, so the kernel can't count them apart, and \"processes\" is not "
        "held; expected a better tier, or a referee that runs as root, where each bot has a user "
        "of its own");
    return remarks;
}

std::vector<Secret> secrets_of(const config::Config& config, const std::string& out) {
    std::vector<Secret> secrets;
    if (!config.file.empty()) secrets.push_back({"the config with all tokens", config.file});
    if (!config.registration.roster_file.empty())
        secrets.push_back({"the roster of the class", config.registration.roster_file});
    if (!config.control.socket.empty())
        secrets.push_back({"the control socket", config.control.socket});
    if (!config.tls_key.empty()) secrets.push_back({"the key of TLS", config.tls_key});
    // Seeds of games that go on, and what a config gives to bots in their environments.
    if (config.machines) secrets.push_back({"the jobs of other machines", config.machines->folder});
    if (!out.empty()) secrets.push_back({"the folder of the results", out});
    return secrets;
}

base::Result<void, std::string> reads_no_secret(const config::Config& config,
                                                const std::vector<Secret>& secrets) {
    for (const auto& bot : config.bots) {
        for (const auto& path : bot.reads) {
            const auto* secret = secret_in(path, secrets);
            if (secret == nullptr) continue;
            return base::failure("\"reads\" of the bot " + base::quoted(bot.name) + " has " + path +
                                 ", which shows it " + secret->what + " (" + secret->path +
                                 "); expected what this bot needs alone, such as \"/opt/jdk-17\"");
        }
    }
    return {};
}

FolderRemarks remarks_on_folders(const config::Config& config, const std::vector<Secret>& secrets,
                                 const std::string& search_path) {
    FolderRemarks remarks;
    tell_folderless(config, search_path, remarks);
    tell_nested(config, remarks);
    for (const auto& bot : config.bots) {
        if (!bot.launched() || !bot.has_own_directory) continue;
        if (const auto* secret = held_secret(bot.directory, secrets)) {
            remarks.warnings.push_back(
                "the \"directory\" of the bot " + base::quoted(bot.name) + ", " + bot.directory +
                ", holds " + secret->what + " (" + secret->path +
                "), which the bot can read there; expected a folder of its own, such as \"bots/" +
                bot.name + "\"");
        }
    }
    return remarks;
}

base::Result<std::vector<std::string>, std::string> launch_changes(const std::string& folder,
                                                                   const config::Config& config) {
    const auto file = folder + "/" + launches_file;
    const auto text = launches_text(config);
    std::vector<std::string> found;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        const auto kept = files::read_named_file(file, file_bytes_max);
        if (!kept) return base::failure(file + " " + kept.error());
        json::Document was;
        json::Document is;
        // One that was spoilt tells nothing, and is written anew.
        if (was.parse(*kept, {.depth_max = protocol::limits::depth_max}) && is.parse(text))
            found = changes_between(was.root(), is.root());
        if (*kept == text) return found;
    }
    // The loop's thread waits for no disk.
    if (const int error = files::place_file(file, text, {.mode = S_IRUSR | S_IWUSR}); error != 0)
        return base::failure("can't write " + file + ": " + std::strerror(error));
    return found;
}

std::optional<std::string> launches_without(std::string_view text, std::string_view bot) {
    json::Document document;
    if (!document.parse(text) || !document.root().is_object()) return std::nullopt;
    return json::object_text([&](json::Writer& writer) {
               json::write_members(writer, document.root(),
                                   [bot](const auto& member) { return member.name != bot; });
           }) +
           '\n';
}

}  // namespace referee::supply
