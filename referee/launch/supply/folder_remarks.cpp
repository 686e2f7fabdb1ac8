#include "referee/launch/supply/folder_remarks.h"

#include <map>

#include "protocol/base/text.h"
#include "referee/config/read_values.h"
#include "referee/launch/supply/visible_files.h"

namespace referee::supply {
namespace {

// The first secret that lies in the folder.
const Secret* held_secret(const std::string& folder, const std::vector<Secret>& secrets) {
    const auto led_to = real_path(folder);
    for (const auto& secret : secrets) {
        if (config::lies_in(real_path(secret.path), led_to)) return &secret;
    }
    return nullptr;
}

// The same for a path that may itself lie in a folder that is secret.
const Secret* secret_in(const std::string& path, const std::vector<Secret>& secrets) {
    if (const auto* held = held_secret(path, secrets)) return held;
    for (const auto& secret : secrets) {
        if (config::lies_in(real_path(path), real_path(secret.path))) return &secret;
    }
    return nullptr;
}

// Without a folder of its own a bot sees what its command names.
void tell_folderless(const config::Config& config, const std::string& search_path,
                     FolderRemarks& remarks) {
    std::vector<std::string> nothing;
    for (const auto& bot : config.bots) {
        if (!bot.launched() || bot.has_own_directory) continue;
        const auto named = visible_files(bot, search_path).named;
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
            bots[real_path(bot.directory)].push_back(base::quoted(bot.name));
    }
    for (const auto& [folder, names] : bots) {
        if (names.size() > 1) {
            remarks.notes.push_back("these bots have the same \"directory\", " + folder +
                                    ", so each can read the others' files: " + base::joined(names));
        }
        for (const auto& [other, others] : bots) {
            if (folder == other || !config::lies_in(other, folder)) continue;
            remarks.warnings.push_back("the \"directory\" of " + base::joined(names) + ", " +
                                       folder + ", holds that of " + base::joined(others) + ", " +
                                       other +
                                       ", whose files can be read from there; expected folders "
                                       "beside each other, such as \"bots/ann\" and \"bots/bob\"");
        }
    }
}

}  // namespace

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

}  // namespace referee::supply
