#pragma once

#include <cstdint>
#include <string>

namespace referee::store {

// A file that holds nothing but room: thrown out when the disk is full, it lets the store write
// down what is under way, and gives people time to make room.
class Ballast {
 public:
    // `bytes` 0: none is kept.
    Ballast(std::string path, std::uint64_t bytes) : path_(std::move(path)), bytes_(bytes) {}

    bool is_wanted() const { return bytes_ > 0; }
    bool exists() const;
    // Room on the file system that it takes to make it and not to be full again at once.
    std::uint64_t needed_bytes() const;
    // Whether it is there now: made only where there is as much room again beside it.
    bool make() const;
    // Whether that made room.
    bool drop() const;

 private:
    std::string path_;
    std::uint64_t bytes_;
};

}  // namespace referee::store
