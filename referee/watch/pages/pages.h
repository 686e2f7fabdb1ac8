#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace referee::pages {

// The style of all pages, and their icon, an SVG.
std::string_view style();
std::string_view icon();

// The script of a page of pages.txt, "viewer": its modules and the boards of all games as one
// classic script. Empty where there is no such page.
std::string script(std::string_view page);

// A module of JavaScript that exports functions, as an expression: an object with these functions.
std::string module_as_object(std::string_view module);

// A viewer that stands for itself: its style, its script and some games' showings, as JSON, are in
// it, and it loads nothing.
std::string viewer_html(std::string_view title, const std::vector<std::string_view>& showings);

// Where a page that is linked finds its parts.
struct Links {
    std::string style{};                      // "/page/style.css"; empty: none
    std::vector<std::string_view> scripts{};  // in the order in which they run
    std::string_view source{};                // of its script's data: "api", "folder"
    std::string_view icon{};                  // empty: none
    std::string navigation{};                 // HTML before all else
    std::string body{};                       // HTML; empty: a script makes it
};
// A page without any script or style in it.
std::string linked_html(std::string_view title, const Links& links);

// A page that only links to the pages in some folders beside it, the last one first.
struct FolderLink {
    std::string folder;
    std::string told{};  // what is in it, in some words
};
std::string contents_html(std::string_view title, const std::vector<FolderLink>& folders);

// A JSON value as a statement of a script that calls a function with it: `showing({...});`.
std::string call_with(std::string_view function, std::string json);

// A table in a region that scrolls in its place where it is too wide or too long. Rows are HTML.
std::string table_html(std::string_view label, const std::vector<std::string_view>& heads,
                       const std::string& rows);

// <a href="TO">TEXT</a>, and the same around HTML.
std::string link(std::string_view to, std::string_view text);
std::string link_around(std::string_view to, const std::string& html);

}  // namespace referee::pages
