#include "referee/submit/collect/collect.h"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <cstring>
#include <filesystem>
#include <ostream>

#include "protocol/base/find.h"
#include "referee/files/file.h"
#include "referee/submit/collect/steps.h"

namespace referee::collect {
namespace {

namespace fs = std::filesystem;

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
    if (auto made = files::make_folder(out + "/submissions"); !made)
        return base::failure(trouble(std::move(made.error())));
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
    if (auto made = files::make_folder(scratch_of(options)); !made)
        return base::failure(trouble(std::move(made.error())));
    return *std::move(lock);
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
        auto collection =
            who_handed_in(options_, people, *whose, *exports, scratch_ + "/handed-in");
        if (!collection) return base::failure(trouble(collection.error()));
        boost::asio::io_context loop{1};
        const auto built =
            build_submissions(loop, options_, people, *collection, scratch_ + "/sites",
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
            if (auto made = files::make_folder(folder); !made)
                return base::failure(trouble(std::move(made.error())));
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
        for (const auto& name : files::names_in(options_.out + "/submissions")) {
            const bool is_known = base::contains(
                collection.submissions, name,
                [](const auto& submission) { return files::folder_name_of(submission.name); });
            if (!is_known) collection.earlier.push_back("submissions/" + name);
        }
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
        return files::write_file(options_.out + "/" + name, text).map_error(trouble);
    }

    const CollectOptions& options_;
    std::ostream& out_;
    std::ostream& errors_;
    std::string scratch_;
};

}  // namespace

int collect(const CollectOptions& options, std::ostream& out, std::ostream& errors) {
    ::umask(mask_of_collected);
    const auto absolute = with_absolute_out(options);
    const auto status = Collecting(absolute, out, errors).run();
    if (status) return *status;
    errors << status.error().message << '\n';
    return status.error().status;
}

}  // namespace referee::collect
