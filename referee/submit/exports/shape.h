#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// In which way a service names the files of its exports. configs/GRADING.md shows each.

namespace referee::exports {

enum class Shape : std::uint8_t {
    moodle,
    canvas,
    gradescope,
    classroom,  // GitHub Classroom: a folder for each repository, ASSIGNMENT-LOGIN
    plain,      // a folder or an archive for each submission, named after who hands it in
};
inline constexpr std::array all_shapes = {Shape::moodle, Shape::canvas, Shape::gradescope,
                                          Shape::classroom, Shape::plain};

// "moodle", "canvas", "gradescope", "classroom", "plain".
std::string_view name_of(Shape shape);
std::optional<Shape> shape_of(std::string_view name);

// The shape that most of these paths have. `plain` where they have none of the others.
Shape shape_in(std::span<const std::string> paths);

}  // namespace referee::exports
