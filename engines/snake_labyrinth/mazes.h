#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/maps.h"
#include "protocol/base/result.h"

namespace engines::snake_labyrinth {

// A fresh maze of a level ("challenge1" to "final"), as the text of a maze file: the same request
// gives the same text on every machine. An exit can always be reached without drilling, and the
// level's promise is kept. Sides go from 5 to side_max; where absent, they are drawn.
base::Result<std::string, MapError> generate_maze(const GenerateRequest& request);

// The mazes that ship with the game: the files of mazes/, in the order of CMakeLists.txt.
std::span<const ShippedMap> shipped_mazes();

// Goes up by one whenever a shipped maze, its name or the order changes.
inline constexpr std::string_view mazes_version = "1";

// The shipped mazes and an instructor's own.
class MazeCollection final : public MapCollection {
 public:
    explicit MazeCollection(const Resources& resources);

    std::string_view version() const override { return mazes_version; }
    std::vector<std::string> names() const override;
    std::optional<std::string> text(std::string_view name) const override;
    std::string picture(std::string_view text) const override;
    base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const override;
    base::Result<std::string, MapError> generate(const GenerateRequest& request) const override;
    std::string params_for_map(std::string_view name) const override;
    std::string params_for_text(std::string_view text) const override;

 private:
    bool is_own(std::string_view name) const;

    std::vector<MapFile> own_;
};

}  // namespace engines::snake_labyrinth
