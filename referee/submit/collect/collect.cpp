#include "referee/submit/collect/collect.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <set>
#include <sstream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"
#include "referee/submit/archives/archives.h"
#include "referee/submit/collect/collection.h"
#include "referee/submit/collect/construct.h"

namespace referee::collect {
namespace {

constexpr std::size_t groups_bytes_max = 1024 * 1024;
constexpr const char* blanks = " \t\r";

// By an id, or by the roster's name where that is one word.
base::Result<std::vector<std::size_t>, std::string> people_in(const std::string& text,
                                                              const matching::ClassList& people) {
    std::set<std::size_t> found;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        auto who = people.with(matching::Feature::id, word);
        if (who.size() != 1) who = people.with(matching::Feature::login, word);
        if (who.size() != 1)
            return base::failure("nobody of the roster has the id " + base::visible_line(word));
        found.insert(who.front());
    }
    return std::vector<std::size_t>(found.begin(), found.end());
}

namespace fs = std::filesystem;

// Gradescope's file names each submission, with its results.
constexpr std::size_t metadata_bytes_max = 64 * 1024 * 1024;

// Students pack a zip in a zip, or a folder with one file.
base::Result<Taken, std::string> unpack_one(const std::string& archive, const std::string& folder) {
    Taken taken;
    const auto unpacked = archives::unpack(
        archive, folder, {archives::submission_files_max, archives::submission_bytes_max});
    if (!unpacked) {
        if (unpacked.error().kind == archives::UnpackError::Kind::trouble)
            return base::failure(archive + " " + unpacked.error().message);
        taken.refused = fs::path(archive).filename().string() + " " + unpacked.error().message;
        return taken;
    }
    if (!unpacked->refused.empty()) taken.refused = archives::describe(unpacked->refused.front());
    if (unpacked->files.empty() && taken.refused.empty())
        taken.refused = fs::path(archive).filename().string() + " holds no file";
    taken.remarks = unpacked->remarks;
    return taken;
}

bool is_document(const std::string& path) {
    static constexpr std::array<std::string_view, 9> endings = {
        ".pdf", ".txt", ".md", ".doc", ".docx", ".odt", ".html", ".png", ".jpg"};
    return std::ranges::any_of(endings,
                               [&path](const auto ending) { return path.ends_with(ending); });
}

// The one archive that is the submission, alone or with a report beside it; null where there is
// none.
const exports::SubmittedFile* archive_among(std::span<const exports::SubmittedFile> files) {
    const exports::SubmittedFile* archive = nullptr;
    for (const auto& file : files) {
        if (is_document(file.path)) continue;
        if (archive != nullptr || !exports::is_archive_name(file.path)) return nullptr;
        archive = &file;
    }
    return archive;
}

base::Result<Taken, std::string> take_archive(const UnpackedExport& from,
                                              std::span<const exports::SubmittedFile> files,
                                              const exports::SubmittedFile& archive,
                                              const std::string& folder) {
    auto taken = unpack_one(from.folder + "/" + from.files[archive.exported].path, folder);
    if (!taken) return taken;
    for (const auto& file : files) {
        if (&file == &archive) continue;
        taken->remarks.push_back(file.path + " was handed in beside " + archive.path +
                                 " and is left out");
    }
    return taken;
}

// Makes the folders above a file; an error names what can't be made.
base::Result<void, std::string> make_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return base::failure(folder.string() + " can't be made: " + error.message());
    return {};
}

// The folder around all is closed to other users.
constexpr mode_t closed = 0700;
constexpr mode_t lock_mode = 0600;

using Done = base::Result<void, Ending>;

Ending trouble(std::string message) {
    return {exit_trouble, std::move(message)};
}

// The folder, and that nobody else collects in it.
base::Result<files::Descriptor, Ending> take_folder(const CollectOptions& options) {
    const auto& out = options.out;
    std::error_code error;
    const bool is_new = !fs::exists(out, error);
    fs::create_directories(out + "/submissions", error);
    if (error) return base::failure(trouble(out + " can't be written: " + error.message()));
    if (is_new) ::chmod(out.c_str(), closed);
    const auto file = out + "/.lock";
    auto lock = files::take_lock(file, lock_mode);
    if (!lock && lock.error().holder.empty())
        return base::failure(
            trouble(file + " can't be made or locked: " + std::strerror(lock.error().error)));
    if (!lock)
        return base::failure(trouble("another `referee collect`, " + lock.error().holder +
                                     ", works in " + out + ": wait for its end"));
    fs::remove_all(scratch_of(options), error);
    fs::create_directories(scratch_of(options), error);
    if (error) return base::failure(trouble(out + " can't be written: " + error.message()));
    return *std::move(lock);
}

