#include "referee/grading/verdict/attainable.h"

#include "protocol/base/assertion.h"

namespace referee::verdict {
namespace {

namespace json = protocol::json;

constexpr std::string_view attainable_member = "attainable";
// As deep as a config is read, from which the params come.
constexpr std::size_t params_depth_max = 64;

}  // namespace

std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail) {
    json::Document outcome;
    const bool is_read = static_cast<bool>(outcome.parse(detail));
    REFEREE_ASSERT(is_read);
    json::Document given;
    const bool params_read =
        static_cast<bool>(given.parse(params, {.depth_max = params_depth_max}));
    REFEREE_ASSERT(params_read);
    const auto most = game.attainable(given.root());
    if (!most || outcome.root().find(attainable_member)) return std::string(detail);
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto [name, value] : outcome.root().members()) {
        writer.key(name);
        value.write(writer);
    }
    writer.key(attainable_member).integer(*most);
    writer.end_object();
    return text;
}

}  // namespace referee::verdict
