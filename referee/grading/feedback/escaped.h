#pragma once

#include <string>
#include <string_view>

// A stranger's text where a format gives some characters a meaning.

namespace referee::feedback {

// For the text and the attributes of XML and HTML. Both may be printed into the log of a CI job,
// so they hold no order to it.
std::string in_markup(std::string_view text);
// For a cell or a line of Markdown: no mark, no HTML, no link, no name of a user.
std::string in_markdown(std::string_view text);
// A cell of CSV, in quotes where it needs them, and harmless in a spreadsheet.
std::string in_csv(std::string_view text);

}  // namespace referee::feedback
