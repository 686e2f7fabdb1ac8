#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

namespace engines {

// Where and why a map's text was refused.
struct MapError {
    std::size_t line = 0;  // of the text, from 1; 0 where it doesn't apply
    std::string member;    // "grid[2][3]", or a place: "row 3, column 9"
    std::string message;
};

// What is known of a map, for `referee maps`: facts by name, in the order to show them in.
struct MapFact {
    std::string name;   // "size", "type", "attainable"
    std::string value;  // "35 x 35", "type-2", "unknown"
};

struct GenerateRequest {
    std::string type;  // as the game's page calls it: "type-2", "challenge3"
    std::uint32_t seed = 1;
    std::optional<std::size_t> rows, columns;  // the generator's own choice where absent
};

// The maps (or mazes) of a game that has them: those that ship with it and those that an
// instructor brought along.
class MapCollection {
 public:
    virtual ~MapCollection() = default;

    // Changes whenever a shipped map changes; results tell it. An instructor's maps may have one of
    // their own, which stands for all then.
    virtual std::string_view version() const = 0;
    // In the order to list them in; the instructor's own last.
    virtual std::vector<std::string> names() const = 0;
    // The map's text in the form in which it can be given to `validate` and kept in a file.
    virtual std::optional<std::string> text(std::string_view name) const = 0;
    // A picture for a terminal. Requires a text that validates.
    virtual std::string picture(std::string_view text) const = 0;
    // Facts of a map, or why it is none: size, type (the narrowest that is proven, else
    // "unknown"), attainable score and the like. Accepts every text form that the game knows.
    virtual base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const = 0;
    // A fresh map of a type; the same request gives the same map. An error names what the game
    // can generate.
    virtual base::Result<std::string, MapError> generate(const GenerateRequest& request) const = 0;
    // Params that play on the map, as JSON text.
    virtual std::string params_for_map(std::string_view name) const = 0;
    // The same for a map's text, which the params hold then. Requires a text that validates.
    virtual std::string params_for_text(std::string_view text) const = 0;
};

// A map that is built into the program.
struct ShippedMap {
    std::string_view name;
    std::string_view text;
};

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
