#include "referee/grading/submission/submission.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/launch/supply/command_files.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/collect/collect.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

constexpr std::size_t submission_file_bytes_max = 1024 * 1024;
constexpr std::int64_t late_seconds_most = 100LL * 365 * 24 * 3600;

void write_program(json::Writer& writer, const kinds::KindProgram& program) {
    writer.key("program").begin_object().member("kind", program.kind->name);
    if (program.is_file) {
        writer.member("file", program.words.front());
    } else {
        writer.key("command").texts(program.words);
    }
    writer.end_object();
}

// The latest of the deadlines that it missed; each may have one.
Duration late_by(json::Reader& reader) {
    std::int64_t longest = 0;
    const auto list = reader.optional_array("deadlines");
    if (!list) return Duration::zero();
    for (const auto deadline : list.elements()) {
        const auto late = deadline.view().find("late_s").integer().value_or(0);
        longest = std::max(longest, std::clamp<std::int64_t>(late, 0, late_seconds_most));
    }
    return std::chrono::seconds(longest);
}

// Why it was never built; empty where it was, or needed no building.
std::string unbuilt(json::Reader& reader) {
    const auto build = reader.optional_object("build");
    if (!build) return {};
    const auto result = build.view().find("result").text();
    if (result == "built" || result == "not_needed") return {};
    const auto reason = build.view().find("reason").text();
    return "it was not built" + (reason.empty() ? std::string() : ": " + std::string(reason));
}

bool stays_in(const std::string& directory, const std::string& folder) {
    std::error_code unknown;
    const auto real = fs::weakly_canonical(directory, unknown);
    if (unknown) return false;
    const auto own = fs::weakly_canonical(folder, unknown);
    return !unknown && files::lies_in(files::absolute_path("/", real.string()),
                                      files::absolute_path("/", own.string()));
}

// What its build printed, which stands in a file beside submission.json.
std::string build_output(json::Reader& reader, const std::string& folder) {
    const auto name = reader.given("build").find("output").string();
    if (!name || name->empty()) return {};
    const auto file = fs::path(folder) / fs::path(*name).filename();
    return files::read_named_file(file.string(), submission_file_bytes_max).value_or("");
}

void read_bot(json::Reader& reader, const std::string& folder, GradedSubmission& submission) {
    const auto command = reader.optional_array("command");
    const auto program = reader.optional_object("program");
    if (!command && !program && submission.unplayable.empty())
        submission.unplayable = "no program was found in it";
    std::string below;
    reader.text("directory", below);
    const auto directory = (fs::path(folder) / below).lexically_normal().string();
    if (!stays_in(directory, folder))
        reader.wrong("directory",
                     "expected a folder of the submission, such as \"build\", with "
                     "links resolved; found \"" +
                         below + "\", which leads out of it");
    submission.bot = json::object_text([&](json::Writer& writer) {
        if (command)
            command.view().write(writer.key("launch"));
        else if (program)
            program.view().write(writer.key("program"));
        writer.member("directory", directory);
    });
}

GradedSubmission read_submission(const json::Document& document, const std::string& folder,
                                 json::Mistakes& mistakes) {
    GradedSubmission submission;
    json::Reader reader(json::Placed(document.root(), mistakes));
    submission.name = reader.text("name");
    if (!mistakes && !protocol::is_valid_name(submission.name))
        reader.wrong("name", "expected a bot's name, such as \"ann\"");
    reader.texts("students", submission.students);
    submission.late_by = late_by(reader);
    submission.unplayable = submission.unbuilt = unbuilt(reader);
    const auto build = reader.given("build");
    submission.is_built = build.find("result").string() == "built";
    submission.built_in = folder + '/' + collect::build_folder_name;
    submission.built_hash = build.find("hash").text();
    submission.is_collected = submission.unplayable.empty() && reader.has("made_from");
    if (!submission.unplayable.empty()) submission.build_output = build_output(reader, folder);
    read_bot(reader, folder, submission);
    return submission;
}

// A bot plays against others of the rubric, and may be one of them, so as a submission it has
// another name.
GradedSubmission handed_in(const std::string& name, std::string bot) {
    GradedSubmission submission;
    submission.name = std::string(graded_prefix) + name;
    submission.name.resize(
        std::min<std::size_t>(submission.name.size(), protocol::limits::name_bytes_max));
    submission.bot = std::move(bot);
    submission.is_of_rubric = true;
    return submission;
}

// One that leads out of the folder stays as it is, and is refused with the config.
void write_reads(json::Writer& writer, json::View reads, const std::string& rubric_folder) {
    writer.key("reads").begin_array();
    for (const auto path : reads.elements()) {
        const auto text = std::string(path.text());
        const auto absolute = files::absolute_path(rubric_folder, text);
        if (!text.empty() && files::lies_in(absolute, rubric_folder))
            writer.string(absolute);
        else
            path.write(writer);
    }
    writer.end_array();
}

}  // namespace

base::Result<GradedSubmission, std::string> submission_of(const Handed& handed) {
    const auto program = kinds::program_in(handed.command);
    if (!program) return base::failure("--bot: " + program.error());
    GradedSubmission submission;
    submission.name = handed.name;
    submission.bot = json::object_text([&](json::Writer& writer) {
        if (*program) {
            write_program(writer, **program);
        } else {
            writer.key("launch").texts(base::command_of(handed.command));
        }
        if (!handed.directory.empty()) writer.member("directory", handed.directory);
        if (!handed.reads.empty()) writer.key("reads").texts(handed.reads);
    });
    return submission;
}

