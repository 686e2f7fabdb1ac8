#include "referee/submit/versions/version_store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"

namespace referee::versions {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

using Done = VersionStore::Done;

constexpr const char* version_file = "version.json";
constexpr const char* outcome_file = "outcome.json";
constexpr const char* withdrawn_file = "withdrawn.json";
constexpr const char* handed_in_folder = "handed-in";
constexpr const char* site_folder = "site";
// Of a folder that is not whole yet, or not any more.
constexpr const char* unfinished = ".unfinished-";
constexpr std::size_t note_bytes_max = 256 * 1024;
constexpr mode_t file_mode = 0644;
constexpr mode_t folder_mode = 0755;  // launched bots may be other users
constexpr mode_t closed = 0700;       // the folder around all is closed to them

Done failed(const std::string& path) {
    return base::failure(path + " can't be written: " + std::strerror(errno));
}

Done sync_folder(const std::string& folder) {
    if (!files::sync_folder(folder)) return failed(folder);
    return {};
}

Done make_folder(const std::string& folder, mode_t mode = folder_mode) {
    if (::mkdir(folder.c_str(), mode) != 0 && errno != EEXIST) return failed(folder);
    return {};
}

// Of any name that a file may have, so none that is longer stands beside it meanwhile.
Done write_new(const std::string& path, std::string_view text) {
    const files::Descriptor out(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, file_mode));
    if (!out || !files::write_all(out.get(), text) || ::fsync(out.get()) != 0) return failed(path);
    return {};
}

// A file that is there whole, or as it was before.
Done write_whole(const std::string& path, std::string_view text) {
    return files::keep_file(path, text, file_mode).map_error([&path](const auto& why) {
        return path + " can't be written: " + why;
    });
}

std::string text_of(const std::string& bot, const Version& version) {
    return json::object_text([&](json::Writer& writer) {
               writer.member("bot", bot).member("version", version.number);
               writer.member("file", version.file).member("bytes", version.bytes);
               writer.member("sha256", version.sha256).member("handed_in_s", version.handed_in_s);
           }) +
           "\n";
}

// Absent where it can't be read.
json::View read_note(const std::string& file, json::Document& document) {
    const auto read = files::read_named_json(file, note_bytes_max, "", document);
    return read ? document.root() : json::View();
}

std::string text_in(json::View note, std::string_view name) {
    return std::string(note.find(name).text());
}

unsigned number_in(json::View note) {
    return static_cast<unsigned>(
        std::max<std::int64_t>(0, note.find("version").integer().value_or(0)));
}

std::optional<VersionOutcome> read_outcome(const std::string& file) {
    json::Document document;
    const auto note = read_note(file, document);
    const auto built = note.find("built").boolean();
    if (!built) return std::nullopt;
    return VersionOutcome{*built, text_in(note, "reason"), text_in(note, "output"),
                          note.find("came").boolean().value_or(false)};
}

std::optional<Version> read_version(const std::string& folder, std::string& bot) {
    json::Document document;
    const auto note = read_note(folder + "/" + version_file, document);
    bot = text_in(note, "bot");
    if (bot.empty() || number_in(note) == 0) return std::nullopt;
    return Version{number_in(note),
                   text_in(note, "file"),
                   note.find("bytes").unsigned_integer().value_or(0),
                   text_in(note, "sha256"),
                   note.find("handed_in_s").integer().value_or(0),
                   read_outcome(folder + "/" + outcome_file)};
}

}  // namespace

std::string VersionStore::folder_of(const std::string& bot) const {
    return folder_ + "/" + files::folder_name_of(bot);
}

std::string VersionStore::build_folder_of(const std::string& bot, unsigned number) const {
    return fmt::format("{}/{}/{}", folder_of(bot), number, site_folder);
}

std::string VersionStore::file_of(const std::string& bot, const Version& version) const {
    return fmt::format("{}/{}/{}/{}", folder_of(bot), version.number, handed_in_folder,
                       version.file);
}

base::Result<std::vector<Owner>, std::string> VersionStore::read() const {
    std::vector<Owner> owners;
    std::error_code error;
    if (!fs::exists(folder_, error) && !error) return owners;
    const auto names = files::names_in(folder_, error);
    if (error) return base::failure(folder_ + " can't be read: " + error.message());
    for (const auto& name : names) {
        const auto folder = folder_ + "/" + name;
        Owner owner;
        for (const auto& entry : files::names_in(folder, error)) {
            if (entry.starts_with(unfinished)) fs::remove_all(folder + "/" + entry, error);
            if (!base::whole_number<unsigned>(entry)) continue;
            if (auto version = read_version(folder + "/" + entry, owner.bot))
                owner.versions.push_back(*std::move(version));
        }
        if (error) return base::failure(folder + " can't be read: " + error.message());
        if (owner.versions.empty()) continue;
        std::ranges::sort(owner.versions, {}, &Version::number);
        json::Document document;
        owner.withdrawn = number_in(read_note(folder + "/" + withdrawn_file, document));
        owners.push_back(std::move(owner));
    }
    return owners;
}

// The folder gets its name when all of it is on the disk.
Done VersionStore::keep(const std::string& bot, const Version& version,
                        const std::string& bytes) const {
    const auto of_bot = folder_of(bot);
    const auto number = std::to_string(version.number);
    const auto beside = of_bot + "/" + unfinished + number;
    std::error_code ignored;
    fs::remove_all(beside, ignored);
    if (auto made = make_folder(folder_, closed); !made) return made;
    for (const auto& folder : {of_bot, beside, beside + "/" + handed_in_folder}) {
        if (auto made = make_folder(folder); !made) return made;
    }
    const auto file = beside + "/" + handed_in_folder + "/" + version.file;
    if (auto written = write_new(file, bytes); !written) return written;
    if (auto synced = sync_folder(beside + "/" + handed_in_folder); !synced) return synced;
    if (auto written = write_whole(beside + "/" + version_file, text_of(bot, version)); !written)
        return written;
    if (::rename(beside.c_str(), (of_bot + "/" + number).c_str()) != 0) return failed(of_bot);
    for (const auto& folder : {of_bot, folder_}) {
        if (auto synced = sync_folder(folder); !synced) return synced;
    }
    return {};
}

Done VersionStore::conclude(const std::string& bot, unsigned number,
                            const VersionOutcome& outcome) const {
    const auto text = json::object_text([&outcome](json::Writer& writer) {
        writer.member("built", outcome.built);
        if (!outcome.reason.empty())
            writer.member("reason",
                          base::readable(outcome.reason, protocol::limits::build_output_bytes_max));
        if (!outcome.output.empty()) writer.member("output", outcome.output);
        if (outcome.came) writer.member("came", true);
    });
    return write_whole(fmt::format("{}/{}/{}", folder_of(bot), number, outcome_file), text + "\n");
}

Done VersionStore::withdraw(const std::string& bot, unsigned number) const {
    return write_whole(folder_of(bot) + "/" + withdrawn_file,
                       fmt::format("{{\"version\":{}}}\n", number));
}

void VersionStore::remove(const std::string& bot, unsigned number) const {
    const auto folder = fmt::format("{}/{}", folder_of(bot), number);
    const auto beside = fmt::format("{}/{}{}", folder_of(bot), unfinished, number);
    std::error_code ignored;
    fs::rename(folder, beside, ignored);
    fs::remove_all(beside, ignored);
}

}  // namespace referee::versions
