#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "referee/memory/store/database.h"

struct sqlite3_vfs;

namespace referee::store {

// A file as the programs see it, and as the medium has it: what was written since the last sync may
// be lost, kept, or torn at sectors.
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
    SimulatedDisk(SimulatedDisk&&) = delete;
    SimulatedDisk& operator=(SimulatedDisk&&) = delete;

    const std::string& name() const { return name_; }

    // In the operation so many from now on everything stands still: it may be half done, and this
    // and all that follows fails, until restart().
    void stop_in(std::uint64_t operations);
    bool has_stopped() const;
    // A sync so many from now on fails once, and what it should have made safe never will be,
    // though later syncs succeed.
    void fail_sync_in(std::uint64_t syncs);
    bool has_failed_sync() const;
    // The operation so many from now on fails once with an I/O error.
    void fail_in(std::uint64_t operations);
    // Bytes that all files together may have; 0: any number.
    void set_room(std::uint64_t bytes);
    std::uint64_t operations() const;
    std::uint64_t size() const;

    // The processes have ended; what they wrote stands there, safe or not.
    void restart();
    // Restarts; of what was not safe, `random` decides.
    void cut_power(std::mt19937_64& random);

    Files files() const;
    void set_files(Files files);

 private:
    friend struct SimulatedDiskCalls;

    // Whether the operation may go on; else the code to return.
    int begin_operation();
    static void write_into(std::string& text, std::uint64_t offset, std::string_view bytes);
    static std::string survivor(const SimulatedFile& file, std::mt19937_64& random);

    std::string name_;
    std::unique_ptr<sqlite3_vfs> vfs_;
    mutable std::mutex mutex_;
    Files files_;
    std::map<std::string, std::vector<std::unique_ptr<std::string>>>
        shared_;  // log indexes: gone with the processes
    std::uint64_t operations_ = 0;
    std::uint64_t stop_at_ = 0;
    std::uint64_t fail_at_ = 0;
    std::uint64_t syncs_ = 0;
    std::uint64_t fail_sync_at_ = 0;
    std::uint64_t room_ = 0;
    bool stopped_ = false;
    std::uint64_t unnamed_ = 0;
};

}  // namespace referee::store
