#include <algorithm>

#include "protocol/base/text.h"
#include "referee/submit/exports/read_export.h"

namespace referee::exports {
namespace {

constexpr std::string_view moodle_word = "_assignsubmission_";
constexpr std::string_view gradescope_word = "submission_";
constexpr std::string_view canvas_late = "LATE";
// Versions that somebody hands in; a larger number is a part of the file's name, such as a year.
constexpr unsigned version_most = 999;

bool is_number(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, base::is_digit);
}

// Takes the part up to the next `_`; the rest stays.
std::optional<std::string_view> part_of(std::string_view& rest) {
    const auto end = rest.find('_');
    if (end == std::string_view::npos) return std::nullopt;
    const auto part = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return part;
}

// The assignment's name that GitHub Classroom puts before each login is the same for all.
bool begin_alike(std::span<const std::string> paths) {
    std::string first;
    std::string_view common;
    std::size_t folders = 0;
    std::string_view last;
    for (const auto& path : paths) {
        const auto slash = path.find('/');
        if (slash == std::string::npos) return false;
        const auto folder = std::string_view(path).substr(0, slash);
        if (folder == last) continue;
        last = folder;
        if (++folders == 1) {
            common = folder;
            continue;
        }
        const auto end = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
        common = common.substr(0, static_cast<std::size_t>(end.first - common.begin()));
    }
    return folders > 1 && common.find('-') != std::string_view::npos;
}

// "Ann Lee_1234567_assignsubmission_file_/bot.zip", also without the folder:
// "Ann Lee_1234567_assignsubmission_file_bot.zip".
std::optional<NamedFile> moodle_name(std::string_view path) {
    const auto word = path.find(moodle_word);  // what follows is named by the student
    if (word == std::string_view::npos) return std::nullopt;
    // Folders of groups may stand above.
    const auto begin = path.substr(0, word).rfind('/') + 1;
    const auto who = path.substr(begin, word - begin);
    const auto line = who.rfind('_');
    if (line == std::string_view::npos || line == 0 || !is_number(who.substr(line + 1)))
        return std::nullopt;
    NamedFile file;
    file.student = who.substr(0, line);
    file.id = who.substr(line + 1);
    file.key = who;
    auto rest = path.substr(word + moodle_word.size());
    file.is_text = rest.starts_with("onlinetext");
    const auto end = rest.find_first_of("_/");
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of("_"), rest.size()));
    if (rest.starts_with('/')) rest.remove_prefix(1);
    if (rest.empty()) return std::nullopt;
    file.path = rest;
    return file;
}

// "leeann_LATE_12345_678901_bot-2.zip".
std::optional<NamedFile> canvas_name(std::string_view path) {
    auto rest = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
    NamedFile file;
    const auto student = part_of(rest);
    if (!student || student->empty()) return std::nullopt;
    auto id = part_of(rest);
    if (id && *id == canvas_late) {
        file.late = true;
        id = part_of(rest);
    }
    const auto submission = part_of(rest);
    if (!id || !submission || !is_number(*id) || !is_number(*submission) || rest.empty())
        return std::nullopt;
    file.student = *student;
    file.id = *id;
    file.key = file.id;
    file.path = rest;
    return file;
}

// "assignment_99_export/submission_12345678/bot.py", with or without folders before it.
std::optional<NamedFile> gradescope_name(std::string_view path) {
    std::size_t begin = 0;
    while (true) {
        const auto slash = path.find('/', begin);
        if (slash == std::string_view::npos) return std::nullopt;
        const auto folder = path.substr(begin, slash - begin);
        if (folder.starts_with(gradescope_word) &&
            is_number(folder.substr(gradescope_word.size()))) {
            NamedFile file;
            file.key = folder;
            file.id = folder.substr(gradescope_word.size());
            file.path = path.substr(slash + 1);
            return file;
        }
        begin = slash + 1;
    }
}

// "assignment-login/main.c", and "week-1/assignment-login/main.c" where `above` is "week-1/".
std::optional<NamedFile> folder_name(std::string_view path, std::string_view above) {
    if (!path.starts_with(above)) return std::nullopt;
    path.remove_prefix(above.size());
    const auto slash = path.find('/');
    NamedFile file;
    if (slash == std::string_view::npos) {  // an archive for a folder
        file.student = path.substr(0, path.find('.'));
        file.path = path;
    } else {
        file.student = path.substr(0, slash);
        file.path = path.substr(slash + 1);
    }
    if (file.student.empty() || file.path.empty()) return std::nullopt;
    file.key = file.student;
    return file;
}

}  // namespace

std::optional<NamedFile> named_by(Shape shape, std::string_view path, std::string_view above) {
    if (shape == Shape::moodle) return moodle_name(path);
    if (shape == Shape::canvas) return canvas_name(path);
    return shape == Shape::gradescope ? gradescope_name(path) : folder_name(path, above);
}

std::optional<VersionedName> versioned_name(std::string_view path) {
    const auto dot = std::min(path.rfind('.'), path.size());
    const auto dash = path.rfind('-', dot);
    if (dash == std::string_view::npos || dash == 0 || dash > dot) return std::nullopt;
    const auto digits = path.substr(dash + 1, dot - dash - 1);
    const auto number = base::whole_number<unsigned>(digits);
    if (!number || digits.front() == '0' || *number > version_most) return std::nullopt;
    return VersionedName{std::string(path.substr(0, dash)) + std::string(path.substr(dot)),
                         *number + 1};
}

bool is_archive_name(std::string_view name) {
    static constexpr std::array<std::string_view, 11> endings = {
        ".zip",    ".tar", ".tar.gz",  ".tgz", ".tar.bz2", ".tbz2",
        ".tar.xz", ".txz", ".tar.zst", ".7z",  ".rar"};
    const auto text = base::small(std::string(name));
    return std::ranges::any_of(endings, [&text](const auto ending) {
        return text.size() > ending.size() && text.ends_with(ending);
    });
}

Shape shape_in(std::span<const std::string> paths) {
    const auto most_are = [&paths](Shape shape) {
        const auto count = std::ranges::count_if(
            paths, [shape](const auto& path) { return named_by(shape, path, {}).has_value(); });
        return static_cast<std::size_t>(count) * 2 > paths.size();
    };
    if (std::ranges::any_of(paths, is_metadata)) return Shape::gradescope;
    for (const auto shape : {Shape::gradescope, Shape::moodle, Shape::canvas})
        if (most_are(shape)) return shape;
    return begin_alike(paths) ? Shape::classroom : Shape::plain;
}

}  // namespace referee::exports
