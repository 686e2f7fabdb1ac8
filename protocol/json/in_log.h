#pragma once

#include <string>
#include <string_view>

namespace protocol::json {

// Lines for a terminal that may be the log of a CI job, in which a stranger's text is no order to
// the job: GitHub takes "::error::" at the begin of a line for one and "##[add-mask]" anywhere,
// Azure "##vso[...]" and "##[...]", TeamCity "##teamcity[...]". Such marks get a character more, so
// that people still read them; a name such as std::string stays.
std::string in_log(std::string_view lines);

}  // namespace protocol::json
