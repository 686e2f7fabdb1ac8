#include "referee/memory/store/archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <istream>
#include <ostream>

#include "referee/memory/journal/record_line.h"
#include "referee/memory/store/schema.h"
#include "referee/memory/store/store_lock.h"

namespace referee::store {
namespace {

namespace json = protocol::json;

constexpr std::string_view format = "referee";
constexpr std::int64_t archive_version = 1;

void write_header(std::string& out, int schema) {
    json::Writer writer(out);
    writer.begin_object()
        .member("archive", format)
        .member("version", archive_version)
        .member("schema", schema)
        .end_object();
    out += '\n';
}

void write_line(std::string& out, const StoredRecord& stored) {
    json::Writer writer(out);
    writer.begin_object().member("seq", stored.seq).member("time_ms", stored.time_ms);
    journal::write_members(writer, stored.record);
    writer.end_object();
    out += '\n';
}

void write_end(std::string& out, std::uint64_t records) {
    json::Writer writer(out);
    writer.begin_object().member("end", true).member("records", records).end_object();
    out += '\n';
}

// Reads an archive line by line; the first thing that is wrong ends it.
class ArchiveReader {
 public:
    ArchiveReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

    // Nothing on success.
    std::optional<StoreError> header() {
        if (auto wrong = line("a first line {\"archive\":\"referee\",\"version\":1,...}"))
            return wrong;
        const auto root = document_.root();
        if (root.find("archive").string() != format)
            return wrong_line("archive: expected \"referee\": this is no archive of the referee's");
        if (root.find("version").integer() != archive_version)
            return wrong_line("version: expected 1; a newer referee may read it");
        const auto schema = root.find("schema").integer();
        if (!schema || *schema < 1 || *schema > schema_version()) {
            return wrong_line("schema: expected 1 to " + std::to_string(schema_version()) +
                              "; a newer referee may read it");
        }
        return std::nullopt;
    }

    // Fills in the next record; nothing in `record` at the end of the archive.
    std::optional<StoreError> next(std::optional<StoredRecord>& record) {
        record.reset();
        if (auto wrong =
                line("a record, or a last line {\"end\":true,...}: the archive is cut short"))
            return wrong;
        const auto root = document_.root();
        if (root.find("end")) return end(root);
        const auto seq = root.find("seq").integer();
        if (!seq || *seq <= last_seq_)
            return wrong_line("seq: expected a whole number above " + std::to_string(last_seq_));
        const auto time_ms = root.find("time_ms").integer();
        if (!time_ms)
            return wrong_line("time_ms: expected a whole number, the milliseconds since 1970");
        auto read = journal::read_record(root);
        if (const auto* bad = std::get_if<journal::BadRecord>(&read))
            return wrong_line(bad->message);
        last_seq_ = *seq;
        ++records_;
        record = {static_cast<std::uint64_t>(*seq), *time_ms,
                  std::get<journal::Record>(std::move(read))};
        return std::nullopt;
    }

    StoreError wrong_line(const std::string& what) const {
        return {StoreTrouble::bad_archive, name_ + ":" + std::to_string(number_) + ": " + what};
    }
    std::uint64_t records() const { return records_; }

 private:
    std::optional<StoreError> line(const char* expected) {
        ++number_;
        if (!std::getline(in_, text_)) return wrong_line("expected " + std::string(expected));
        if (const auto error = document_.parse(text_, {.depth_max = journal::record_depth_max}))
            return wrong_line(error->message);
        return std::nullopt;
    }

    std::optional<StoreError> end(json::View root) {
        if (root.find("records").unsigned_integer() != records_) {
            return wrong_line("records: expected " + std::to_string(records_) +
                              ", the number of lines before: some are missing");
        }
        if (std::getline(in_, text_)) {
            ++number_;
            return wrong_line("expected nothing behind the end");
        }
        return std::nullopt;
    }

    std::istream& in_;
    std::string name_;
    std::string text_;
    json::Document document_;
    std::size_t number_ = 0;
    std::int64_t last_seq_ = 0;
    std::uint64_t records_ = 0;
};

// The file that an import fills before it gets its name; gone with this unless it got it.
class PartFile {
 public:
    explicit PartFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
        remove();
    }
    ~PartFile() { remove(); }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    PartFile(PartFile&&) = delete;
    PartFile& operator=(PartFile&&) = delete;

    const std::string& name() const { return part_; }

    // Never in the place of another file.
    std::optional<StoreError> finish() const {
        if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
            return StoreError{errno == EEXIST ? StoreTrouble::exists : StoreTrouble::io,
                              path_ + ": " + std::strerror(errno)};
        }
        return sync_folder(path_);
    }

 private:
    void remove() const {
        for (const auto* ending : {"", "-wal", "-shm", "-journal"})
            unlink((part_ + ending).c_str());
    }

    std::string path_;
    std::string part_;
};

// Throws DatabaseError.
std::optional<StoreError> fill(Database& database, ArchiveReader& reader) {
    RecordWriter writer(database);
    std::optional<StoredRecord> record;
    while (true) {
        Transaction transaction(database);
        for (std::size_t i = 0; i < limits::store_batch_records_max; ++i) {
            if (auto wrong = reader.next(record)) return wrong;
            if (!record) break;
            if (!writer.insert(record->seq, record->time_ms, record->record)) {
                return reader.wrong_line("expected a new record, found the " +
                                         journal::identity(record->record) + " a second time");
            }
        }
        transaction.commit();
        if (!record) return std::nullopt;
        if (database.log_frames() > limits::store_log_frames_max) database.checkpoint();
    }
}

}  // namespace

Archived export_archive(StoreReader& store, std::ostream& out) {
    std::string text;
    write_header(text, store.version());
    std::uint64_t records = 0;
    const auto wrong = store.history_with_replays([&](const StoredRecord& stored) {
        write_line(text, stored);
        out << text;
        text.clear();
        ++records;
    });
    if (wrong) return *wrong;
    write_end(text, records);
    out << text << std::flush;
    return records;
}

Archived import_archive(std::istream& in, const std::string& name, const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) {
        return StoreError{StoreTrouble::exists,
                          path + " exists already; expected the name of a new store"};
    }
    ArchiveReader reader(in, name);
    if (auto wrong = reader.header()) return *std::move(wrong);
    auto lock = StoreLock::take(path);
    if (auto* error = std::get_if<StoreError>(&lock)) return std::move(*error);
    const PartFile part(path);
    auto opened = open_to_write(part.name(), Making::always, {}, 0);
    if (auto* error = std::get_if<StoreError>(&opened)) return std::move(*error);
    try {
        auto database = std::get<Database>(std::move(opened));
        if (auto wrong = fill(database, reader)) return *std::move(wrong);
        database.end_tidily();
    } catch (const DatabaseError& error) {
        return told(error, path);
    }
    if (auto wrong = part.finish()) return *std::move(wrong);
    return reader.records();
}

}  // namespace referee::store
