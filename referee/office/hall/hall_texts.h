#pragma once

#include <string>
#include <vector>

#include "referee/office/hall/hall.h"

// The Hall of Fame as texts. Names are strangers' words: each format shows them, and none obeys
// them.

namespace referee::hall {

// Why places may not compare: a sentence for each game whose averages come from different games.
std::vector<std::string> doubts_about(const std::vector<Row>& rows);

// For a terminal.
std::string text_of(const std::vector<Row>& rows);
std::string csv_of(const std::vector<Row>& rows);
std::string markdown_of(const std::vector<Row>& rows);
// Has the members of a tournament's standings.json that graders read: "tie_breaks", "bots".
std::string json_of(const std::vector<Row>& rows);

}  // namespace referee::hall
