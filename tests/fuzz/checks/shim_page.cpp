// What the launcher tells the exec shim: any bytes are refused or read, without a look behind their
// end, and what was read is written and read again as the same.

#include <vector>

#include "referee/launch/process/shim_spec.h"
#include "tests/fuzz/target.h"

namespace fuzz {

Complaint check_shim_page(std::string_view bytes) {
    // A copy of just this size, so that a sanitizer sees a look behind its end.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    const auto spec = referee::process::decode({exact.data(), exact.size()});
    if (!spec) return {};
    if (spec->command.empty()) return "nothing to launch";
    const auto text = encode(*spec);
    const auto again = referee::process::decode(text);
    if (!again) return "can't be read again";
    return encode(*again) == text ? Complaint() : "written again as another text";
}

}  // namespace fuzz
