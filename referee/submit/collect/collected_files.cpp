#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"
#include "referee/files/text_table.h"
#include "referee/submit/collect/steps.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::collect {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

// Paths that belong to no submission and are named to a person.
constexpr std::size_t left_over_told_max = 20;
constexpr std::int64_t seconds_a_minute = 60;
constexpr std::int64_t minutes_an_hour = 60;
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

void write_texts(json::Writer& writer, std::string_view name,
                 const std::vector<std::string>& texts) {
    writer.key(name).texts(texts, readable_text);
}

void write_versions(json::Writer& writer, const Collected& submission) {
    writer.key("versions").begin_array();
    for (const auto& version : submission.versions) {
        writer.begin_object().member("number", version.number);
        if (version.at_s) writer.member("at", exports::utc_text(*version.at_s));
        if (version.late) writer.member("late_by_service", true);
        writer.key("files").texts(version.files,
                                  [](const auto& file) { return readable_text(file.path); });
        writer.end_object();
    }
    writer.end_array();
}

// What submission.json says, and what only the collection knows.
void write_submission(json::Writer& writer, const Collected& submission,
                      const matching::ClassList& people, const kinds::Kind* kind) {
    writer.begin_object();
    writer.member("name", submission.name);
    writer.member("folder", "submissions/" + files::folder_name_of(submission.name));
    writer.member("key", readable_text(submission.key));
    writer.member("found", submission.how);
    write_versions(writer, submission);
    write_texts(writer, "remarks", submission.remarks);
    writer.member("kept", submission.kept);
    auto text = submission_text(submission, people, kind);
    text.pop_back();
    writer.key("submission").raw(text);
    writer.end_object();
}

std::string late_text(const Collected& submission) {
    auto deadlines = submission.deadlines;
    std::erase_if(deadlines, [](const auto& deadline) { return deadline.late_s == 0; });
    if (deadlines.empty()) return submission.late ? "says the service" : "-";
    return base::joined(deadlines, ", ", [](const LateSubmission& late) {
        const auto minutes = (late.late_s + seconds_a_minute - 1) / seconds_a_minute;
        return fmt::format("{}by {} h {} min", late.deadline.empty() ? "" : late.deadline + " ",
                           minutes / minutes_an_hour, minutes % minutes_an_hour);
    });
}

std::string shown(const std::string& text) {
    return base::visible_line(text);
}

// A line of groups.txt for a submission that these people handed in.
std::string groups_line(const matching::ClassList& people, const std::string& key,
                        const std::vector<std::size_t>& whose) {
    std::string ids;
    for (const auto place : whose) {
        const auto& person = people.people()[place];
        ids += " " + (person.ids.empty() ? person.bot : person.ids.front());
    }
    return base::visible_line(key) + " =" + (ids.empty() ? " ..." : ids);
}

// Each with the line that confirms what it counts as.
std::string to_look_at(const Collection& collection, const matching::ClassList& people) {
    if (collection.to_look_at.empty()) return {};
    std::string text = "\nlook at these: a line in " + std::string(groups_file_name) +
                       ", beside this file, says whose each is; then `collect` again\n";
    for (const auto& one : collection.to_look_at) {
        text += "  " + groups_line(people, one.key, one.people) + "\n";
        for (const auto& why : one.why) text += "      " + shown(why) + "\n";
        text += "      so far it is " + list_of(people, one.people) + "'s\n";
    }
    return text;
}

constexpr const char* head =
    "// A config for `referee run`, to be changed at will; configs/README.md tells all members.\n"
    "// `referee collect` writes this file anew: keep what you change under another name.\n";

std::string in_quotes(const std::string& text) {
    std::string out;
    json::Writer(out).string(text);
    return out;
}

// JSON with a blank behind each comma and colon.
std::string spaced(std::string_view text) {
    std::string out;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (in_string && text[i] == '\\') {
            out += text[++i];
            continue;
        }
        if (text[i] == '"') in_string = !in_string;
        if (!in_string && (text[i] == ',' || text[i] == ':')) out += ' ';
    }
    return out;
}