// Of no file: empty. Mistakes begin with the file's name.
base::Result<WhoseByKey, std::string> read_groups_file(const std::string& file,
                                                       const matching::ClassList& people) {
    WhoseByKey whose;
    if (!files::is_there(file)) return whose;
    const auto text = files::read_named_file(file, groups_bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    std::istringstream lines(*text);
    std::size_t number = 0;
    for (std::string raw; std::getline(lines, raw);) {
        ++number;
        const std::string line(base::trimmed(raw, blanks));
        if (line.empty() || line.front() == '#') continue;
        const auto place = fmt::format("{}:{}: ", file, number);
        const auto sign = line.rfind('=');
        const std::string key(base::trimmed(std::string_view(line).substr(0, sign), blanks));
        const std::string names(
            sign == std::string::npos
                ? ""
                : base::trimmed(std::string_view(line).substr(sign + 1), blanks));
        if (key.empty() || names.empty())
            return base::failure(place +
                                 "expected a submission and the ids of who handed it in, such as "
                                 "\"Ann Lee_11 = 1001 1003\", found \"" +
                                 base::visible_line(line) + '"');
        auto found = people_in(names, people);
        if (!found) return base::failure(place + found.error());
        if (!whose.emplace(key, *std::move(found)).second)
            return base::failure(place + key + " stands twice; expected a line for it");
    }
    return whose;
}

// An error names the archive.
base::Result<UnpackedExport, archives::UnpackError> unpack_export(const std::string& archive,
                                                                  const std::string& folder) {
    auto unpacked =
        archives::unpack(archive, folder, {archives::export_files_max, archives::export_bytes_max});
    if (!unpacked)
        return base::failure(
            archives::UnpackError{unpacked.error().kind, archive + " " + unpacked.error().message});
    UnpackedExport read{folder, {}, std::move(unpacked->refused), std::move(unpacked->remarks), {}};
    for (const auto& file : unpacked->files) {
        read.files.push_back({file.path, file.changed_s});
        if (!exports::is_metadata(file.path)) continue;
        if (auto text = files::read_named_file(folder + "/" + file.path, metadata_bytes_max))
            read.metadata += *text;
        else
            read.remarks.push_back(file.path + " " + text.error());
    }
    for (const auto& refused : read.refused) read.files.push_back({refused.path, std::nullopt});
    return read;
}

class Collecting {
 public:
    Collecting(const CollectOptions& options, std::ostream& out, std::ostream& errors)
        : options_(options), out_(out), errors_(errors), scratch_(scratch_of(options)) {}

    base::Result<ExitCode, Ending> run() {
        const auto students = matching::students_in(options_.roster);
        if (!students) return base::failure(Ending{exit_bad_input, students.error()});
        const matching::ClassList people(*students);
        const auto lock = take_folder(options_);
        if (!lock) return base::failure(lock.error());
        const auto whose = read_groups_file(options_.out + "/" + groups_file_name, people);
        if (!whose) return base::failure(Ending{exit_bad_input, whose.error()});
        auto exports = unpack_all();
        if (!exports) return base::failure(exports.error());
        auto collection = gather(options_, people, *whose, *exports, scratch_ + "/handed-in");
        if (!collection) return base::failure(trouble(collection.error()));
        boost::asio::io_context loop{1};
        const auto built =
            construct(loop, options_, people, *collection, scratch_ + "/sites",
                      {[this](const std::string& line) { say(line); },
                       [this](std::size_t done, std::size_t of) { progress(done, of); }});
        if (options_.terminal) errors_ << '\n';
        if (!built) return base::failure(trouble(built.error()));
        note_older_ones(*collection);
        if (auto written = write_files(*collection, people); !written)
            return base::failure(written.error());
        std::error_code ignored;
        fs::remove_all(scratch_, ignored);
        out_ << summary_line(*collection) << '\n' << "see " << options_.out << "/collected.txt\n";
        const bool is_whole = spoilt(*collection) == 0 && collection->unknown.empty() &&
                              collection->to_look_at.empty() && collection->earlier.empty();
        return is_whole ? exit_done : exit_no;
    }

 private:
    void say(const std::string& line) { errors_ << line << '\n' << std::flush; }

    void progress(std::size_t done, std::size_t of) {
        const auto line = fmt::format("{} of {} submissions ready", done, of);
        if (options_.terminal)
            errors_ << '\r' << line << std::flush;
        else if (done == of)
            say(line);
    }

    base::Result<std::vector<UnpackedExport>, Ending> unpack_all() {
        std::vector<UnpackedExport> exports;
        for (const auto& archive : options_.archives) {
            const auto folder = fmt::format("{}/export-{}", scratch_, exports.size());
            std::error_code error;
            fs::create_directory(folder, error);
            if (error) return base::failure(trouble(folder + " can't be made: " + error.message()));
            auto unpacked = unpack_export(archive, folder);
            if (!unpacked) {
                const bool is_ours = unpacked.error().kind == archives::UnpackError::Kind::trouble;
                return base::failure(
                    Ending{is_ours ? exit_trouble : exit_bad_input, unpacked.error().message});
            }
            exports.push_back(*std::move(unpacked));
        }
        return exports;
    }

    // A folder of somebody who is not in this collection is left alone, and told.
    void note_older_ones(Collection& collection) const {
        std::error_code error;
        for (fs::directory_iterator entry(options_.out + "/submissions", error), end;
             !error && entry != end; entry.increment(error)) {
            const auto name = entry->path().filename().string();
            bool is_known = false;
            for (const auto& submission : collection.submissions)
                is_known = is_known || files::folder_name_of(submission.name) == name;
            if (!is_known) collection.earlier.push_back("submissions/" + name);
        }
        std::ranges::sort(collection.earlier);
    }

    Done write_files(Collection& collection, const matching::ClassList& people) const {
        if (!options_.game.empty()) {
            const auto tournament = tournament_text(options_, collection, people);
            if (!tournament) {
                collection.remarks.push_back("there is no tournament.json: " + tournament.error());
            } else if (auto done = write("tournament.json", *tournament); !done) {
                return done;
            }
        }
        if (auto done = write("collected.json", collected_json(options_, collection, people));
            !done)
            return done;
        return write("collected.txt", collected_text(options_, collection, people));
    }

    Done write(const std::string& name, const std::string& text) const {
        const auto written = files::write_file(options_.out + "/" + name, text);
        if (!written) return base::failure(trouble(written.error()));
        return {};
    }

    const CollectOptions& options_;
    std::ostream& out_;
    std::ostream& errors_;
    std::string scratch_;
};

}  // namespace

