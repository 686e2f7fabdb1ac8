#include "referee/submit/exports/read_export.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <regex>

#include "protocol/base/find.h"
#include "protocol/base/text.h"

namespace referee::exports {
namespace {

constexpr int seconds_a_minute = 60;
constexpr int seconds_an_hour = 3600;
constexpr int hour_most = 23;
constexpr int minute_most = 59;
// Beyond any moment that somebody writes; a longer text isn't looked at.
constexpr std::size_t moment_bytes_max = 100;

constexpr std::string_view metadata_file = "submission_metadata.yml";
constexpr std::string_view blanks = " \t\r";

struct Line {
    std::size_t depth = 0;  // blanks before it, the dash of a list among them
    bool is_element = false;
    std::string key;  // without the colon that Ruby puts before it
    std::string value;
};

std::string unquoted(std::string_view text) {
    text = base::trimmed(text, blanks);
    if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') ||
        text.back() != text.front())
        return std::string(text);
    const char quote = text.front();
    text = text.substr(1, text.size() - 2);
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool doubled = quote == '\'' && text[i] == '\'' && i + 1 < text.size();
        const bool escaped = quote == '"' && text[i] == '\\' && i + 1 < text.size();
        if (doubled || escaped) ++i;
        plain += text[i];
    }
    return plain;
}

Line line_of(std::string_view text) {
    Line line;
    while (!text.empty() && (text.front() == ' ' || text.front() == '-')) {
        line.is_element = line.is_element || text.front() == '-';
        text.remove_prefix(1);
        ++line.depth;
    }
    if (text.starts_with(':')) text.remove_prefix(1);
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return line;
    line.key = unquoted(text.substr(0, colon));
    line.value = unquoted(text.substr(colon + 1));
    return line;
}

struct Metadata {
    std::vector<Submitter> submitters;
    std::optional<std::int64_t> created_s;  // since 1970
};

class MetadataReader {
 public:
    void take(const Line& line) {
        if (line.key.empty()) return;
        if (line.depth == 0) {
            now_ = line.key.starts_with("submission_") ? &all_[line.key] : nullptr;
            member_depth_ = 0;
            in_submitters_ = false;
            return;
        }
        if (now_ == nullptr) return;
        if (member_depth_ == 0) member_depth_ = line.depth;
        if (line.depth <= member_depth_ && !line.is_element) {
            in_submitters_ = line.key == "submitters";
            if (line.key == "created_at") now_->created_s = zoned_moment_in(line.value);
            return;
        }
        if (in_submitters_) take_submitter(line);
    }
    std::map<std::string, Metadata> all() { return std::move(all_); }

 private:
    void take_submitter(const Line& line) {
        if (line.is_element) now_->submitters.emplace_back();
        if (now_->submitters.empty()) return;
        auto& submitter = now_->submitters.back();
        if (line.key == "name") submitter.name = line.value;
        if (line.key == "sid") submitter.id = line.value;
        if (line.key == "email") submitter.email = line.value;
    }

    std::map<std::string, Metadata> all_;
    Metadata* now_ = nullptr;
    std::size_t member_depth_ = 0;
    bool in_submitters_ = false;
};

// A folder that holds all of an export, such as the one that was packed.
std::string folder_above_all(std::span<const ExportedFile> files) {
    std::string_view above;
    bool has_folder_below = false;
    for (const auto& file : files) {
        const auto slash = file.path.find('/');
        if (slash == std::string::npos) return {};
        const auto folder = std::string_view(file.path).substr(0, slash + 1);
        if (above.empty()) above = folder;
        if (folder != above) return {};
        has_folder_below = has_folder_below || file.path.find('/', slash + 1) != std::string::npos;
    }
    return has_folder_below ? std::string(above) : std::string();
}

// What is known of a submission while its files come.
struct Draft {
    struct File {
        NamedFile named;
        std::size_t place = 0;
        std::optional<std::int64_t> changed_s;
        unsigned version = 1;
    };
    Submission submission;
    std::vector<File> files;
    std::map<unsigned, ExportVersion> versions;
};

// Canvas adds numbers to names when somebody hands in again. A student's own level-1.c and
// level-2.c look the same: where there are several of one name that are no archives, and no level.c
// beside them, they are taken for names.
void number_versions(std::vector<Draft::File>& files) {
    std::map<std::string, std::size_t> count;
    for (const auto& file : files) {
        ++count[file.named.path];
        if (const auto versioned = versioned_name(file.named.path)) ++count[versioned->path];
    }
    const auto all = files;
    const auto has = [&all](const std::string& path) {
        return base::contains(all, path, [](const auto& other) { return other.named.path; });
    };
    for (auto& file : files) {
        const auto versioned = versioned_name(file.named.path);
        if (!versioned) continue;
        if (!is_archive_name(file.named.path) && count[versioned->path] > 1 &&
            !has(versioned->path))
            continue;
        file.version = versioned->version;
        file.named.path = versioned->path;
    }
}