// The members by which it is launched: `"launch": ["./program"]`.
std::string launch_text(const Collected& submission, const kinds::Kind* kind) {
    const auto object = json::object_text(
        [&](json::Writer& writer) { write_played(writer, submission.built, kind, "launch"); });
    return spaced(std::string_view(object).substr(1, object.size() - 2));
}

std::string bot_text(const Collected& submission, const matching::ClassList& people,
                     const kinds::Kind* kind) {
    const auto directory = "submissions/" + files::folder_name_of(submission.name) + "/" +
                           directory_of(submission.built);
    std::string text = "    {\n      \"name\": " + in_quotes(submission.name);
    const auto& team = people.people()[submission.people.front()].team;
    if (!team.empty()) text += ",\n      \"team\": " + in_quotes(team);
    return text + ",\n      " + launch_text(submission, kind) +
           ",\n      \"directory\": " + in_quotes(directory) + "\n    }";
}

std::string format_text(const engines::GameInfo& game) {
    if (game.seats_max == 1) {
        return "      // Everybody plays the same games alone, and the sum of the scores counts.\n"
               "      \"format\": {\"kind\": \"leaderboard\"}\n";
    }
    const auto seats = std::to_string(game.seats_default);
    return "      // Everybody meets everybody.\n"
           "      \"format\": {\"kind\": \"round_robin\"" +
           (game.seats_default == 2 ? std::string() : ", \"seats\": " + seats) + "}\n";
}

}  // namespace

CollectOptions with_absolute_out(CollectOptions options) {
    std::error_code error;
    options.out = fs::absolute(options.out, error).lexically_normal().string();
    if (options.out.ends_with('/')) options.out.pop_back();
    return options;
}

std::string scratch_of(const CollectOptions& options) {
    return options.out + "/.work";
}

std::string folder_of(const CollectOptions& options, const Collected& submission) {
    return options.out + "/submissions/" + files::folder_name_of(submission.name);
}

std::size_t spoilt(const Collection& collection) {
    const auto count = std::ranges::count_if(collection.submissions, [](const auto& submission) {
        return submission.built.result == BuildResult::failed ||
               submission.built.result == BuildResult::refused;
    });
    return static_cast<std::size_t>(count);
}

