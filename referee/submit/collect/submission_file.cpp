#include "referee/submit/collect/submission_file.h"

#include <array>

#include "protocol/base/enum_names.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "referee/files/file.h"

namespace referee::collect {
namespace {

namespace json = protocol::json;

constexpr std::size_t file_bytes_max = 1024 * 1024;
// Of one text of it.
constexpr std::size_t text_bytes_max = 64 * 1024;

void write_late(json::Writer& writer, const Collected& submission) {
    writer.member("late", submission.late);
    writer.key("deadlines").begin_array();
    for (const auto& late : submission.deadlines) {
        writer.begin_object();
        if (!late.deadline.empty()) writer.member("name", readable_text(late.deadline));
        writer.member("at", exports::utc_text(late.at_s));
        writer.member("late_s", late.late_s);
        if (late.version_in_time) writer.member("version_in_time", *late.version_in_time);
        writer.end_object();
    }
    writer.end_array();
}

void write_build(json::Writer& writer, const Built& built) {
    writer.key("build").begin_object();
    writer.member("result", name_of(built.result));
    if (!built.reason.empty()) writer.member("reason", readable_text(built.reason));
    if (!built.recipe.empty()) writer.member("recipe", readable_text(built.recipe));
    if (!built.build.empty()) writer.member("command", readable_text(built.build));
    writer.key("run").texts(built.run, readable_text);
    writer.member("within", readable_text(built.within));
    if (!built.build.empty() && built.result != BuildResult::refused)
        writer.member("output", output_file_name);
    if (!built.hash.empty()) writer.member("hash", built.hash);
    writer.end_object();
}

// Absent where it can't be read.
json::View read_submission_file(const std::string& folder, json::Document& document) {
    const auto file = folder + "/" + submission_file_name;
    const auto read = files::read_named_json(file, file_bytes_max, "", document);
    return read ? document.root() : json::View();
}

std::string text_of(json::View object, std::string_view name) {
    return std::string(object.find(name).text());
}

constexpr std::array<base::Named<BuildResult>, 4> results{{
    {BuildResult::built, "built"},
    {BuildResult::not_needed, "not_needed"},
    {BuildResult::failed, "failed"},
    {BuildResult::refused, "refused"},
}};
static_assert(base::in_order(results));

}  // namespace

std::string readable_text(std::string_view any) {
    return base::readable(any, text_bytes_max);
}

std::string_view name_of(BuildResult result) {
    return base::row_of(results, result).name;
}

std::string directory_of(const Built& built) {
    const auto within = built.within.substr(0, built.within.rfind('/'));
    return std::string(build_folder_name) + (within.empty() ? "" : "/") + within;
}

void write_played(json::Writer& writer, const Built& built, const kinds::Kind* kind,
                  std::string_view command_member) {
    if (kind == nullptr) {
        writer.key(command_member).texts(built.run, readable_text);
        return;
    }
    writer.key("program").begin_object().member("kind", kind->name);
    // A file that the kind's own interpreter runs is named alone.
    if (built.run.size() == 1 || !kind->interpreter.empty()) {
        const auto& file = built.run.back();
        writer.member("file", readable_text(file.substr(file.starts_with("./") ? 2 : 0)));
    } else {
        writer.key("command").texts(built.run, readable_text);
    }
    writer.end_object();
}

std::string submission_text(const Collected& submission, const matching::ClassList& people,
                            const kinds::Kind* kind) {
    return json::object_text([&](json::Writer& writer) {
               const auto& built = submission.built;
               writer.member("name", submission.name);
               writer.key("students").texts(submission.people, [&](const auto& person) {
                   return people.people()[person].bot;
               });
               if (!built.run.empty()) {
                   write_played(writer, built, kind, "command");
                   writer.member("directory", readable_text(directory_of(built)));
               }
               write_late(writer, submission);
               write_build(writer, built);
               writer.member("hash", submission.hash);
               writer.member("made_from", submission.made_from);
           }) +
           "\n";
}

std::string reason_in(const std::string& folder) {
    json::Document document;
    return text_of(read_submission_file(folder, document).find("build"), "reason");
}

std::optional<Built> built_before(const std::string& folder, const std::string& made_from) {
    json::Document document;
    const auto root = read_submission_file(folder, document);
    if (made_from.empty() || text_of(root, "made_from") != made_from) return std::nullopt;
    const auto build = root.find("build");
    const auto result = base::value_named(results, text_of(build, "result"));
    if (!result) return std::nullopt;
    std::string hash;
    if (*result == BuildResult::built || *result == BuildResult::not_needed) {
        hash = build::digest_of_built(folder + "/" + build_folder_name).value_or("");
        const auto was = text_of(build, "hash");
        if (!was.empty() && was != hash) return std::nullopt;
    }
    const auto output = files::read_named_file(folder + "/" + output_file_name, file_bytes_max);
    return Built{*result,
                 text_of(build, "reason"),
                 output.value_or(""),
                 text_of(build, "recipe"),
                 text_of(build, "command"),
                 build.find("run").texts(),
                 text_of(build, "within"),
                 hash};
}

}  // namespace referee::collect
