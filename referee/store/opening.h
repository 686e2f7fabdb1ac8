#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "protocol/base/result.h"
#include "referee/store/chain.h"
#include "referee/store/database.h"
#include "referee/store/store_error.h"
#include "referee/store/store_files.h"

// Opens or makes the file, or says in words why it can't be opened. All throws StoreFailure or
// DatabaseError; result_of() is for who is called from outside this room.

namespace referee::store {

// What a run's store is called in its output folder.
inline constexpr std::string_view name_in_output_folder = "referee.db";

enum class Making : std::uint8_t { never, where_missing, always };

struct OpenedToWrite {
    Database database;
    std::optional<HeadFile> head;  // none with a `vfs`
};

// Makes the store as needed, checks where it ends (its last records, and what somebody was told of:
// HeadFile), and makes the file that tells that. All that can be read afterwards is safe from a
// power cut.
// Requires: the store's lock, unless `vfs` is given, which looks after its own files.
OpenedToWrite open_to_write(const std::string& path, Making making, const std::string& vfs);

// The next record of a store that is made; nothing at the end.
using NextRecord = std::function<std::optional<StoredRecord>()>;

// Makes a store of these records, whole in one file that has no name yet, with a chain that begins
// so. `duplicate`: why a record that is there already can't be.
ChainTip make_store(const PartFile& part, std::string_view origin, const NextRecord& next,
                    const std::function<StoreFailure(const records::Record& record)>& duplicate);

// The file of a store that nobody writes.
class StoreAtRest {
 public:
    // Nothing where a log lies beside the file: somebody writes, or was killed.
    static std::optional<StoreAtRest> of(const std::string& path);
    // Throws where somebody has begun to write since.
    void check() const;

 private:
    // Its inode and size, and when it was changed, in seconds and nanoseconds.
    using FileState = std::array<std::uint64_t, 4>;
    static std::optional<FileState> file_state_of(const std::string& path);
    StoreAtRest(std::string path, FileState seen) : path_(std::move(path)), seen_(seen) {}

    std::string path_;
    FileState seen_;
};

struct OpenedToRead {
    Database database;
    // A store at rest is read without a file beside it, and without a lock: what was read is good
    // only if the rest lasts.
    std::optional<StoreAtRest> at_rest;

    // Throws where somebody has begun to write a store that was at rest: nothing that was read is
    // good then.
    void check_rest() const {
        if (at_rest) at_rest->check();
    }
};

// Reads while another process may write. Makes nothing beside a store at rest.
OpenedToRead open_to_read(const std::string& path, const std::string& vfs);

// The same for a store that may be damaged: what SQLite finds of it can be read, and nothing of it
// is checked. Other programs' files and other versions' stores are refused.
OpenedToRead open_damaged(const std::string& path);

// What the file beside the store says; nothing where there is none.
std::optional<ChainTip> last_told(const std::string& path);

// What to do about a store that is damaged, as the end of a sentence.
std::string remedy_of_damage(const std::string& path);
StoreError store_error_of(const DatabaseError& error, const std::string& path);

// What the work on that store gives, or why it threw.
template <typename Work, typename Value = std::invoke_result_t<Work>>
base::Result<Value, StoreError> result_of(const std::string& path, const Work& work) {
    try {
        if constexpr (std::is_void_v<Value>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (const StoreFailure& failure) {
        return base::failure(failure.error());
    } catch (const DatabaseError& error) {
        return base::failure(store_error_of(error, path));
    }
}

}  // namespace referee::store
