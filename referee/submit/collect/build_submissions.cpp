#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/submit/build/build.h"
#include "referee/submit/collect/steps.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::collect {
namespace {

namespace fs = std::filesystem;
using build::BuildOutcome;
using Step = base::Result<void, std::string>;

// Written into what a build depends on: another number builds all anew.
constexpr std::string_view method = "referee-build-1";

// A submission on its way to its folder.
struct Site {
    Collected* submission = nullptr;
    std::vector<build::SourceFile> files;
    build::Recipe recipe;
    std::string folder;  // what becomes its folder
};

std::string made_from(const Collected& submission, const CollectOptions& options,
                      const build::Recipe& recipe) {
    base::Hasher hasher;
    const auto add = [&hasher](const std::string& text) {
        hasher.add(fmt::format("{}:{}", text.size(), text));
    };
    add(std::string(method));
    add(submission.hash);
    add(submission.refused);
    add(recipe.within);
    add(recipe.build);
    for (const auto& word : recipe.run) add(word);
    add(std::to_string(options.limits.time.count()));
    add(std::to_string(options.limits.memory_mb));
    return base::hex_of(hasher.finish());
}

Step failed_to(const std::string& what, const std::error_code& error) {
    return base::failure(what + ": " + error.message());
}

class Building {
 public:
    Building(boost::asio::io_context& loop, const CollectOptions& options,
             const matching::ClassList& people, std::string scratch,
             const CollectProgress& progress)
        : loop_(loop),
          options_(options),
          people_(people),
          scratch_(std::move(scratch)),
          progress_(progress) {}

    Step run(Collection& collection) {
        of_ = collection.submissions.size();
        for (auto& submission : collection.submissions) {
            if (auto prepared = prepare(submission); !prepared) return prepared;
        }
        progress_.progress(done_, of_);
        return build_all();
    }

 private:
    // Finds the recipe, and whether anything is to be done at all.
    Step prepare(Collected& submission) {
        auto handed_in = build::files_below(submission.folder);
        if (!handed_in) return base::failure(handed_in.error());
        Site site{&submission, *std::move(handed_in), {}, {}};
        auto hash = build::digest_of(submission.folder, site.files);
        if (!hash) return base::failure(hash.error());
        submission.hash = *std::move(hash);
        auto& built = submission.built;
        if (submission.refused.empty()) {
            auto handout = options_.handout;
            if (options_.kind != nullptr) handout.interpreter = options_.kind->interpreter;
            auto recipe = build::recipe_in(submission.folder, site.files, handout);
            if (!recipe) {
                built.result = BuildResult::failed;
                built.reason = recipe.error();
            } else {
                site.recipe = *std::move(recipe);
            }
        } else {
            built.reason = submission.refused;
        }
        submission.made_from = made_from(submission, options_, site.recipe);
        if (auto before = built_before(folder_of(options_, submission), submission.made_from)) {
            built = *std::move(before);
            submission.kept = true;
            ++done_;
            return write_submission_file(folder_of(options_, submission), submission);
        }
        site.folder = fmt::format("{}/{}/site", scratch_, sites_.size());
        if (auto made = files::make_folder(site.folder); !made) return made;
        sites_.push_back(std::move(site));
        return {};
    }

    Step build_all() {
        std::vector<std::size_t> to_build;
        for (std::size_t place = 0; place < sites_.size(); ++place) {
            auto& site = sites_[place];
            if (!site.submission->refused.empty() || !site.submission->built.reason.empty()) {
                if (auto done = move_in(site); !done) return done;
            } else if (site.recipe.build.empty()) {
                if (auto done = take_as_it_is(site); !done) return done;
            } else {
                to_build.push_back(place);
            }
        }
        return to_build.empty() ? Step() : build(to_build);
    }

    // What needs no build is its own copy.
    Step take_as_it_is(Site& site) {
        std::error_code error;
        fs::copy(site.submission->folder, site.folder + "/" + build_folder_name,
                 fs::copy_options::recursive, error);
        if (error) return failed_to(site.folder + " can't be written", error);
        return conclude(site, BuildResult::not_needed);
    }

