#include "referee/launch/supply/launch_changes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "protocol/base/bytes.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"

namespace referee::supply {
namespace {

namespace json = protocol::json;

// Far beyond a class of thousands.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

std::string text_of(const config::Config& config) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto& bot : config.bots) {
        if (!bot.launched()) continue;
        writer.key(bot.name).begin_object().key("launch").texts(bot.launch);
        writer.member("directory", bot.directory).key("environment").begin_object();
        for (const auto& [name, value] : bot.environment)
            writer.member(name, base::hex_of(base::digest_of(value)));
        writer.end_object().end_object();
    }
    writer.end_object();
    return text + '\n';
}

// Names of variables that are new, gone or have another value.
std::string changed_variables(json::View was, json::View is) {
    std::string names;
    const auto add = [&names](std::string_view name) {
        (names += names.empty() ? "" : ", ").append(name);
    };
    for (const auto [name, value] : is.members()) {
        if (value.string() != was.find(name).string()) add(name);
    }
    for (const auto [name, value] : was.members()) {
        if (!is.find(name)) add(name);
    }
    return names;
}

std::vector<std::string> changes(json::View was, json::View is) {
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

// Whole or not at all, for its owner alone. The loop's thread waits for no disk.
base::Result<void, std::string> write_private(const std::string& file, std::string_view text) {
    const auto beside = file + ".new";
    const files::Descriptor out(
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (out && files::write_all(out.get(), text) && std::rename(beside.c_str(), file.c_str()) == 0)
        return {};
    return base::failure("can't write " + file + ": " + std::strerror(errno));
}

}  // namespace

base::Result<std::vector<std::string>, std::string> LaunchChanges::take(
    const config::Config& config) {
    const auto text = text_of(config);
    std::vector<std::string> found;
    std::error_code ignored;
    if (std::filesystem::exists(file_, ignored)) {
        const auto kept = files::read_named_file(file_, file_bytes_max);
        if (!kept) return base::failure(file_ + " " + kept.error());
        json::Document was;
        json::Document is;
        // One that was spoilt tells nothing, and is written anew.
        if (was.parse(*kept, {.depth_max = protocol::limits::depth_max}) && is.parse(text))
            found = changes(was.root(), is.root());
        if (*kept == text) return found;
    }
    if (auto written = write_private(file_, text); !written)
        return base::failure(std::move(written.error()));
    return found;
}

std::optional<std::string> LaunchChanges::without(std::string_view text, std::string_view bot) {
    json::Document document;
    if (!document.parse(text) || !document.root().is_object()) return std::nullopt;
    std::string rest;
    json::Writer writer(rest);
    writer.begin_object();
    for (const auto [name, launched] : document.root().members()) {
        if (name == bot) continue;
        writer.key(name);
        launched.write(writer);
    }
    writer.end_object();
    return rest + '\n';
}

}  // namespace referee::supply