std::string mistake_in_kind(const rubric::RubricBuild& build) {
    if (build.kind.empty() || kinds::find_kind(build.kind) != nullptr) return {};
    return "build.kind: found \"" + build.kind +
           "\"; expected one of these: " + kinds::list_of_kinds();
}

base::Result<GradedSubmission, Ending> build_handed_in(const std::string& source,
                                                       const std::string& name,
                                                       const rubric::RubricBuild& build,
                                                       const std::string& folder,
                                                       bool unsandboxed) {
    if (auto wrong = mistake_in_kind(build); !wrong.empty())
        return base::failure(Ending{exit_bad_input, std::move(wrong)});
    collect::CollectOptions terms;
    terms.out = folder;
    terms.handout = {build.command, build.within, build.run};
    if (build.time) terms.limits.time = std::chrono::ceil<std::chrono::seconds>(*build.time);
    terms.limits.memory_mb = build.memory_mb.value_or(terms.limits.memory_mb);
    terms.kind = kinds::find_kind(build.kind);
    terms.unsandboxed = unsandboxed;
    std::string told;
    const auto built = collect::build_single(
        terms, source, name, [&told](const std::string& line) { told += line + '\n'; });
    if (!built)
        return base::failure(Ending{built.error().status, told + built.error().message + '\n'});
    return submission_in(collect::folder_of(terms, *built)).map_error([](const auto& wrong) {
        return Ending{exit_trouble, wrong};
    });
}

base::Result<GradedSubmission, std::string> submission_in(const std::string& folder) {
    const auto file = (fs::path(folder) / collect::submission_file_name).string();
    json::Document document;
    const auto parsed =
        files::read_named_json(file, submission_file_bytes_max, "is no JSON", document);
    if (!parsed) return base::failure(parsed.error());
    json::Mistakes mistakes;
    auto submission = read_submission(document, fs::absolute(folder).string(), mistakes);
    if (mistakes) return base::failure(file + ": " + mistakes.first().text());
    return submission;
}

base::Result<std::vector<GradedSubmission>, std::vector<std::string>> submissions_in(
    const std::string& folder) {
    std::error_code error;
    const auto names = files::names_in(folder, error);
    if (error) return base::failure(std::vector{folder + ": " + error.message()});
    std::vector<GradedSubmission> found;
    std::vector<std::string> mistakes;
    for (const auto& name : names) {
        const auto each = (fs::path(folder) / name).string();
        if (std::error_code ignored; !fs::is_directory(each, ignored)) continue;
        auto submission = submission_in(each);
        if (!submission) {
            mistakes.push_back(submission.error());
            continue;
        }
        if (base::contains(found, submission->name, &GradedSubmission::name))
            mistakes.push_back(each + ": another submission has the name \"" + submission->name +
                               "\" too");
        found.push_back(*std::move(submission));
    }
    if (found.empty() && mistakes.empty())
        mistakes.push_back(folder +
                           ": expected a folder for each submission, with a submission.json as "
                           "`referee collect` writes it; found none");
    if (!mistakes.empty()) return base::failure(mistakes);
    return found;
}

std::string lack_of_collected(const config::BotConfig& bot) {
    const supply::BotCommand command(bot, {});
    const auto lost =
        files::is_there(command.folder) ? supply::missing_source(command) : command.folder;
    return lost.empty() ? lost
                        : "'" + lost + "' is not there any more: collect the submissions again";
}

std::string change_of_collected(const GradedSubmission& submission) {
    const auto& hash = submission.built_hash;
    if (hash.empty() || build::digest_of_built(submission.built_in).value_or("") == hash) return {};
    return "'" + submission.built_in +
           "' is not as it was built: collect the submissions again, which builds it anew";
}

std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder) {
    json::Document own;
    const auto parsed = own.parse(rubric.bots);
    REFEREE_ASSERT(parsed);
    std::vector<GradedSubmission> found;
    std::set<std::string> known;
    for (const auto bot : own.root().elements()) {
        auto text = json::object_text([&](json::Writer& writer) {
            write_own_bot(writer, bot, {"name", "lifetime"}, rubric_folder);
        });
        if (known.insert(text).second)
            found.push_back(handed_in(std::string(bot.find("name").text()), std::move(text)));
    }
    if (!found.empty()) return found;
    if (!rubric.has_games()) return {handed_in("reference", "{}")};
    const engines::Registry registry;
    const auto* game = registry.find(rubric.game);
    if (game == nullptr) return found;
    for (const auto program : game->info().reference_bots)
        found.push_back(
            handed_in(std::string(program), fmt::format(R"({{"launch":["{}"]}})", program)));
    return found;
}

void write_own_bot(json::Writer& writer, json::View bot,
                   std::initializer_list<std::string_view> without,
                   const std::string& rubric_folder) {
    for (const auto member : bot.members()) {
        if (member.name == "directory" || base::contains(without, member.name)) continue;
        if (member.name == "reads" && member.value.is_array())
            write_reads(writer, member.value, rubric_folder);
        else
            member.write(writer);
    }
    auto command = bot.find("launch").texts();
    std::string directory = bot.find("program") ? rubric_folder : std::string();
    if (const auto named = bot.find("directory").string()) {
        directory = (fs::path(rubric_folder) / std::string(*named)).lexically_normal().string();
    } else if (directory.empty() && names_file_in(rubric_folder, command)) {
        directory = rubric_folder;
    }
    if (!directory.empty()) writer.member("directory", directory);
}

bool names_file_in(const std::string& folder, const std::vector<std::string>& command) {
    return std::ranges::any_of(command, [&](const std::string& word) {
        return !word.empty() && word.front() != '/' && files::is_there(folder + '/' + word);
    });
}

}  // namespace referee::grading
