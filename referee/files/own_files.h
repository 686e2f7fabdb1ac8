#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "protocol/base/result.h"

// Files of our own: written so that they are not lost, who holds them, and who else could
// change them.

namespace referee::files {

// Writes all bytes into an open file. False: errno says why.
bool write_all(int file, std::string_view bytes);

// Whether names that were made or removed in the folder survive a power cut now; else errno says
// why.
bool sync_folder(const std::string& folder);

// Writes a whole file, or leaves what was there: it is on the disk when this returns. It has that
// mode, whatever the mask is. An error says why alone: "No space left on device".
base::Result<void, std::string> keep_file(const std::string& file, std::string_view text,
                                          mode_t mode);

// This process becomes the holder that a lock file names. Its number is for people only: a full
// disk must not stop what needs the lock.
void write_holder(int lock);

// "process 12", as the holder wrote it.
std::string holder_of(int lock);

// Who, beside this user and root, could change what stands at that path, in words; empty: nobody.
// Looks at the file or folder and at each folder on the way to it, as whoever may write to one of
// these may put something else in its place. A folder in which everybody may make files, but touch
// only their own (/tmp), is no danger to what lies in it.
std::string others_who_may_write(const std::string& path);

}  // namespace referee::files
