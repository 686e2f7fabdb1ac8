#pragma once

#include <string>
#include <vector>

namespace engines {

// What an instructor brings along to a game: maps or mazes beside those that ship with it. A
// name found here hides a shipped one.
struct MapFile {
    std::string name;  // the file's name without its extension
    std::string text;
};

struct Resources {
    std::vector<MapFile> maps;
    std::string maps_version{};  // of these maps; empty: none is known
};

}  // namespace engines
