#pragma once

#include <string>
#include <string_view>

namespace base {

// The text as one word of a shell's command line: as it is where a shell leaves it alone, in single
// quotes otherwise. So a command that a message shows can be copied whatever a name has in it.
std::string shell_word(std::string_view text);

}  // namespace base
