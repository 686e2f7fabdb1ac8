#include "referee/grading/rubric_file.h"

#include <filesystem>

#include "referee/files/named_file.h"
#include "referee/grading/rubric/read_rubric.h"
#include "referee/limits.h"

namespace referee::grading {

std::string folder_of_rubric(const std::string& file) {
    return std::filesystem::absolute(file).parent_path().string();
}

base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file) {
    const auto text = files::read_named_file(file, limits::rubric_bytes_max);
    if (!text)
        return base::failure(std::vector{file + ' ' + text.error() +
                                         "; expected a rubric such as configs/rubrics/walls.json"});
    auto rubric = rubric::read_rubric(*text, folder_of_rubric(file));
    if (rubric) return *std::move(rubric);
    std::vector<std::string> mistakes;
    for (const auto& mistake : rubric.error())
        mistakes.push_back(file + ':' + std::to_string(mistake.line) + ": " +
                           (mistake.path.empty() ? "" : mistake.path + ": ") + mistake.message);
    return base::failure(std::move(mistakes));
}

}  // namespace referee::grading
