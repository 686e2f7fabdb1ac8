#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "protocol/base/result.h"

namespace protocol::json {
class Document;
}

namespace referee::files {

// A file descriptor with one owner; closed when its owner ends.
class Descriptor {
 public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    ~Descriptor() { reset(); }

    // -1 where there is none.
    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

    // Hands the descriptor over: the caller closes it.
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

    void reset(int number = -1) {
        if (number_ >= 0) ::close(number_);
        number_ = number;
    }

 private:
    int number_ = -1;
};

// ---- Files that somebody names: in a config, or to a command --------------------------------

// What a regular file holds. Never waits: what is no regular file, such as a FIFO, isn't read. An
// error says why, to stand behind the file's name: "is a directory", "can't be read: Permission
// denied", "has more than 100 bytes".
base::Result<std::string, std::string> read_named_file(const std::string& file,
                                                       std::size_t bytes_max);

// The same, parsed: JSON that nests no deeper than a message. An error begins with the file's name,
// and ends with `expected` where it holds no such JSON.
base::Result<void, std::string> read_named_json(const std::string& file, std::size_t bytes_max,
                                                const std::string& expected,
                                                protocol::json::Document& document);

// Whether there is a file or a folder of that name, and whether it is a regular file; a link is
// followed. What can't be looked at isn't there.
bool is_there(const std::string& path);
bool is_regular_file(const std::string& path);

// What a regular file begins with, up to so many bytes; empty where it can't be read.
std::string first_bytes(const std::string& file, std::size_t count);

// The names of what lies in a folder, sorted. An error tells why it can't be read, or not to its
// end; without one the names are those that could be read.
std::vector<std::string> names_in(const std::string& folder, std::error_code& error);
std::vector<std::string> names_in(const std::string& folder);

// Makes a folder that isn't there, with those above it. An error begins with the path: "out can't
// be made: Permission denied".
base::Result<void, std::string> make_folder(const std::string& path);

// Where the path leads when all symbolic links are followed, as far as it exists. Absolute.
std::string real_path(const std::string& path);

// ---- What paths say as texts: nothing is looked up --------------------------------------------

// The path as seen from the folder, without "." and ".." and without a slash at its end.
std::string absolute_path(const std::string& folder, const std::string& path);

// Whether the path is the folder itself or lies anywhere below it. Both are absolute.
bool lies_in(const std::string& path, const std::string& folder);

// The name of a bot, of any printable characters, as that of a file or folder.
std::string folder_name_of(const std::string& bot);

// ---- Files that are written whole, or not at all --------------------------------------------
//
// write_file() is the usual one; replace_file() where the file is named elsewhere in the sentence,
// write_named_file() where somebody names it, keep_file() where it must survive a power cut.

// Writes all bytes into an open file. False: errno says why.
bool write_all(int file, std::string_view bytes);

// Whether names that were made or removed in the folder survive a power cut now; else errno says
// why.
bool sync_folder(const std::string& folder);

// Gives a file its name, which no file has by now: EEXIST else. Returns 0 or an errno.
int give_free_name(const std::string& part, const std::string& name);

struct Placing {
    // Whatever the mask is; nothing: what the mask leaves.
    std::optional<mode_t> mode = std::nullopt;
    // What had that name, a link too; else that is EEXIST.
    bool replaces = true;
    // It is on the disk when the call returns.
    bool syncs = false;
};
// Writes a whole file: first under another name beside it, which is then renamed, so that nobody
// reads half of it. What was there stays where it fails. Returns 0 or an errno.
int place_file(const std::string& file, std::string_view bytes, const Placing& placing = {});

// The same in words: "can't be written: No space left on device".
base::Result<void, std::string> replace_file(const std::string& file, const std::string& text);
// The same; the error begins with the file's name: "out/x.json: can't be written: ...".
base::Result<void, std::string> write_file(const std::string& file, const std::string& text);
// As replace_file() for a file that somebody names: a link is followed, and a device or a FIFO is
// written into. A folder is refused.
base::Result<void, std::string> write_named_file(const std::string& file, const std::string& text);
// A file of that mode that is on the disk when this returns. An error says why alone: "No space
// left on device".
base::Result<void, std::string> keep_file(const std::string& file, std::string_view text,
                                          mode_t mode);

// ---- Who holds files of ours, and who else could change them --------------------------------

// Why there is no lock: an errno, and who has it, where that is the reason: "process 12".
struct NoLock {
    int error = 0;
    std::string holder;
};
// Locks a file of ours, which is made where it isn't there; one of that name that is a link is
// refused. The lock lasts as long as the descriptor, or until the process ends.
base::Result<Descriptor, NoLock> take_lock(const std::string& file, mode_t mode);

// Who, beside this user and root, could change what stands at that path, in words; empty: nobody.
// Looks at the file or folder and at each folder on the way to it, as whoever may write to one of
// these may put something else in its place. A folder in which everybody may make files, but touch
// only their own (/tmp), is no danger to what lies in it.
std::string others_who_may_write(const std::string& path);

}  // namespace referee::files
