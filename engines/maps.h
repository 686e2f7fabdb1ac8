#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

// The maps (or mazes) of a game that has them.

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

// Those that ship with a game and those that an instructor brought along.
class MapCollection {
 public:
    virtual ~MapCollection() = default;

    // Changes whenever a shipped map changes; results tell it. An instructor's maps may have one of
    // their own, which stands for all then.
    std::string_view version() const { return version_; }
    // In the order to list them in; the instructor's own last.
    std::vector<std::string> names() const;
    // The map's text in the form in which it can be given to `examine` and kept in a file.
    std::optional<std::string> text(std::string_view name) const;

    struct Named {
        std::string_view name;  // as it is listed
        std::string_view text;
        bool is_shipped = false;
    };
    // Nothing where there is no such map.
    std::optional<Named> find(std::string_view name) const;

    // A picture for a terminal. Requires a text that `examine` accepts.
    virtual std::string picture(std::string_view text) const = 0;
    // Facts of a map, or why it is none: size, type (the narrowest that is proven, else
    // "unknown"), attainable score and the like. Accepts every text form that the game knows.
    virtual base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const = 0;
    // A fresh map of a type; the same request gives the same map. An error names what the game
    // can generate.
    virtual base::Result<std::string, MapError> generate(const GenerateRequest& request) const = 0;
    // Params that play on the map, as JSON text.
    virtual std::string params_for_map(std::string_view name) const = 0;
    // The same for a map's text, which the params hold then. Requires a text that `examine`
    // accepts.
    virtual std::string params_for_text(std::string_view text) const = 0;

 protected:
    MapCollection(const Resources& own, std::span<const ShippedMap> shipped,
                  std::string_view shipped_version);

 private:
    // Of a name that is spelt otherwise.
    virtual std::string_view listed_name(std::string_view name) const { return name; }

    std::vector<MapFile> own_;
    std::span<const ShippedMap> shipped_;
    std::string version_;
};

inline MapCollection::MapCollection(const Resources& own, std::span<const ShippedMap> shipped,
                                    std::string_view shipped_version)
    : own_(own.maps),
      shipped_(shipped),
      version_(own.maps_version.empty() ? shipped_version : own.maps_version) {}

inline std::vector<std::string> MapCollection::names() const {
    const auto is_own = [&](std::string_view name) {
        return std::any_of(own_.begin(), own_.end(),
                           [&](const MapFile& file) { return file.name == name; });
    };
    std::vector<std::string> names;
    for (const auto& map : shipped_) {
        if (!is_own(map.name)) names.emplace_back(map.name);
    }
    for (const auto& file : own_) names.push_back(file.name);
    return names;
}

inline std::optional<std::string> MapCollection::text(std::string_view name) const {
    const auto found = find(name);
    return found ? std::optional(std::string(found->text)) : std::nullopt;
}

inline std::optional<MapCollection::Named> MapCollection::find(std::string_view name) const {
    const auto listed = listed_name(name);
    for (const auto spelling : {name, listed}) {
        for (const auto& file : own_) {
            if (file.name == spelling) return Named{file.name, file.text, false};
        }
    }
    for (const auto& map : shipped_) {
        if (map.name == listed) return Named{map.name, map.text, true};
    }
    return std::nullopt;
}

}  // namespace engines
