#include "referee/grading/run/tries.h"

#include <filesystem>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/named_file.h"
#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

constexpr std::size_t bytes_max = 16 * 1024 * 1024;
constexpr std::int64_t tries_most = 10'000;

}  // namespace

std::string Tries::read() {
    std::error_code ignored;
    if (!std::filesystem::exists(file_, ignored)) return {};
    const auto text = files::read_named_file(file_, bytes_max);
    if (!text) return file_ + " " + text.error();
    protocol::json::Document document;
    if (!document.parse(*text)) return file_ + ": is no JSON";
    for (const auto [series, count] : document.root().members()) {
        const auto number = count.integer();
        if (!number || *number < 0 || *number > tries_most)
            return file_ + ": expected a number of tries for each series";
        counts_[std::string(series)] = static_cast<unsigned>(*number);
    }
    return {};
}

std::string Tries::write() const {
    if (!changed_) return {};
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object();
    for (const auto& [series, count] : counts_) writer.member(series, std::uint64_t{count});
    writer.end_object();
    const auto written = report::write_file(file_, text + "\n");
    return written ? std::string() : written.error();
}

}  // namespace referee::grading
