#include "referee/submit/exports/gradescope_metadata.h"

#include <algorithm>

#include "referee/submit/exports/deadline.h"

namespace referee::exports {
namespace {

constexpr std::string_view metadata_file = "submission_metadata.yml";
constexpr std::string_view blanks = " \t\r";

struct Line {
    std::size_t depth = 0;  // blanks before it, the dash of a list among them
    bool is_element = false;
    std::string key;  // without the colon that Ruby puts before it
    std::string value;
};

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string unquoted(std::string_view text) {
    text = trimmed(text);
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
            if (line.key == "created_at") now_->created_s = moment_in(line.value);
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

}  // namespace

bool is_metadata(std::string_view path) {
    return path == metadata_file ||
           (path.ends_with(metadata_file) && path[path.size() - metadata_file.size() - 1] == '/');
}

std::map<std::string, Metadata> read_metadata(std::string_view text) {
    MetadataReader reader;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        if (!line.starts_with("---")) reader.take(line_of(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.all();
}

}  // namespace referee::exports
