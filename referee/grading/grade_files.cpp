#include "referee/grading/grade_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/grading/feedback/grade_reports.h"

namespace referee::grading {

namespace fs = std::filesystem;

std::string folder_of_rubric(const std::string& file) {
    return fs::absolute(file).parent_path().string();
}

base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file) {
    const auto text = files::read_named_file(file, rubric::rubric_bytes_max);
    if (!text)
        return base::failure(std::vector{file + ' ' + text.error() +
                                         "; expected a rubric such as configs/rubrics/walls.json"});
    auto rubric = rubric::read_rubric(*text, folder_of_rubric(file));
    if (rubric) return *std::move(rubric);
    std::vector<std::string> mistakes;
    for (const auto& mistake : rubric.error())
        mistakes.push_back(fmt::format("{}:{}: {}{}", file, mistake.line,
                                       mistake.path.empty() ? "" : mistake.path + ": ",
                                       mistake.message));
    return base::failure(std::move(mistakes));
}

namespace {

// By path.
std::string write_all(const std::vector<std::pair<std::string, std::string>>& texts) {
    for (const auto& [path, text] : texts) {
        if (const auto written = files::write_file(path, text); !written) return written.error();
    }
    return {};
}

constexpr mode_t lock_mode = 0600;
constexpr std::size_t standings_bytes_max = 64 * 1024 * 1024;
constexpr std::size_t tries_file_bytes_max = 16 * 1024 * 1024;
constexpr std::int64_t tries_most = 10'000;

}  // namespace

std::string write_grade(const std::string& folder, const verdict::Grade& grade) {
    if (auto made = files::make_folder(folder); !made) return std::move(made.error());
    return write_all({{folder + "/grade.json", feedback::json_of(grade, feedback::For::instructor)},
                      {folder + "/report.txt", feedback::text_of(grade, feedback::For::instructor)},
                      {folder + "/feedback.md", feedback::markdown_of(grade)},
                      {folder + "/feedback.html", feedback::html_of(grade)}});
}

std::string write_class(const std::string& folder, const std::vector<verdict::Grade>& grades) {
    return write_all({{folder + "/grades.csv", feedback::class_csv_of(grades)},
                      {folder + "/grades.json", feedback::class_json_of(grades)},
                      {folder + "/grades.txt",
                       feedback::class_text_of(grades) + feedback::class_reasons_of(grades)}});
}

void remove_extra(const ExtraFiles& files) {
    std::error_code ignored;
    for (const auto& file : {files.junit, files.gradescope}) {
        if (files::is_regular_file(file)) fs::remove(file, ignored);
    }
}

std::string write_extra(const ExtraFiles& files, const std::vector<verdict::Grade>& grades) {
    std::vector<std::pair<std::string, std::string>> texts;
    if (!files.junit.empty()) texts.emplace_back(files.junit, feedback::junit_of(grades));
    if (!files.gradescope.empty() && !grades.empty())
        texts.emplace_back(files.gradescope, feedback::gradescope_of(grades.front()));
    if (auto trouble = write_all(texts); !trouble.empty()) return trouble;
    if (files.step_summary.empty()) return {};
    std::ofstream summary(files.step_summary, std::ios::app);
    for (const auto& grade : grades) summary << feedback::markdown_of(grade) << '\n';
    summary.close();
    return summary ? std::string() : files.step_summary + ": can't be written";
}

std::string mistake_in_folder(const std::string& out, const std::vector<std::string>& folders) {
    auto place = out;
    while (place.size() > 1 && place.ends_with('/')) place.pop_back();
    std::error_code ignored;
    for (const auto& path : {place, place + "/games"}) {
        if (fs::is_symlink(fs::symlink_status(path, ignored)))
            return "--out: " + path +
                   " is a symbolic link; expected a folder that is there or is made, such as "
                   "--out grades";
    }
    for (const auto& folder : folders) {
        if (files::lies_in(files::real_path(place), files::real_path(folder)))
            return "--out: " + out + " lies in " + folder +
                   ", whose files are the students': grades and games that lie there could be "
                   "theirs, and a program could read them; expected a folder elsewhere, such as "
                   "--out grades";
    }
    return {};
}

base::Result<files::Descriptor, std::string> take_folder(const std::string& out) {
    if (auto made = files::make_folder(out + "/games"); !made)
        return base::failure(std::move(made.error()));
    const auto name = out + "/grading.lock";
    auto lock = files::take_lock(name, lock_mode);
    if (lock) return *std::move(lock);
    if (lock.error().holder.empty())
        return base::failure(name +
                             " can't be made or locked: " + std::strerror(lock.error().error));
    return base::failure(out + " is in use by " + lock.error().holder +
                         ", which grades into it: wait for its end, or name another --out; "
                         "nothing was written");
}

base::Result<std::optional<verdict::TournamentPlaces>, std::string> read_places(
    const std::string& file) {
    std::optional<verdict::TournamentPlaces> places;
    if (file.empty()) return places;
    const std::string expected = "expected a tournament's standings.json, as a run writes it";
    protocol::json::Document document;
    const auto read = files::read_named_json(file, standings_bytes_max, expected, document);
    if (!read) return base::failure("--standings: " + read.error());
    const auto rows = document.root().find("bots");
    if (rows.size() == 0) return base::failure("--standings: " + file + ": " + expected);
    auto& [open, by, placed] = places.emplace();
    open = document.root().find("finished").boolean() == false;
    by = document.root().find("tie_breaks").at(0).text();
    for (const auto row : rows.elements()) {
        const auto name = row.find("name").string();
        if (row.find("house").boolean().value_or(false)) continue;
        const auto rank = row.find("rank").integer();
        if (!name || !rank || *rank < 1)
            return base::failure("--standings: " + file +
                                 ": expected a \"name\" and a \"rank\" in each row");
        const auto figure = row.find(by);
        placed.push_back({static_cast<std::size_t>(*rank), std::string(*name),
                          figure.number() ? figure.json_text() : std::string()});
    }
    std::ranges::stable_sort(placed, {}, &verdict::Placed::place);
    return places;
}

base::Result<Tries, std::string> read_tries(const std::string& file) {
    Tries tries;
    if (!files::is_there(file)) return tries;
    protocol::json::Document document;
    const auto read = files::read_named_json(file, tries_file_bytes_max, "is no JSON", document);
    if (!read) return base::failure(read.error());
    for (const auto [series, count] : document.root().members()) {
        const auto number = count.integer();
        if (!number || *number < 0 || *number > tries_most)
            return base::failure(file + ": expected a number of tries for each series");
        tries[std::string(series)] = static_cast<unsigned>(*number);
    }
    return tries;
}

std::string write_tries(const std::string& file, const Tries& tries) {
    if (tries.empty()) return {};
    const auto text = protocol::json::object_text([&tries](auto& writer) {
        for (const auto& [series, count] : tries) writer.member(series, std::uint64_t{count});
    });
    const auto written = files::write_file(file, text + "\n");
    return written ? std::string() : written.error();
}

}  // namespace referee::grading
