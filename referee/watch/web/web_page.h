#pragma once

#include <string>
#include <string_view>

#include "referee/watch/web/request.h"

// Pages with the site's style and what leads through it.

namespace referee::web {

inline constexpr std::string_view icon_path = "/page/icon.svg";

// A page of that HTML below its title. `script`: "live.js"; empty: none.
Answer page_answer(std::string_view title, std::string_view script, const std::string& html);
// A page that its script draws, with `links`, HTML, above it.
Answer drawn_page(std::string_view title, std::string_view script, const std::string& links = {});

std::string tournament_link(const std::string& id);
std::string game_link(const std::string& id);
// The address of a bot's page in a tournament.
std::string bot_path(std::string_view tournament, std::string_view bot);

}  // namespace referee::web