    Step build(const std::vector<std::size_t>& places) {
        auto opened = build::Builder::open(loop_, options_.limits, options_.unsandboxed);
        if (!opened) return base::failure(opened.error());
        auto& builder = **opened;
        progress_.say(builder.sandbox());
        std::vector<build::BuildOrder> orders;
        for (const auto place : places) {
            auto& site = sites_[place];
            for (const auto& need : site.recipe.needs) {
                if (!builder.program_file(need.program).empty()) continue;
                return base::failure("expected the program " + need.program +
                                     " to build submissions with (" + site.submission->name +
                                     " has " + site.recipe.title + "), found none: apt install " +
                                     need.package);
            }
            const auto result = site.folder + "/" + build_folder_name;
            if (auto made = files::make_folder(result); !made) return made;
            orders.push_back({site.submission->folder, site.recipe.within, site.recipe.build,
                              result, fs::path(site.folder).parent_path().string()});
        }
        std::vector<std::pair<Site*, BuildOutcome>> failed;
        Step all;
        builder.run(orders, options_.builds_at_once,
                    [&](std::size_t order, const BuildOutcome& outcome) {
                        auto& site = sites_[places[order]];
                        if (outcome.how == BuildOutcome::How::failed)
                            failed.emplace_back(&site, outcome);
                        else if (all)
                            all = take_outcome(site, outcome);
                        return all.has_value();
                    });
        std::ranges::sort(failed, {}, [](const auto& one) { return one.first; });
        for (auto one = failed.begin(); all && one != failed.end(); ++one) {
            all = try_compilers(builder, *one->first);
            if (all) all = take_outcome(*one->first, one->second);
        }
        return all;
    }

    // Each once. A machine on which one builds nothing knows nothing of a submission.
    Step try_compilers(build::Builder& builder, const Site& site) {
        for (const auto& compiler : site.recipe.compilers) {
            if (!tried_.insert(compiler).second) continue;
            const auto folder = scratch_ + "/trial-" + compiler;
            const build::BuildOrder order{folder + "/source", "", build::trial_of(compiler),
                                          folder + "/built", folder};
            for (const auto& made :
                 {files::make_folder(order.source), files::make_folder(order.result)})
                if (!made) return made;
            Step tried;
            builder.run({order}, 1, [&](std::size_t /*place*/, const BuildOutcome& outcome) {
                if (outcome.how != BuildOutcome::How::built)
                    tried = trouble_at(
                        site, compiler + " builds no program of two lines either: ", outcome);
                return true;
            });
            if (!tried) return tried;
        }
        return {};
    }

    static Step trouble_at(const Site& site, const std::string& what, const BuildOutcome& outcome) {
        return base::failure(std::string(machine_trouble) + " while " + site.submission->name +
                             " was built: " + what + outcome.reason +
                             (outcome.output.empty() ? "" : "\n" + outcome.output));
    }

    Step take_outcome(Site& site, const BuildOutcome& outcome) {
        auto& submission = *site.submission;
        if (outcome.how == BuildOutcome::How::trouble) return trouble_at(site, "", outcome);
        submission.built.output = outcome.output;
        for (const auto& remark : outcome.remarks) submission.remarks.push_back(remark);
        auto written = files::write_file(site.folder + "/" + output_file_name, outcome.output);
        if (!written) return written;
        submission.built.reason = outcome.reason;
        return conclude(site, outcome.how == BuildOutcome::How::built ? BuildResult::built
                                                                      : BuildResult::failed);
    }

    Step conclude(Site& site, BuildResult result) {
        auto& built = site.submission->built;
        built.result = result;
        built.recipe = site.recipe.title;
        built.build = site.recipe.build;
        built.within = site.recipe.within;
        if (result == BuildResult::failed) return move_in(site);
        const auto folder = site.folder + "/" + build_folder_name;
        const auto there = build::files_below(folder);
        if (!there) return base::failure(there.error());
        const auto program = build::built_program(folder, *there, site.files, site.recipe);
        if (program && is_of_kind(*program)) {
            built.run = *program;
        } else if (program) {
            built.result = BuildResult::failed;
            built.reason = "expected a program of the kind " + std::string(options_.kind->name) +
                           ", which " + std::string(options_.kind->interpreter) +
                           " runs, found one that runs as " + base::joined(*program, " ");
        } else {
            built.result = BuildResult::failed;
            built.reason = program.error();
        }
        return move_in(site);
    }

    // A kind with an interpreter of its own has no other.
    bool is_of_kind(const std::vector<std::string>& program) const {
        return options_.kind == nullptr || options_.kind->interpreter.empty() ||
               fs::path(program.front()).filename() == options_.kind->interpreter;
    }

    Step write_submission_file(const std::string& folder, const Collected& submission) const {
        return files::write_file(folder + "/" + submission_file_name,
                                 submission_text(submission, people_, options_.kind));
    }

