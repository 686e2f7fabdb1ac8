#include "tests/fuzz/target.h"

#include <array>

namespace fuzz {

std::span<const Target> targets() {
    static constexpr std::array<Target, 10> all{{
        {"archive", check_archive},
        {"config", check_config},
        {"control", check_control},
        {"json", check_json},
        {"protocol", check_protocol},
        {"records", check_records},
        {"replay", check_replay},
        {"shim_page", check_shim_page},
        {"trace", check_trace},
        {"trf", check_trf},
    }};
    return all;
}

}  // namespace fuzz
