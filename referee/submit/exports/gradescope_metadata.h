#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The file submission_metadata.yml that stands at the top of Gradescope's exports.

namespace referee::exports {

struct Submitter {
    std::string name;
    std::string id;  // the school's, "sid"
    std::string email;
};

struct Metadata {
    std::vector<Submitter> submitters;
    std::optional<std::int64_t> created_s;  // since 1970
};

bool is_metadata(std::string_view path);

// By the submissions' folders: "submission_12345678". Only what is asked for here is read of the
// file, and what can't be understood is passed over.
std::map<std::string, Metadata> read_metadata(std::string_view text);

}  // namespace referee::exports