base::Result<WhoseByKey, std::string> read_groups_file(const std::string& file,
                                                       const matching::ClassList& people) {
    WhoseByKey whose;
    if (!files::is_there(file)) return whose;
    const auto text = files::read_named_file(file, groups_bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    std::size_t number = 0;
    for (const auto raw : base::split(*text, '\n')) {
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

std::string collected_json(const CollectOptions& options, const Collection& collection,
                           const matching::ClassList& people) {
    std::string out;
    json::Writer writer(out);
    writer.begin_object().member("shape", exports::name_of(collection.shape));
    writer.key("submissions").begin_array();
    for (const auto& submission : collection.submissions)
        write_submission(writer, submission, people, options.kind);
    writer.end_array();
    writer.key("unknown").begin_array();
    for (const auto& unknown : collection.unknown) {
        writer.begin_object().member("key", readable_text(unknown.key));
        writer.member("why", readable_text(unknown.doubt)).end_object();
    }
    writer.end_array();
    writer.key("to_look_at").begin_array();
    for (const auto& one : collection.to_look_at) {
        writer.begin_object().member("key", readable_text(one.key));
        write_texts(writer, "why", one.why);
        writer.member("line", groups_line(people, one.key, one.people)).end_object();
    }
    writer.end_array();
    writer.key("missing").texts(collection.missing,
                                [&](const auto& person) { return people.people()[person].bot; });
    write_texts(writer, "left_over", collection.left_over);
    write_texts(writer, "earlier", collection.earlier);
    write_texts(writer, "remarks", collection.remarks);
    writer.end_object();
    return out + "\n";
}

std::string collected_text(const CollectOptions& options, const Collection& collection,
                           const matching::ClassList& people) {
    std::string text = summary_line(collection) + "\n\n";
    files::TextTable table({"name", "students", "versions", "late", "result", "how"});
    for (const auto& submission : collection.submissions) {
        const auto& built = submission.built;
        table.add({submission.name, list_of(people, submission.people),
                   std::to_string(submission.versions.size()), late_text(submission),
                   std::string(name_of(built.result)), built.recipe});
    }
    if (!collection.submissions.empty()) text += table.text();
    for (const auto& submission : collection.submissions) {
        for (const auto& remark : submission.remarks)
            text += "\n" + submission.name + ": " + shown(remark) + "\n";
        if (submission.built.reason.empty()) continue;
        text += "\n" + submission.name + " " + std::string(name_of(submission.built.result)) +
                ": " + shown(submission.built.reason) + "\n";
        if (!submission.built.output.empty()) {
            text += std::string(base::further_line) +
                    base::visible_lines(submission.built.output, base::further_line) + "\n";
        }
    }
    text += to_look_at(collection, people);
    if (!collection.unknown.empty()) {
        text += "\nunknown: nothing was built for these";
        if (options.groups == GroupsBy::first_line)
            text += "; a line in " + std::string(groups_file_name) + " says whose one is";
        text += "\n";
    }
    for (const auto& unknown : collection.unknown)
        text += "  " + shown(unknown.key) + ": " + shown(unknown.doubt) + "\n";
    if (!collection.missing.empty()) text += "\nmissing: they handed in nothing\n";
    for (const auto person : collection.missing)
        text += "  " + text_of(people.people()[person]) + "\n";
    if (!collection.earlier.empty())
        text +=
            "\nfolders of an earlier collection, which would be graded too: remove those that are "
            "not to be graded\n";
    for (const auto& folder : collection.earlier) text += "  " + shown(folder) + "\n";
    if (!collection.left_over.empty()) text += "\nfiles that belong to no submission\n";
    for (std::size_t i = 0; i < std::min(collection.left_over.size(), left_over_told_max); ++i)
        text += "  " + shown(collection.left_over[i]) + "\n";
    if (collection.left_over.size() > left_over_told_max)
        text += fmt::format("  and {} more\n", collection.left_over.size() - left_over_told_max);
    for (const auto& remark : collection.remarks) text += "\nnote: " + shown(remark) + "\n";
    if (options.deadlines.empty())
        text += "\nno --deadline was given: only what the service calls late is late\n";
    return text;
}

std::string summary_line(const Collection& collection) {
    const auto bad = spoilt(collection);
    const auto count = collection.submissions.size();
    return fmt::format("{} (shape: {}): {} can play, {} can't; {} unknown, {} missing{}{}",
                       base::counted(count, "submission"), exports::name_of(collection.shape),
                       count - bad, bad, collection.unknown.size(), collection.missing.size(),
                       collection.to_look_at.empty()
                           ? std::string()
                           : fmt::format(", {} to look at", collection.to_look_at.size()),
                       collection.earlier.empty() ? std::string()
                                                  : fmt::format(", {} of an earlier collection",
                                                                collection.earlier.size()));
}

base::Result<std::string, std::string> tournament_text(const CollectOptions& options,
                                                       const Collection& collection,
                                                       const matching::ClassList& people) {
    const engines::Registry registry;
    const auto* game = registry.find(options.game);
    REFEREE_ASSERT(game != nullptr);
    const auto seats = game->info().seats_default;
    std::string bots;
    std::size_t count = 0;
    for (const auto& submission : collection.submissions) {
        if (submission.built.run.empty()) continue;
        bots += (count++ == 0 ? "" : ",\n") + bot_text(submission, people, options.kind);
    }
    if (count < seats)
        return base::failure(
            fmt::format("a tournament of {} needs {} submissions that can play, found {}",
                        options.game, seats, count));
    const auto setups = game->info().first_setups;
    return head + std::string("{\n  \"listen\": {\"address\": \"127.0.0.1\", \"port\": 0},\n") +
           "  \"bots\": [\n" + bots + "\n  ],\n  \"tournaments\": [\n    {\n" +
           "      \"id\": \"submissions\",\n      \"game\": " + in_quotes(options.game) + ",\n" +
           (setups.empty() ? std::string() : "      \"setups\": " + std::string(setups) + ",\n") +
           format_text(game->info()) + "    }\n  ]\n}\n";
}

}  // namespace referee::collect
