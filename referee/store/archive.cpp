#include "referee/store/archive.h"

#include <filesystem>
#include <istream>
#include <ostream>

#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/store/committer.h"
#include "referee/store/records/record_line.h"
#include "referee/store/schema.h"
#include "referee/store/store_files.h"

namespace referee::store {
namespace {

namespace json = protocol::json;

constexpr std::string_view format = "referee";
constexpr std::int64_t archive_version = 2;

}  // namespace

ArchiveWriter::ArchiveWriter(std::ostream& out, const std::string& origin)
    : out_(out), tip_(root_of(origin)) {
    json::Writer writer(text_);
    writer.begin_object()
        .member("archive", format)
        .member("version", archive_version)
        .member("schema", schema_version)
        .member("origin", origin)
        .end_object();
    put(text_);
}

void ArchiveWriter::write(const StoredRecord& stored) {
    tip_ = hasher_.next_tip(tip_, stored.seq, stored.time_ms, hasher_.digest(stored.record));
    text_.clear();
    json::Writer writer(text_);
    writer.begin_object()
        .member("seq", stored.seq)
        .member("time_ms", stored.time_ms)
        .member("link", base::hex_of(tip_.link));
    records::write_members(writer, stored.record);
    writer.end_object();
    put(text_);
    ++records_;
}

void ArchiveWriter::end() {
    text_.clear();
    json::Writer writer(text_);
    writer.begin_object()
        .member("end", true)
        .member("records", records_)
        .member("sha256", base::hex_of(bytes_.finish()))
        .end_object();
    out_ << text_ << '\n' << std::flush;
}

void ArchiveWriter::put(const std::string& text) {
    bytes_.add(text);
    bytes_.add("\n");
    out_ << text << '\n';
}

StoreFailure ArchiveReader::wrong_line(const std::string& what) const {
    return {StoreTrouble::bad_archive, fmt::format("{}:{}: {}", name_, number_, what)};
}

void ArchiveReader::line(const char* expected) {
    ++number_;
    if (!std::getline(in_, text_) || in_.eof())
        throw wrong_line("expected " + std::string(expected));
    if (const auto parsed = document_.parse(text_); !parsed)
        throw wrong_line(parsed.error().message);
}

ArchiveReader::ArchiveReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
    line("a first line {\"archive\":\"referee\",\"version\":2,...}");
    const auto root = document_.root();
    if (root.find("archive").string() != format)
        throw wrong_line("archive: expected \"referee\": this is no archive of the referee's");
    for (const auto& [version, expected] :
         {std::pair("version", archive_version), std::pair("schema", std::int64_t{schema_version})})
        if (root.find(version).integer() != expected)
            throw wrong_line(fmt::format(
                "{}: expected {}; the referee that wrote it, which is of another version, can read "
                "it",
                version, expected));
    const auto origin = root.find("origin").string();
    if (!origin) throw wrong_line("origin: expected how its chain began, such as \"new\"");
    origin_ = *origin;
    tip_ = root_of(origin_);
    bytes_.add(text_);
    bytes_.add("\n");
}

std::optional<StoredRecord> ArchiveReader::next() {
    line("a record, or a last line {\"end\":true,...}: the archive is cut short");
    const auto root = document_.root();
    if (root.find("end")) {
        end();
        return std::nullopt;
    }
    bytes_.add(text_);
    bytes_.add("\n");
    const auto seq = root.find("seq").unsigned_integer();
    if (!seq || *seq <= tip_.seq || *seq > INT64_MAX)
        throw wrong_line("seq: expected a whole number above " + std::to_string(tip_.seq));
    const auto time_ms = root.find("time_ms").integer();
    if (!time_ms) throw wrong_line("time_ms: expected a whole number, the milliseconds since 1970");
    auto read = records::read_record(root);
    if (!read) throw wrong_line(read.error().message);
    tip_ = hasher_.next_tip(tip_, *seq, *time_ms, hasher_.digest(*read));
    if (base::digest_in(root.find("link").text()) != tip_.link)
        throw wrong_line("link: expected " + base::hex_of(tip_.link) +
                         ", which follows from this record and those before it: it is not as it "
                         "was written, or one before it is missing; take another copy of the "
                         "archive");
    ++records_;
    return StoredRecord{*seq, *time_ms, *std::move(read)};
}

void ArchiveReader::end() {
    const auto root = document_.root();
    if (root.find("end").boolean() != true || root.find("records").unsigned_integer() != records_)
        throw wrong_line(fmt::format(
            "records: expected {}, the number of lines before: some are missing", records_));
    if (const auto digest = base::hex_of(bytes_.finish()); root.find("sha256").string() != digest)
        throw wrong_line("sha256: expected " + digest +
                         ", of all bytes before this line: the archive is not as it was written; "
                         "take another copy of it");
    if (!std::getline(in_, text_)) return;
    ++number_;
    throw wrong_line("expected nothing behind the end");
}

Archived export_archive(StoreReader& store, std::ostream& out) {
    auto origin = store.origin();
    if (!origin) return base::failure(std::move(origin.error()));
    ArchiveWriter writer(out, *origin);
    auto told = store.history([&writer](const StoredRecord& stored) { writer.write(stored); },
                              StoreReader::Replays::read);
    if (!told) return base::failure(std::move(told.error()));
    writer.end();
    return writer.records();
}

base::Result<ProvenArchive, StoreError> export_proven(const std::string& path, std::ostream& out) {
    return result_of(path, [&] {
        const auto head = HeadFile::read(path);
        auto opened = open_damaged(path);
        auto& database = opened.database;
        database.execute("BEGIN");
        ProvenArchive archive;
        // First it is found out whether all is there: the archive's first line tells it.
        const auto last_told = head && *head ? (*head)->seq : 0;
        archive.left_out = read_proven(
            database, last_told, [&archive](const StoredRecord& /*record*/) { ++archive.records; });
        if (!head) archive.left_out.push_back("behind the last record: " + head.error().message);
        const auto origin = archive.left_out.empty() ? origin_of(database)
                                                     : "what was proven of a damaged store: " +
                                                           base::counted(archive.records, "record");
        ArchiveWriter writer(out, origin);
        read_proven(database, last_told,
                    [&writer](const StoredRecord& stored) { writer.write(stored); });
        writer.end();
        database.roll_back();
        opened.check_rest();
        return archive;
    });
}

Archived import_archive(std::istream& in, const std::string& name, const std::string& path) {
    return result_of(path, [&] {
        check_new(path);
        ArchiveReader reader(in, name);
        const auto folder = std::filesystem::absolute(path).parent_path();
        if (const auto made = files::make_folder(folder); !made)
            throw StoreFailure(StoreTrouble::io, made.error());
        const auto lock = StoreLock::take(path);
        if (!lock) throw StoreFailure(lock.error().trouble, lock.error().message);
        check_alone(path);
        const PartFile part(path);
        const auto duplicate = [&reader](const records::Record& record) {
            return reader.wrong_line("expected a new record, found the " +
                                     records::identity(record) + " a second time");
        };
        part.finish(make_store(
            part, reader.origin(), [&reader] { return reader.next(); }, duplicate));
        return reader.records();
    });
}

}  // namespace referee::store
