#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "referee/net/loop/mutex.h"
#include "referee/store/database.h"

struct sqlite3_vfs;

namespace referee::store {

// A file as programs see it, and as the medium has it: what was written since the last sync may be
// lost, kept, or torn at sectors.
struct SimulatedFile {
    struct Change {
        bool is_truncation = false;
        std::uint64_t offset = 0;  // or the new size
        std::string bytes;
    };
    std::string now;
    std::string safe;
    std::vector<Change> unsafe;  // in order
    bool exists = true;          // for programs
    bool is_name_safe = false;   // would be found after a power cut; a deletion may be undone by it
    // The file that had this name and was deleted: a power cut may bring it back in the place of
    // this.
    std::optional<std::string> before;
};

// A disk in memory that SQLite uses under name(); its power can be cut at any operation, and it can
// fail. An operation is a write, a sync, a truncation or a deletion.
class SimulatedDisk {
 public:
    using Files = std::map<std::string, SimulatedFile>;

    explicit SimulatedDisk(const std::string& name);
    ~SimulatedDisk();
    SimulatedDisk(const SimulatedDisk&) = delete;
    SimulatedDisk& operator=(const SimulatedDisk&) = delete;

    const std::string& name() const { return name_; }

    // Everything stops in the operation so many from now on: that one may be half done, and it and
    // all later ones fail until restart().
    void stop_in(std::uint64_t operations);
    // The sync so many from now on fails once. What it should have made safe never will be safe,
    // though later syncs succeed.
    void fail_sync_in(std::uint64_t syncs);
    bool has_failed_sync() const;
    // The operation so many from now on fails once with an I/O error.
    void fail_in(std::uint64_t operations);
    // How many bytes all files together may have; 0: any number.
    void set_room(std::uint64_t bytes);
    std::uint64_t operations() const;
    std::uint64_t size() const;

    // The processes have ended; what they wrote is kept, whether it is safe or not.
    void restart();
    // Restarts; `random` decides what becomes of bytes that were not safe.
    void cut_power(std::mt19937_64& random);

    Files files() const;
    void set_files(Files files);

 private:
    friend struct SimulatedDiskCalls;

    // Returns whether the operation may go on; otherwise the code to return.
    int begin_operation() REFEREE_REQUIRES(mutex_);
    static void write_into(std::string& text, std::uint64_t offset, std::string_view bytes);
    static std::string survivor(const SimulatedFile& file, std::mt19937_64& random);

    std::string name_;
    std::unique_ptr<sqlite3_vfs> vfs_;
    mutable loop::Mutex mutex_;
    Files files_ REFEREE_GUARDED_BY(mutex_);
    std::map<std::string, std::vector<std::unique_ptr<std::string>>> shared_
        REFEREE_GUARDED_BY(mutex_);  // log indexes: gone with the processes
    std::uint64_t operations_ REFEREE_GUARDED_BY(mutex_) = 0;
    std::uint64_t stop_at_ REFEREE_GUARDED_BY(mutex_) = 0;
    std::uint64_t fail_at_ REFEREE_GUARDED_BY(mutex_) = 0;
    std::uint64_t syncs_ REFEREE_GUARDED_BY(mutex_) = 0;
    std::uint64_t fail_sync_at_ REFEREE_GUARDED_BY(mutex_) = 0;
    std::uint64_t room_ REFEREE_GUARDED_BY(mutex_) = 0;
    bool stopped_ REFEREE_GUARDED_BY(mutex_) = false;
    std::uint64_t unnamed_ REFEREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace referee::store
