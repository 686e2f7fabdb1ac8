#pragma once

#include <string>
#include <string_view>

namespace referee::pages {

// As text of an element of HTML or SVG, or in an attribute's quotes.
std::string escaped(std::string_view text);

}  // namespace referee::pages
