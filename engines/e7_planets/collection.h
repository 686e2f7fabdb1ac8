#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/e7_planets/map.h"
#include "engines/maps.h"

namespace engines::e7_planets {

// The maps that ship with the game, and an instructor's own.
class PlanetsMaps final : public MapCollection {
 public:
    explicit PlanetsMaps(const Resources& resources);

    std::string_view version() const override;
    std::vector<std::string> names() const override;
    // Other spellings of a name (see RULES.md) are understood here and below.
    std::optional<std::string> text(std::string_view name) const override;
    std::string picture(std::string_view text) const override;
    base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const override;
    base::Result<std::string, MapError> generate(const GenerateRequest& request) const override;
    std::string params_for_map(std::string_view name) const override;
    std::string params_for_text(std::string_view text) const override;

    struct Named {
        std::string_view name;  // as it is listed
        std::string_view text;
        bool is_shipped = false;
    };
    // Nothing where there is no such map.
    std::optional<Named> find(std::string_view name) const;

 private:
    std::vector<MapFile> own_;
    std::string version_;
};

}  // namespace engines::e7_planets
