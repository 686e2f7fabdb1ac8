// Maps that nobody has seen: made by a seed, whenever the rubric is read.

#include <utility>

#include "protocol/base/split_mix.h"
#include "referee/grading/rubric/sections.h"
#include "referee/limits.h"

namespace referee::rubric {
namespace {

struct Generated {
    engines::GenerateRequest request;
    std::uint32_t count = 1;
};

Generated read_members(json::Reader& reader) {
    Generated generated;
    generated.request.type = reader.text("type");
    reader.integer("count", generated.count, 1, limits::rubric_maps_max, "5");
    for (const auto& [name, side] : {std::pair{"rows", &generated.request.rows},
                                     std::pair{"columns", &generated.request.columns}}) {
        if (const auto given = reader.optional_integer(name, {1}))
            *side = static_cast<std::size_t>(*given);
    }
    reader.no_others();
    return generated;
}

// A member that the generator finds fault with, by its own name for it.
std::string member_of(const engines::MapError& error) {
    return error.member.empty() ? "type" : error.member;
}

}  // namespace

std::vector<std::string> read_generated(json::Reader& series, const RubricContext& around,
                                        std::uint64_t seed) {
    const auto object = series.optional_object("generated");
    if (!object) return {};
    const auto before = object.mistakes().count();
    json::Reader reader(object);
    auto generated = read_members(reader);
    if (series.has("setups") || series.has("maps"))
        object.wrong(
            "its games have the maps that are made; expected no \"setups\" and no \"maps\" beside "
            "it");
    const auto* const maps = around.game == nullptr ? nullptr : around.game->maps();
    if (around.game != nullptr && maps == nullptr)
        object.wrong("the game " + std::string(around.game->info().id) + " has no maps");
    if (maps == nullptr || object.mistakes().count() > before) return {};
    base::SplitMix seeds(seed);
    std::vector<std::string> setups;
    for (std::uint32_t i = 0; i < generated.count; ++i) {
        generated.request.seed = static_cast<std::uint32_t>(seeds.next());
        const auto made = maps->generate(generated.request);
        if (!made) {
            reader.wrong(member_of(made.error()), made.error().message);
            return {};
        }
        setups.push_back(maps->params_for_text(*made));
    }
    return setups;
}

}  // namespace referee::rubric
