#include "referee/grading/run/tool_records.h"

#include <filesystem>
#include <fstream>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/named_file.h"

namespace referee::grading {
namespace {

namespace json = protocol::json;

// A thousand inputs in many versions of a rubric, each with the end of a standard error.
constexpr std::size_t file_bytes_max = std::size_t{256} * 1024 * 1024;

std::string string_in(json::View value) {
    return std::string(value.string().value_or(""));
}

}  // namespace

std::string ToolRecords::read() {
    std::error_code ignored;
    if (!std::filesystem::exists(file_, ignored)) return {};
    const auto text = files::read_named_file(file_, file_bytes_max);
    if (!text) return file_ + " " + text.error();
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        cut_off_ = end == std::string_view::npos;
        if (cut_off_) break;
        json::Document line;
        if (line.parse(std::string(rest.substr(0, end))) && line.root().is_object()) {
            const auto root = line.root();
            known_[string_in(root.find("key"))] = {
                {string_in(root.find("input")), root.find("right").boolean().value_or(false),
                 string_in(root.find("reason")), string_in(root.find("standard_error"))},
                string_in(root.find("sandbox"))};
        }
        rest.remove_prefix(end + 1);
    }
    return {};
}

const ToolRecords::Record* ToolRecords::find(const std::string& key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
}

std::string ToolRecords::add(const std::string& key, Record record) {
    std::string line = cut_off_ ? "\n" : "";
    json::Writer writer(line);
    writer.begin_object()
        .member("key", key)
        .member("input", record.run.input)
        .member("right", record.run.right)
        .member("reason", record.run.reason)
        .member("standard_error", record.run.printed)
        .member("sandbox", record.sandbox)
        .end_object();
    line += '\n';
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), ignored);
    std::ofstream file(file_, std::ios::app | std::ios::binary);
    file << line << std::flush;
    if (!file) return file_ + " can't be written";
    cut_off_ = false;
    known_[key] = std::move(record);
    return {};
}

}  // namespace referee::grading
