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

// Reads an archive line by line; the first mistake ends it.
class ArchiveReader {
 public:
    ArchiveReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

    base::Result<void, StoreError> header() {
        if (auto read = line("a first line {\"archive\":\"referee\",\"version\":1,...}"); !read)
            return read;
        const auto root = document_.root();
        if (root.find("archive").string() != format)
            return base::failure(
                wrong_line("archive: expected \"referee\": this is no archive of the referee's"));
        if (root.find("version").integer() != archive_version)
            return base::failure(wrong_line("version: expected 1; a newer referee may read it"));
        const auto schema = root.find("schema").integer();
        if (!schema || *schema < 1 || *schema > schema_version()) {
            return base::failure(wrong_line("schema: expected 1 to " +
                                            std::to_string(schema_version()) +
                                            "; a newer referee may read it"));
        }
        return {};
    }

    // Nothing at the end of the archive.
    base::Result<std::optional<StoredRecord>, StoreError> next() {
        if (auto read =
                line("a record, or a last line {\"end\":true,...}: the archive is cut short");
            !read)
            return base::failure(std::move(read.error()));
        const auto root = document_.root();
        if (root.find("end")) {
            if (auto ended = end(root); !ended) return base::failure(std::move(ended.error()));
            return std::nullopt;
        }
        const auto seq = root.find("seq").integer();
        if (!seq || *seq <= last_seq_)
            return base::failure(
                wrong_line("seq: expected a whole number above " + std::to_string(last_seq_)));
        const auto time_ms = root.find("time_ms").integer();
        if (!time_ms)
            return base::failure(
                wrong_line("time_ms: expected a whole number, the milliseconds since 1970"));
        auto read = journal::read_record(root);
        if (!read) return base::failure(wrong_line(read.error().message));
        last_seq_ = *seq;
        ++records_;
        return StoredRecord{static_cast<std::uint64_t>(*seq), *time_ms, *std::move(read)};
    }

    StoreError wrong_line(const std::string& what) const {
        return {StoreTrouble::bad_archive, name_ + ":" + std::to_string(number_) + ": " + what};
    }
    std::uint64_t records() const { return records_; }

 private:
    base::Result<void, StoreError> line(const char* expected) {
        ++number_;
        if (!std::getline(in_, text_))
            return base::failure(wrong_line("expected " + std::string(expected)));
        if (const auto parsed = document_.parse(text_, {.depth_max = journal::record_depth_max});
            !parsed)
            return base::failure(wrong_line(parsed.error().message));
        return {};
    }

    base::Result<void, StoreError> end(json::View root) {
        if (root.find("records").unsigned_integer() != records_) {
            return base::failure(wrong_line("records: expected " + std::to_string(records_) +
                                            ", the number of lines before: some are missing"));
        }
        if (std::getline(in_, text_)) {
            ++number_;
            return base::failure(wrong_line("expected nothing behind the end"));
        }
        return {};
    }

    std::istream& in_;
    std::string name_;
    std::string text_;
    json::Document document_;
    std::size_t number_ = 0;
    std::int64_t last_seq_ = 0;
    std::uint64_t records_ = 0;
};

// The file that an import fills before the file gets its name. It is removed with this object
// unless it got its name.
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

    // Never replaces another file.
    base::Result<void, StoreError> finish() const {
        if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
            return base::failure(
                StoreError{errno == EEXIST ? StoreTrouble::exists : StoreTrouble::io,
                           path_ + ": " + std::strerror(errno)});
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
base::Result<void, StoreError> fill(Database& database, ArchiveReader& reader) {
    RecordWriter writer(database);
    while (true) {
        Transaction transaction(database);
        bool at_end = false;
        for (std::size_t i = 0; i < limits::store_batch_records_max; ++i) {
            auto next = reader.next();
            if (!next) return base::failure(std::move(next.error()));
            const auto& record = *next;
            at_end = !record;
            if (at_end) break;
            if (!writer.insert(record->seq, record->time_ms, record->record)) {
                return base::failure(reader.wrong_line("expected a new record, found the " +
                                                       journal::identity(record->record) +
                                                       " a second time"));
            }
        }
        transaction.commit();
        if (at_end) return {};
        if (database.log_frames() > limits::store_log_frames_max) database.checkpoint();
    }
}

}  // namespace

Archived export_archive(StoreReader& store, std::ostream& out) {
    std::string text;
    write_header(text, store.version());
    std::uint64_t records = 0;
    auto told = store.history_with_replays([&](const StoredRecord& stored) {
        write_line(text, stored);
        out << text;
        text.clear();
        ++records;
    });
    if (!told) return base::failure(std::move(told.error()));
    write_end(text, records);
    out << text << std::flush;
    return records;
}

Archived import_archive(std::istream& in, const std::string& name, const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0) {
        return base::failure(StoreError{
            StoreTrouble::exists, path + " exists already; expected the name of a new store"});
    }
    ArchiveReader reader(in, name);
    if (auto read = reader.header(); !read) return base::failure(std::move(read.error()));
    auto lock = StoreLock::take(path);
    if (!lock) return base::failure(std::move(lock.error()));
    const PartFile part(path);
    auto opened = open_to_write(part.name(), Making::always, {}, 0);
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto database = *std::move(opened);
        if (auto filled = fill(database, reader); !filled)
            return base::failure(std::move(filled.error()));
        database.end_tidily();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    if (auto named = part.finish(); !named) return base::failure(std::move(named.error()));
    return reader.records();
}

}  // namespace referee::store
