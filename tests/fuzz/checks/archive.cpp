// Archives: one that is imported gives a store with just the records of its lines; one that is
// refused leaves nothing behind.

#include <filesystem>
#include <sstream>

#include "protocol/base/utf8.h"
#include "referee/store/archive.h"
#include "referee/store/records/record_line.h"
#include "tests/folder_of_test.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

// The record with its number and time, as an export writes it.
std::string line_of(const referee::records::Record& record, std::int64_t seq,
                    std::int64_t time_ms) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("seq", seq).member("time_ms", time_ms);
    referee::records::write_members(writer, record);
    writer.end_object();
    return text;
}

// The line as an export would write it; nothing where it holds no record.
std::string as_exported(const std::string& line) {
    json::Document document;
    if (!document.parse(line)) return {};
    const auto root = document.root();
    const auto record = referee::records::read_record(root);
    if (!record) return {};
    return line_of(*record, root.find("seq").integer().value_or(0),
                   root.find("time_ms").integer().value_or(0));
}

std::string archive_of(const std::string& records) {
    std::ostringstream out;
    referee::store::ArchiveWriter archive(out, "new");
    std::istringstream in(records);
    std::int64_t time_ms = 0;
    for (std::string line; std::getline(in, line);) {
        auto record = referee::records::read_record(std::string_view(line));
        if (!record) continue;
        ++time_ms;
        archive.write({static_cast<std::uint64_t>(time_ms), time_ms, *std::move(record)});
    }
    archive.end();
    return out.str();
}

// The lines of records: all but the first and the last.
std::vector<std::string> records_of(const std::string& archive) {
    std::istringstream in(archive);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (lines.size() < 2) return {};
    return {lines.begin() + 1, lines.end() - 1};
}

// The link of the chain follows from what stands beside it.
std::string without_link(std::string line) {
    const std::string member = "\"link\":\"";
    const auto begin = line.find(member);
    const auto end = begin == std::string::npos ? begin : line.find("\",", begin + member.size());
    if (end != std::string::npos) line.erase(begin, end + 2 - begin);
    return line;
}

Complaint check_exported(const std::string& archive, const std::string& path, std::uint64_t count) {
    auto store = referee::store::StoreReader::open(path);
    if (!store) return "the new store can't be read: " + store.error().message;
    std::ostringstream out;
    const auto told = referee::store::export_archive(*store, out);
    if (!told) return "the new store can't be exported: " + told.error().message;
    const auto given = records_of(archive);
    const auto exported = records_of(out.str());
    if (*told != count || given.size() != count || exported.size() != count)
        return std::to_string(given.size()) + " records became " + std::to_string(exported.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (as_exported(without_link(given[i])) != without_link(exported[i]))
            return "another record: " + given[i] + "\nbecame " + exported[i];
    }
    return {};
}

}  // namespace

Complaint check_archive(std::string_view bytes) {
    const tests::FolderOfTest folder;
    const auto store = folder.at("a.store");
    std::string archive(bytes);
    if (!bytes.starts_with("{\"archive\"")) archive = archive_of(archive);
    std::istringstream in(archive);
    const auto imported = referee::store::import_archive(in, "a", store);
    if (imported) return check_exported(archive, store, *imported);
    const auto& message = imported.error().message;
    if (!message.starts_with("a:") || !base::is_utf8(message)) return "no place: " + message;
    const fs::directory_iterator left(folder.path);
    return std::distance(begin(left), end(left)) <= 1 && !fs::exists(store)
               ? ""
               : "something stays behind";
}

}  // namespace fuzz
