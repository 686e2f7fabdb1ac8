#include "referee/grading/run/grade_files.h"

#include <filesystem>
#include <fstream>

#include "referee/grading/feedback/reports.h"
#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

struct File {
    std::string path;
    std::string text;
};

std::string write_all(const std::vector<File>& files) {
    for (const auto& [path, text] : files) {
        if (const auto written = report::write_file(path, text); !written) return written.error();
    }
    return {};
}

}  // namespace

std::string write_grade(const std::string& folder, const verdict::Grade& grade) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return folder + ": " + error.message();
    return write_all({{folder + "/grade.json", json_of(grade, For::instructor)},
                      {folder + "/report.txt", text_of(grade, For::instructor)},
                      {folder + "/feedback.md", markdown_of(grade)},
                      {folder + "/feedback.html", html_of(grade)}});
}

std::string write_class(const std::string& folder, const std::vector<verdict::Grade>& grades) {
    return write_all({{folder + "/grades.csv", class_csv_of(grades)},
                      {folder + "/grades.json", class_json_of(grades)},
                      {folder + "/grades.txt", class_text_of(grades)}});
}

void remove_extra(const ExtraFiles& files) {
    std::error_code ignored;
    for (const auto& file : {files.junit, files.gradescope}) {
        if (!file.empty() && std::filesystem::is_regular_file(file, ignored))
            std::filesystem::remove(file, ignored);
    }
}

std::string write_extra(const ExtraFiles& files, const std::vector<verdict::Grade>& grades) {
    std::vector<File> written;
    if (!files.junit.empty()) written.push_back({files.junit, junit_of(grades)});
    if (!files.gradescope.empty() && !grades.empty())
        written.push_back({files.gradescope, gradescope_of(grades.front())});
    if (auto trouble = write_all(written); !trouble.empty()) return trouble;
    if (files.step_summary.empty()) return {};
    std::ofstream summary(files.step_summary, std::ios::app);
    for (const auto& grade : grades) summary << markdown_of(grade) << '\n';
    summary.close();
    return summary ? std::string() : files.step_summary + ": can't be written";
}

}  // namespace referee::grading
