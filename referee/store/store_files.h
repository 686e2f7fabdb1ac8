#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/files/file.h"
#include "referee/store/chain.h"
#include "referee/store/store_error.h"

namespace referee::store {

// The files of a store: its own, and those beside it. All throws StoreFailure where it says nothing
// else.

// Keeps other writers off a store for as long as this lives. The kernel drops the lock when the
// process ends, however it ends. The lock is on a file `PATH.lock`, which holds the process's
// number and is removed with the lock. A file that a killed process leaves means nothing.
class StoreLock {
 public:
    using Taken = base::Result<StoreLock, StoreError>;
    static Taken take(const std::string& path);

    StoreLock(StoreLock&&) = default;
    StoreLock& operator=(StoreLock&&) = delete;
    ~StoreLock();

 private:
    StoreLock(files::Descriptor file, std::string name)
        : file_(std::move(file)), name_(std::move(name)) {}
    files::Descriptor file_;
    std::string name_;
};

// Throws unless this process may write the file at `path`, and no other user may, and says what to
// do about it ("chmod go-w ..."). Requires: there is something at `path`.
void check_permissions(const std::string& path);

// Throws unless this process may read it, and says who may.
void check_readable(const std::string& path);

// Makes a file that only its owner may write, of these bytes: under a name beside it first, so that
// it is never there in part. Its name survives a power cut once the folder is synced.
void make_store_file(const std::string& path, std::string_view bytes);

// The store's own file, whatever link leads to it: its lock, log, head and reserve lie beside that.
std::string file_of_store(const std::string& path);
// Whether the file is that of the store, or one beside it of which a writer knows.
bool is_of_store(std::string_view file, std::string_view store);

// Makes it sure that names which were made or removed in the folder around `path` survive a power
// cut.
void sync_folder(const std::string& path);

// Where the chain of a store ended when somebody was last told of a record, in a small file
// `PATH.head` beside the store. SQLite drops the end of a damaged log without a word; this file
// then names a record that is missing. It is written after each commit and before anybody is told,
// and not synced each time: after a power cut it may be behind the store, never before it. It is
// there from the opening to an orderly end.
//
// The file has two places that are written in turn, each with a digest of its own, so that a writer
// that was killed in the middle leaves one that is good.
class HeadFile {
 public:
    // What the file beside the store says; nothing where there is none. A failure where the file
    // says nothing that a writer leaves behind.
    static base::Result<std::optional<ChainTip>, StoreError> read(const std::string& path);

    // Makes the file beside the store, or replaces it. It is on disk when this returns.
    static HeadFile make(const std::string& path, const ChainTip& tip);

    // A failure, in words, where the disk refuses; a full disk is none: the file stays behind.
    base::Result<void, std::string> write(const ChainTip& tip);
    // At an orderly end: the store is whole in one file, which needs no other to tell its end.
    void remove();

 private:
    HeadFile(files::Descriptor file, std::string name)
        : file_(std::move(file)), name_(std::move(name)) {}

    files::Descriptor file_;
    std::string name_;
    bool second_place_ = false;  // is written next
};

// Notices that the files of a store which is in use lost their names: what is written then goes
// where nobody will find it.
class HeldFiles {
 public:
    // The store's file and its log, as they are now. Requires: both are there.
    explicit HeldFiles(const std::string& path);

    // "out/referee.db-wal was removed or renamed while it is in use"; nothing where all is well.
    std::optional<std::string> fault() const;

 private:
    struct Held {
        std::string name;
        files::Descriptor file;  // for its place alone: closing it drops none of SQLite's locks
    };
    std::vector<Held> files_;
};

StoreFailure disk_is_full(const std::string& path);

// Throws where there is something at `path` already.
void check_new(const std::string& path);

// The file that a store is made in before it gets its name. It is removed with this object unless
// it got its name.
class PartFile {
 public:
    explicit PartFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
        remove();
    }
    ~PartFile() { remove(); }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    const std::string& name() const { return part_; }
    const std::string& path() const { return path_; }  // the name that it is to get

    // Never replaces another file. `tip`: where the store ends that was made; throws where the one
    // that is read under its name afterwards ends elsewhere.
    void finish(const ChainTip& tip) const;

    // Takes the place of the file at `path`, in one step that survives a power cut. Requires: no
    // log lies beside either.
    void replace() const;

 private:
    void remove() const;

    std::string path_;
    std::string part_;
};

// A file that only takes up room. It is deleted when the disk is full: then the store can write
// down what is under way, and people have time to make room.
class ReservedSpace {
 public:
    // `bytes` 0: none is kept.
    ReservedSpace(std::string path, std::uint64_t bytes) : path_(std::move(path)), bytes_(bytes) {}

    bool is_wanted() const { return bytes_ > 0; }
    // The free room that is needed before it is made: its own size, and as much again, so that the
    // disk is not full again at once.
    std::uint64_t needed_bytes() const;
    // Makes it where the file system has needed_bytes(). Returns whether it is there now.
    bool make() const;
    // Deletes it. Returns whether that made room.
    bool drop() const;

 private:
    std::string path_;
    std::uint64_t bytes_;
};

// Why there is no store at `path`: it never was there, or it is gone from among its files.
StoreFailure no_store(const std::string& path);

// Throws where files of an earlier store lie beside the name of a new one: SQLite would take them
// up as its own. What a power cut leaves of a making that had told nothing yet doesn't count.
void check_alone(const std::string& path);

}  // namespace referee::store