std::string groups_line(const matching::ClassList& people, const std::string& key,
                        const std::vector<std::size_t>& whose) {
    std::string ids;
    for (const auto place : whose) {
        const auto& person = people.people()[place];
        ids += " " + (person.ids.empty() ? person.bot : person.ids.front());
    }
    return base::visible_line(key) + " =" + (ids.empty() ? " ..." : ids);
}

base::Result<Taken, std::string> take_files(const UnpackedExport& from,
                                            std::span<const exports::SubmittedFile> files,
                                            const std::string& folder) {
    if (auto made = make_folders(folder); !made) return base::failure(made.error());
    Taken taken;
    const auto first_refused = from.files.size() - from.refused.size();
    archives::TakenPlaces places;
    std::uint64_t bytes = 0;
    for (const auto& file : files) {
        if (file.exported >= first_refused) {
            taken.refused = archives::describe(from.refused[file.exported - first_refused]);
            return taken;
        }
    }
    if (const auto* archive = archive_among(files); archive != nullptr)
        return take_archive(from, files, *archive, folder);
    for (const auto& file : files) {
        const auto source = from.folder + "/" + from.files[file.exported].path;
        if (const auto place = places.take_file(file.path); !place) {
            taken.refused = file.path + " " + place.error();
            return taken;
        }
        const auto target = fs::path(folder) / file.path;
        if (auto made = make_folders(target.parent_path()); !made)
            return base::failure(made.error());
        std::error_code error;
        bytes += fs::file_size(source, error);
        // Linked, since a file may belong to several versions.
        fs::create_hard_link(source, target, error);
        if (error) return base::failure(target.string() + " can't be made: " + error.message());
    }
    if (files.size() > archives::submission_files_max || bytes > archives::submission_bytes_max) {
        taken.refused = fmt::format("has more than {} files or {} bytes",
                                    archives::submission_files_max, archives::submission_bytes_max);
    }
    return taken;
}

int collect(const CollectOptions& options, std::ostream& out, std::ostream& errors) {
    ::umask(mask_of_collected);
    const auto absolute = with_absolute_out(options);
    const auto status = Collecting(absolute, out, errors).run();
    if (status) return *status;
    errors << status.error().message << '\n';
    return status.error().status;
}

}  // namespace referee::collect
