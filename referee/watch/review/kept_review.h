#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

// A review that is kept as a file, and the replay that it is of. Where it lies, and what is in it,
// anybody may have written: it is shown only when it has the form of a review and names that
// replay.

namespace referee::review {

// No review is larger: one of all turns of the longest game, with eight seats, takes less.
inline constexpr std::size_t kept_bytes_max = 4 * 1024 * 1024;

// Where the review of a game lies beside its replay: "games/friday_12.1.review.json" of
// "games/friday_12.1.ndjson".
std::string file_beside(const std::string& replay_file);

// Which game a review is of: a digest of the replay's lines but the last, as hex digits. The last
// line has what bots did wrong, of which not everybody is told everything; so whoever reviews what
// they may see names the same game. Empty where this is no replay.
std::string replay_mark(std::string_view replay);

// The review as JSON in one line, fit to be shown with that replay: without the folders of the
// programs that played. Else why it is not, for a person: "seat: expected ...".
base::Result<std::string, std::string> read_review(std::string_view text, std::string_view replay);

}  // namespace referee::review
