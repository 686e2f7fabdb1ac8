#pragma once

#include <cstdint>
#include <string>

namespace referee::store {

// A file that only takes up room. It is deleted when the disk is full: then the store can write
// down what is under way, and people have time to make room.
class ReservedSpace {
 public:
    // `bytes` 0: none is kept.
    ReservedSpace(std::string path, std::uint64_t bytes) : path_(std::move(path)), bytes_(bytes) {}

    bool is_wanted() const { return bytes_ > 0; }
    bool exists() const;
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

}  // namespace referee::store
