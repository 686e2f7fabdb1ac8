#pragma once

#include <string>

namespace referee::files {

// Who, beside this user and root, could change what stands at that path, in words; empty: nobody.
// Looks at the file or folder and at each folder on the way to it, as whoever may write to one of
// these may put something else in its place. A folder in which everybody may make files, but touch
// only their own (/tmp), is no danger to what lies in it.
std::string others_who_may_write(const std::string& path);

}  // namespace referee::files
