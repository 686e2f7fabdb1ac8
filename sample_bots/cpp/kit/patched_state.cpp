#include "sample_bots/cpp/kit/patched_state.h"

#include <nlohmann/json.hpp>

#include "protocol/limits.h"

namespace kit {
namespace {

nlohmann::json tree_of(protocol::json::View view) {
    std::string text;
    protocol::json::Writer writer(text);
    view.write(writer);
    return nlohmann::json::parse(text);
}

}  // namespace

struct PatchedState::Tree {
    nlohmann::json value;
};

PatchedState::PatchedState() : tree_(std::make_unique<Tree>()) {}
PatchedState::~PatchedState() = default;

void PatchedState::replace(protocol::json::View state) {
    tree_->value = tree_of(state);
    take_over();
}

bool PatchedState::patch(protocol::json::View delta) {
    try {
        tree_->value.patch_inplace(tree_of(delta));
        return take_over();
    } catch (const nlohmann::json::exception&) {
        return false;
    }
}

bool PatchedState::take_over() {
    text_ = tree_->value.dump();
    return document_.parse(text_, {.depth_max = protocol::limits::depth_max}).has_value();
}

}  // namespace kit
