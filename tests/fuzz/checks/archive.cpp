// Archives: one that is imported gives a store with just the records of its lines; one that is
// refused leaves nothing behind.

#include <filesystem>
#include <optional>
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

// The archive that an export writes of a store with the records of this one.
std::string exported_again(const std::string& archive) {
    std::istringstream in(archive);
    std::ostringstream out;
    std::optional<referee::store::ArchiveWriter> writer;
    json::Document document;
    for (std::string line; std::getline(in, line) && document.parse(line);) {
        const auto root = document.root();
        if (!writer) {
            writer.emplace(out, std::string(root.find("origin").text()));
        } else if (auto record = referee::records::read_record(root)) {
            writer->write({root.find("seq").unsigned_integer().value_or(0),
                           root.find("time_ms").integer().value_or(0), *std::move(record)});
        }
    }
    if (writer) writer->end();
    return out.str();
}

Complaint check_exported(const std::string& archive, const std::string& path, std::uint64_t count) {
    auto store = referee::store::StoreReader::open(path);
    if (!store) return "the new store can't be read: " + store.error().message;
    std::ostringstream out;
    const auto told = referee::store::export_archive(*store, out);
    if (!told) return "the new store can't be exported: " + told.error().message;
    if (*told != count) return std::to_string(count) + " records became " + std::to_string(*told);
    const auto expected = exported_again(archive);
    return out.str() == expected ? "" : "another archive: " + expected + "\nbecame " + out.str();
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
