#pragma once

#include <string>
#include <utility>

#include "protocol/base/result.h"
#include "referee/store/database/store_error.h"

namespace referee::store {

// Keeps other writers off a store for as long as this lives. The kernel drops the lock when the
// process ends, however it ends. The lock is on a file `PATH.lock`, which holds the process's
// number and is removed with the lock. A file that a killed process leaves means nothing.
class StoreLock {
 public:
    using Taken = base::Result<StoreLock, StoreError>;
    static Taken take(const std::string& path);

    StoreLock(StoreLock&& other) noexcept;
    StoreLock& operator=(StoreLock&& other) noexcept;
    StoreLock(const StoreLock&) = delete;
    StoreLock& operator=(const StoreLock&) = delete;
    ~StoreLock();

 private:
    StoreLock(int file, std::string name) : file_(file), name_(std::move(name)) {}
    int file_;
    std::string name_;
};

// Whether this process may write the file at `path`, and no other user may; an error says what to
// do about it ("chmod go-w ..."). Requires: there is something at `path`.
base::Result<void, StoreError> check_permissions(const std::string& path);

// Makes an empty file that only its owner may write.
base::Result<void, StoreError> make_store_file(const std::string& path);

// The store's own file, whatever link leads to it: its lock, log, head and reserve lie beside that.
std::string file_of_store(const std::string& path);

// Makes it sure that names which were made or removed in the folder around `path` survive a power
// cut.
base::Result<void, StoreError> sync_folder(const std::string& path);

}  // namespace referee::store
