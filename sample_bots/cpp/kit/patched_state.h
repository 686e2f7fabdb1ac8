#pragma once

#include <memory>
#include <string>

#include "protocol/json/document.h"

namespace kit {

// A game's state that is kept up to date by RFC 6902 patches. Only bots that asked for changes
// instead of whole states have one: it costs a tree.
class PatchedState {
 public:
    PatchedState();
    ~PatchedState();
    PatchedState(const PatchedState&) = delete;
    PatchedState& operator=(const PatchedState&) = delete;

    // The whole state anew.
    void replace(protocol::json::View state);
    // Applies a patch. False where it doesn't fit: view() stays, and only replace() mends it.
    bool patch(protocol::json::View delta);

    // Valid until the next change.
    protocol::json::View view() const { return document_.root(); }

 private:
    struct Tree;

    bool take_over();

    std::unique_ptr<Tree> tree_;
    std::string text_;
    protocol::json::Document document_;
};

}  // namespace kit
