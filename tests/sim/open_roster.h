#pragma once

#include <string>
#include <string_view>

#include "referee/net/lobby/lobby.h"

namespace tests::sim {

// Knows every name, and lets everybody in.
class OpenRoster : public referee::lobby::LoginRoster {
 public:
    Verdict check(const protocol::Login& /*login*/, const std::string& /*address*/) override {
        return Verdict::welcome;
    }
    Refusal why_refused(const protocol::Login& /*login*/,
                        const std::string& /*address*/) const override {
        return {};
    }
    bool knows(std::string_view /*name*/) const override { return true; }
};

}  // namespace tests::sim