void sort_into_versions(Draft& draft, Shape shape) {
    // Gradescope and GitHub give all files of an export the time of the export.
    const bool has_times = shape != Shape::gradescope && shape != Shape::classroom;
    for (const auto& file : draft.files) {
        auto& version = draft.versions[file.version];
        version.number = file.version;
        version.late = version.late || file.named.late;
        version.files.push_back({file.place, file.named.path});
        if (has_times && file.changed_s)
            version.at_s = std::max(version.at_s.value_or(*file.changed_s), *file.changed_s);
    }
    // A file that was not handed in again belongs to the later versions too.
    for (auto version = draft.versions.begin(); version != draft.versions.end(); ++version) {
        const auto next = std::next(version);
        if (next == draft.versions.end()) break;
        for (const auto& file : version->second.files) {
            auto& newer = next->second.files;
            if (!base::contains(newer, file.path, &SubmittedFile::path)) newer.push_back(file);
        }
    }
}

// By the submissions' folders: "submission_12345678". Only what is asked for here is read of the
// file, and what can't be understood is passed over.
std::map<std::string, Metadata> read_metadata(std::string_view text) {
    MetadataReader reader;
    while (!text.empty()) {
        const auto line = base::next_line(text);
        if (!line.starts_with("---")) reader.take(line_of(line));
    }
    return reader.all();
}

}  // namespace

std::optional<std::int64_t> zoned_moment_in(std::string_view text) {
    using namespace std::chrono;
    static const std::regex form(
        "([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(?:[.][0-9]*)?"
        " *(?:[Zz]|([+-])([0-9]{2}):?([0-9]{2}))");
    std::cmatch parts;
    if (text.size() > moment_bytes_max ||
        !std::regex_match(text.data(), text.data() + text.size(), parts, form))
        return std::nullopt;
    const auto number = [&parts](std::size_t part) {  // what isn't there is 0
        return base::whole_number<int>(parts[part].str()).value_or(0);
    };
    const year_month_day date(year{number(1)}, month{static_cast<unsigned>(number(2))},
                              day{static_cast<unsigned>(number(3))});
    const bool fits = date.ok() && number(4) <= hour_most && number(5) <= minute_most &&
                      number(6) <= minute_most && number(8) <= hour_most &&
                      number(9) <= minute_most;
    if (!fits) return std::nullopt;
    const int zone = number(8) * seconds_an_hour + number(9) * seconds_a_minute;
    return duration_cast<seconds>(sys_days(date).time_since_epoch()).count() +
           number(4) * seconds_an_hour + number(5) * seconds_a_minute + number(6) -
           (parts[7] == "-" ? -zone : zone);
}

std::string utc_text(std::int64_t seconds_since) {
    using namespace std::chrono;
    const sys_seconds moment{seconds(seconds_since)};
    const auto day = floor<days>(moment);
    const year_month_day date(day);
    const hh_mm_ss time(moment - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int{date.year()},
                       unsigned{date.month()}, unsigned{date.day()}, time.hours().count(),
                       time.minutes().count(), time.seconds().count());
}

base::Result<Deadline, std::string> deadline_in(std::string_view text) {
    const auto sign = text.find('=');
    Deadline deadline;
    if (sign != std::string_view::npos) deadline.name = text.substr(0, sign);
    const auto moment =
        zoned_moment_in(sign == std::string_view::npos ? text : text.substr(sign + 1));
    if (!moment || sign == 0)
        return base::failure(
            "expected a moment with its zone, such as 2026-05-01T23:59+02:00, or a name and a "
            "moment, such as challenge-1=2026-05-01T23:59+02:00, found " +
            std::string(text));
    deadline.at_s = *moment;
    return deadline;
}

std::int64_t late_by(std::int64_t moment_s, const Deadline& deadline, std::int64_t grace_s) {
    const auto late_s = moment_s - deadline.at_s;
    return late_s > grace_s ? late_s : 0;
}

bool is_metadata(std::string_view path) {
    return path == metadata_file ||
           (path.ends_with(metadata_file) && path[path.size() - metadata_file.size() - 1] == '/');
}

Export read_export(Shape shape, std::span<const ExportedFile> files, std::string_view metadata) {
    Export result;
    const auto above = folder_above_all(files);
    const bool by_folder = shape == Shape::classroom || shape == Shape::plain;
    std::map<std::string, Draft> drafts;
    for (std::size_t place = 0; place < files.size(); ++place) {
        const auto& file = files[place];
        if (is_metadata(file.path)) continue;
        const auto named = named_by(shape, file.path, above);
        if (!named || named->is_text) {
            result.left_over.push_back(file.path);
            continue;
        }
        auto& draft = drafts[named->key];
        if (draft.files.empty()) {
            draft.submission.key = named->key;
            draft.submission.key_names_student = by_folder;
            if (!by_folder && shape != Shape::gradescope)
                draft.submission.submitters.push_back(
                    {named->student, shape == Shape::canvas ? named->id : std::string(), {}});
        }
        draft.files.push_back({*named, place, file.changed_s});
    }
    const auto all_metadata = read_metadata(metadata);
    if (shape == Shape::gradescope && all_metadata.empty())
        result.remarks.emplace_back(
            "submission_metadata.yml tells nothing: nobody knows whose these submissions are");
    for (auto& [key, draft] : drafts) {
        if (shape == Shape::canvas) number_versions(draft.files);
        sort_into_versions(draft, shape);
        if (const auto* found = base::find_in(all_metadata, key)) {
            draft.submission.submitters = found->submitters;
            for (auto& [number, version] : draft.versions) version.at_s = found->created_s;
        }
        for (auto& [number, version] : draft.versions)
            draft.submission.versions.push_back(std::move(version));
        result.submissions.push_back(std::move(draft.submission));
    }
    return result;
}

}  // namespace referee::exports
