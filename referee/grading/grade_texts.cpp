#include "referee/grading/grade_texts.h"

#include <algorithm>
#include <filesystem>

#include "protocol/json/document.h"
#include "referee/grading/verdict/words.h"
#include "referee/roster/kinds/kind.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;

// Each with a slash at its end, the longest first.
std::vector<std::string> folders_of(const GradedSubmission& submission) {
    std::vector<std::string> folders;
    const auto add = [&folders](const fs::path& folder) {
        if (folder.is_absolute() && folder.has_relative_path())
            folders.push_back((folder / "").lexically_normal().string());
    };
    protocol::json::Document bot;
    if (!bot.parse(submission.bot)) return folders;
    const auto root = bot.root();
    const auto add_words = [&](protocol::json::View words) {
        for (const auto word : words.elements())
            add(fs::path(word.string().value_or("")).parent_path());
    };
    add(root.find("directory").string().value_or(""));
    add_words(root.find("launch"));
    add_words(root.find("program").find("command"));
    add(fs::path(root.find("program").find("file").string().value_or("")).parent_path());
    std::sort(folders.begin(), folders.end(),
              [](const auto& one, const auto& other) { return one.size() > other.size(); });
    return folders;
}

}  // namespace

void shorten_paths(verdict::Grade& grade, const GradedSubmission& submission) {
    const auto folders = folders_of(submission);
    const auto shorten = [&folders](std::string& text) {
        for (const auto& folder : folders) {
            for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
                text.erase(at, folder.size());
        }
    };
    for (auto* text : {&grade.unplayable, &grade.standard_error, &grade.build_output})
        shorten(*text);
    for (auto& line : grade.to_see) shorten(line);
    for (auto& step : grade.steps) {
        shorten(step.reason);
        shorten(step.in_kind);
        for (auto& line : step.advice) shorten(line);
    }
}

bool may_speak_no_protocol(const GradedSubmission& submission, const verdict::Played& played,
                           const std::string& game) {
    const auto plays_it = [&game](const kinds::Kind& kind) { return kind.game == game; };
    const auto all = kinds::all_kinds();
    protocol::json::Document bot;
    if (std::none_of(all.begin(), all.end(), plays_it) || !bot.parse(submission.bot) ||
        !bot.root().find("launch"))
        return false;
    bool any = false;
    for (const auto& [id, series] : played.series) {
        for (const auto& one : series.games) {
            any = true;
            if (one.faults.empty() || one.faults.front().rule != "match.no_show") return false;
        }
    }
    return any;
}

std::string hint_of_kind(const std::string& game) {
    std::string kind;
    for (const auto& known : kinds::all_kinds()) {
        if (known.game == game) kind = known.name;
    }
    return "a program that reads and writes as a handout says speaks no protocol: where it is one, "
           "expected its kind in the rubric, \"build\": {\"kind\": \"" +
           kind + "\"}; or --bot " + kind + ":FILE, or collect --kind " + kind;
}

}  // namespace referee::grading
