#pragma once

#include <string>

namespace referee::cli {

// Shows a page from disk in the person's browser; where none can be called, says where the page is.
void open_page(const std::string& file);

}  // namespace referee::cli
