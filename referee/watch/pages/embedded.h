#pragma once

#include <span>
#include <string_view>

namespace referee::pages {

// The files of this folder as they were when the program was built.
struct EmbeddedFile {
    std::string_view name;  // "viewer.js"
    std::string_view text;
};
std::span<const EmbeddedFile> embedded_files();

// A part of a page's script, in the order of pages.txt: a module, or "boards".
struct ScriptPart {
    std::string_view page;
    std::string_view module;
};
std::span<const ScriptPart> script_parts();

}  // namespace referee::pages
