// Replays: refused with a place, or played again with the same verdict each time, and told as a
// story.

#include <sstream>

#include "protocol/base/utf8.h"
#include "referee/game/trace/story.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

namespace trace = referee::trace;

const std::string file = "f";

bool has_place(const trace::Refusal& refusal) {
    return refusal.message.starts_with(file + ":") && base::is_utf8(refusal.message);
}

base::Result<trace::ReplayVerdict, trace::Refusal> played_again(std::string_view bytes) {
    const engines::Registry registry;
    std::istringstream stream{std::string(bytes)};
    return trace::check_replay(stream, file, registry);
}

}  // namespace

Complaint check_replay(std::string_view bytes) {
    const auto story = trace::tell_story(bytes, file);
    if (!story && !has_place(story.error())) return "no place: " + story.error().message;
    if (story && (story->empty() || !base::is_utf8(*story))) return "no story: " + *story;
    const auto first = played_again(bytes);
    const auto second = played_again(bytes);
    if (first.has_value() != second.has_value()) return "accepted once, refused once";
    if (!first) return has_place(first.error()) ? "" : "no place: " + first.error().message;
    if (first->differences != second->differences || first->turns != second->turns)
        return "played again it differs from itself";
    for (const auto& difference : first->differences) {
        if (!base::is_utf8(difference)) return "a difference that can't be told";
    }
    return {};
}

}  // namespace fuzz
