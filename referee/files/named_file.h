#pragma once

#include <cstddef>
#include <string>

#include "protocol/base/result.h"

// Files that somebody names: in a config, or to a command.

namespace referee::files {

// What a regular file holds. Never waits: what is no regular file, such as a FIFO, isn't read. An
// error says why, to stand behind the file's name: "is a directory", "can't be read: Permission
// denied", "has more than 100 bytes".
base::Result<std::string, std::string> read_named_file(const std::string& file,
                                                       std::size_t bytes_max);

// Whether there is a file or a folder of that name, and whether it is a regular file; a link is
// followed. What can't be looked at isn't there.
bool is_there(const std::string& path);
bool is_regular_file(const std::string& path);

// What a regular file begins with, up to so many bytes; empty where it can't be read.
std::string first_bytes(const std::string& file, std::size_t count);

// Writes a whole file: first under another name beside it, which is then renamed, so that nobody
// reads half of it. What had that name is replaced, a link too. An error says why: "can't be
// written: No space left on device".
base::Result<void, std::string> replace_file(const std::string& file, const std::string& text);

// The same; an error names the file, too.
base::Result<void, std::string> write_file(const std::string& file, const std::string& text);

// As replace_file() for a file that somebody names: a link is followed, and a device or a FIFO is
// written into. A folder is refused.
base::Result<void, std::string> write_named_file(const std::string& file, const std::string& text);

// The name of a bot, of any printable characters, as that of a file or folder.
std::string folder_name_of(const std::string& bot);

}  // namespace referee::files