    // All of it is there: now it takes its place, and an older one goes.
    Step move_in(Site& site) {
        auto& submission = *site.submission;
        const auto place = folder_of(options_, submission);
        std::error_code error;
        if (submission.refused.empty()) {
            fs::rename(submission.folder, site.folder + "/" + files_folder_name, error);
            if (error) return failed_to(site.folder + " can't be written", error);
        }
        const auto what_was_built = site.folder + "/" + build_folder_name;
        if (submission.built.result == BuildResult::failed) {
            fs::remove_all(what_was_built, error);
        } else if (submission.refused.empty()) {
            auto hash = build::digest_of_built(what_was_built);
            if (!hash) return base::failure(hash.error());
            submission.built.hash = *std::move(hash);
        }
        if (auto written = write_submission_file(site.folder, submission); !written) return written;
        if (fs::exists(place, error)) {
            const auto old = site.folder + "-old";
            fs::rename(place, old, error);
            if (error) return failed_to(place + " can't be moved away", error);
        }
        fs::rename(site.folder, place, error);
        if (error) return failed_to(place + " can't be made", error);
        ++done_;
        progress_.progress(done_, of_);
        return {};
    }

    boost::asio::io_context& loop_;
    const CollectOptions& options_;
    const matching::ClassList& people_;
    std::string scratch_;
    const CollectProgress& progress_;
    std::vector<Site> sites_;
    std::set<std::string> tried_;  // compilers
    std::size_t done_ = 0;
    std::size_t of_ = 0;
};

// A folder is copied but for its links, which may lead anywhere.
base::Result<Taken, std::string> take_single_folder(const std::string& source,
                                                    const std::string& folder) {
    std::error_code error;
    fs::copy(source, folder, fs::copy_options::recursive | fs::copy_options::skip_symlinks, error);
    if (error) return base::failure(source + " can't be copied: " + error.message());
    return Taken{};
}

base::Result<Taken, std::string> take_single_file(const std::string& source,
                                                  const std::string& scratch,
                                                  const std::string& folder) {
    const auto name = fs::path(source).filename().string();
    const auto beside = scratch + "/handed-in";
    std::error_code error;
    fs::create_directory(beside, error);
    if (!error) fs::copy_file(source, beside + "/" + name, error);
    if (error) return base::failure(source + " can't be copied: " + error.message());
    const UnpackedExport from{beside, {{name, std::nullopt}}, {}, {}, {}};
    const exports::SubmittedFile file{0, name};
    return take_files(from, {&file, 1}, folder);
}

base::Result<Collected, std::string> take(const std::string& source, const std::string& name,
                                          const std::string& scratch) {
    Collected submission;
    submission.name = name;
    submission.key = source;
    submission.versions.emplace_back();
    submission.folder = scratch + "/files";
    std::error_code error;
    auto taken = fs::is_directory(source, error)
                     ? take_single_folder(source, submission.folder)
                     : take_single_file(source, scratch, submission.folder);
    if (!taken) return base::failure(taken.error());
    submission.refused = std::move(taken->refused);
    submission.remarks = std::move(taken->remarks);
    return submission;
}

}  // namespace

Step build_submissions(boost::asio::io_context& loop, const CollectOptions& options,
                       const matching::ClassList& people, Collection& collection,
                       const std::string& scratch, const CollectProgress& progress) {
    return Building(loop, options, people, scratch, progress).run(collection);
}

base::Result<Collected, Ending> build_single(
    const CollectOptions& given, const std::string& source, const std::string& name,
    const std::function<void(const std::string& line)>& say) {
    ::umask(mask_of_collected);
    const auto options = with_absolute_out(given);
    const auto trouble = [](std::string what) {
        return base::failure(Ending{exit_trouble, std::move(what)});
    };
    std::error_code error;
    if (!fs::exists(source, error))
        return base::failure(
            Ending{exit_bad_input,
                   source + ": expected an archive, a file or a folder, found nothing there"});
    const auto scratch = scratch_of(options);
    fs::remove_all(scratch, error);
    for (const auto& folder : {scratch, options.out + "/submissions"}) {
        if (auto made = files::make_folder(folder); !made) return trouble(std::move(made.error()));
    }
    auto submission = take(fs::absolute(source, error).string(), name, scratch);
    if (!submission) return trouble(submission.error());
    Collection collection;
    collection.submissions.push_back(*std::move(submission));
    const matching::ClassList nobody{roster::ReadRoster{}};
    boost::asio::io_context loop{1};
    const auto built = build_submissions(loop, options, nobody, collection, scratch + "/sites",
                                         {say, [](std::size_t /*done*/, std::size_t /*of*/) {}});
    fs::remove_all(scratch, error);
    if (!built) return trouble(built.error());
    return std::move(collection.submissions.front());
}

}  // namespace referee::collect
