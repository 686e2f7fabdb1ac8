#include "referee/submit/exports/shape.h"

#include <algorithm>

#include "referee/submit/exports/gradescope_metadata.h"
#include "referee/submit/exports/shape_names.h"

namespace referee::exports {
namespace {

// The assignment's name that GitHub Classroom puts before each login is the same for all.
bool begin_alike(std::span<const std::string> paths) {
    std::string first;
    std::string_view common;
    std::size_t folders = 0;
    std::string_view last;
    for (const auto& path : paths) {
        const auto slash = path.find('/');
        if (slash == std::string::npos) return false;
        const auto folder = std::string_view(path).substr(0, slash);
        if (folder == last) continue;
        last = folder;
        if (++folders == 1) {
            common = folder;
            continue;
        }
        const auto end = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
        common = common.substr(0, static_cast<std::size_t>(end.first - common.begin()));
    }
    return folders > 1 && common.find('-') != std::string_view::npos;
}

}  // namespace

std::string_view name_of(Shape shape) {
    switch (shape) {
        case Shape::moodle:
            return "moodle";
        case Shape::canvas:
            return "canvas";
        case Shape::gradescope:
            return "gradescope";
        case Shape::classroom:
            return "classroom";
        case Shape::plain:
            break;
    }
    return "plain";
}

std::optional<Shape> shape_of(std::string_view name) {
    for (const auto shape : all_shapes) {
        if (name_of(shape) == name) return shape;
    }
    return std::nullopt;
}

Shape shape_in(std::span<const std::string> paths) {
    const auto most = [&paths](auto fits) {
        const auto count = std::count_if(paths.begin(), paths.end(), fits);
        return static_cast<std::size_t>(count) * 2 > paths.size();
    };
    const auto has_metadata =
        std::any_of(paths.begin(), paths.end(), [](const auto& path) { return is_metadata(path); });
    if (has_metadata || most([](const auto& path) { return gradescope_name(path).has_value(); }))
        return Shape::gradescope;
    if (most([](const auto& path) { return moodle_name(path).has_value(); })) return Shape::moodle;
    if (most([](const auto& path) { return canvas_name(path).has_value(); })) return Shape::canvas;
    return begin_alike(paths) ? Shape::classroom : Shape::plain;
}

}  // namespace referee::exports
