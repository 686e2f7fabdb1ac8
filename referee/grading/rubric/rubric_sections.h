#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/json/reader.h"
#include "referee/grading/rubric/rubric.h"

// The parts of a rubric's text. Each reads its own members, and notes what is wrong with them.

namespace referee::rubric {

// Points of one step, and of a day that a submission is late: far beyond any course's, and sums of
// hundredths stay exact.
inline constexpr double rubric_points_max = 10'000;
inline constexpr double rubric_points_min = 0.01;

namespace json = protocol::json;

// What the parts need of the others.
struct RubricContext {
    const engines::Game* game = nullptr;  // null: unknown, which is told already
    std::vector<std::string> bots;        // names
    std::string directory;
};

// ---- read_series.cpp ----------------------------------------------------------------------------

void read_series(const json::Placed& list, const RubricContext& around, Rubric& rubric);

// A path of the rubric, absolute: from the rubric's folder, as a config's are from the config's.
std::string absolute(std::string_view path, const std::string& directory);

// ---- read_step.cpp ------------------------------------------------------------------------------

void read_steps(const json::Placed& list, Rubric& rubric);

// ---- checks.cpp ---------------------------------------------------------------------------------

// What can only be seen when all series and steps have been read. `steps` are as they were given.
void check_rules(const json::Placed& steps, const RubricContext& around, const Rubric& rubric);
void check_needs(const json::Placed& steps, const Rubric& rubric);
void check_groups(const json::Placed& steps, const Rubric& rubric);
void check_use_of_series(const json::Placed& series, const Rubric& rubric);

// ---- rubric.cpp ---------------------------------------------------------------------------------

std::vector<std::string> read_bots(const json::Placed& list, Rubric& rubric);

// An id, which must be there.
std::string read_id(json::Reader& reader, std::string_view example);
// A line of printable text, which must be there.
std::string read_title(json::Reader& reader, std::string_view example);
// A member's list of texts, none of them twice.
std::vector<std::string> read_names(json::Reader& reader, std::string_view member);
// A command's words; none where there is no list.
std::vector<std::string> read_command(const json::Placed& list, std::string_view example);
// `"a", "b"`; "none" where there is none.
std::string in_quotes(const std::vector<std::string>& names);

}  // namespace referee::rubric
