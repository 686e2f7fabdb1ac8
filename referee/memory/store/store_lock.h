#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "referee/memory/store/store_error.h"

namespace referee::store {

// Keeps a second writer off a store for as long as this lives; the kernel lets go when the process
// ends, however it ends. The lock is on a file `PATH.lock`, which holds the process's number; it is
// removed with the lock, and what a killed process leaves of it means nothing.
class StoreLock {
 public:
    using Taken = std::variant<StoreLock, StoreError>;
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

// What keeps the file at `path` from being a store that this process may write: nothing, or what to
// do about it ("chmod go-w ..."). Requires: there is something at `path`.
std::optional<StoreError> check_permissions(const std::string& path);

// Makes an empty file that only its owner may write. Nothing on success.
std::optional<StoreError> make_store_file(const std::string& path);

// Names that came and went in the folder around `path` do so for good. Nothing on success.
std::optional<StoreError> sync_folder(const std::string& path);

}  // namespace referee::store
