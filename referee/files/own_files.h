#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "referee/files/descriptor.h"

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
