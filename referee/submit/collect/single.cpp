#include "referee/submit/collect/single.h"

#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <ostream>

#include "referee/submit/collect/collect.h"
#include "referee/submit/collect/construct.h"
#include "referee/submit/collect/handed_in.h"

namespace referee::collect {
namespace {

namespace fs = std::filesystem;

constexpr const char* scratch_of_single = ".work";

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

base::Result<Collected, std::string> build(const CollectOptions& terms, const std::string& source,
                                           const std::string& name, std::ostream& errors) {
    const auto scratch = terms.out + "/" + scratch_of_single;
    std::error_code error;
    fs::remove_all(scratch, error);
    fs::create_directories(scratch, error);
    if (!error) fs::create_directories(terms.out + "/submissions", error);
    if (error) return base::failure(terms.out + " can't be written: " + error.message());
    auto submission = take(source, name, scratch);
    if (!submission) return submission;
    Collection collection;
    collection.submissions.push_back(*std::move(submission));
    const matching::ClassList nobody{roster::ReadRoster{}};
    boost::asio::io_context loop{1};
    const auto built =
        construct(loop, terms, nobody, collection, scratch + "/sites",
                  {[&errors](const std::string& line) { errors << line << '\n'
                                                               << std::flush; },
                   [](std::size_t /*done*/, std::size_t /*of*/) {}});
    fs::remove_all(scratch, error);
    if (!built) return base::failure(built.error());
    return std::move(collection.submissions.front());
}

void tell(const CollectOptions& terms, const Collected& submission, std::ostream& out) {
    const auto& built = submission.built;
    if (!built.output.empty()) out << built.output << (built.output.ends_with('\n') ? "" : "\n");
    for (const auto& remark : submission.remarks) out << remark << '\n';
    if (!built.reason.empty()) {
        out << (built.result == BuildResult::refused ? "refused: " : "not built: ") << built.reason
            << '\n';
        return;
    }
    out << (built.result == BuildResult::not_needed ? "nothing is to be built" : "built")
        << (built.recipe.empty() ? "" : ", by " + built.recipe) << "; it runs as";
    for (const auto& word : built.run) out << ' ' << word;
    out << " in " << folder_of(terms, submission) << "/build"
        << (built.within.empty() ? "" : "/" + built.within) << '\n';
}

}  // namespace

ExitCode build_single(const CollectOptions& terms, const std::string& source,
                      const std::string& name, std::ostream& out, std::ostream& errors) {
    ::umask(mask_of_collected);
    auto absolute = terms;
    std::error_code error;
    absolute.out = fs::absolute(terms.out, error).lexically_normal().string();
    if (absolute.out.ends_with('/')) absolute.out.pop_back();
    if (!fs::exists(source, error)) {
        errors << source << ": expected an archive, a file or a folder, found nothing there\n";
        return exit_bad_input;
    }
    const auto submission = build(absolute, fs::absolute(source, error).string(), name, errors);
    if (!submission) {
        errors << submission.error() << '\n';
        return exit_trouble;
    }
    tell(absolute, *submission, out);
    return submission->built.reason.empty() ? exit_done : exit_no;
}

}  // namespace referee::collect
