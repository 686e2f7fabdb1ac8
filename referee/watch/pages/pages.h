#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace referee::pages {

// viewer: games, frame by frame. standings: those of tournaments. folder: both, as the `index.html`
// of an output folder has them. wall: games that are played now. bot: one of a tournament. live,
// forms and instructor: scripts of pages that have their HTML from elsewhere.
enum class Page : std::uint8_t { viewer, standings, folder, wall, bot, live, forms, instructor };

// The style of all pages, and their icon, an SVG.
std::string_view style();
std::string_view icon();

// A page's script: its modules and the boards of all games as one classic script.
std::string script(Page page);

// A module of JavaScript that exports functions, as an expression: an object with these functions.
std::string module_as_object(std::string_view module);

// Data that stands in a page: each is an element <script type="application/json" class="...">.
struct Inlined {
    std::string_view kind;  // the class: "showing"
    std::string_view json;
};

// A page that stands for itself: its style, script and data are in it, and it loads nothing.
std::string html(Page page, std::string_view title, const std::vector<Inlined>& data);

// Where a page that is linked finds its parts.
struct Links {
    std::string_view style;                 // "/page/style.css"
    std::vector<std::string_view> scripts;  // in the order in which they run
    std::string_view source;                // of its data: "api", "folder"
    std::string_view icon{};                // empty: none
    std::string_view navigation{};          // HTML before all else; empty: none
};
// A page without any script or style in it.
std::string linked_html(Page page, std::string_view title, const Links& links);

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

// As text of an element of HTML or SVG, or in an attribute's quotes.
std::string escaped(std::string_view text);

}  // namespace referee::pages
