#pragma once

#include <string>
#include <string_view>

#include "referee/net/lobby/lobby.h"

namespace tests::sim {

// Knows every name, and lets everybody in.
class OpenRoster : public referee::lobby::LoginRoster {
 public:
    Answer check(const protocol::Login& /*login*/, const std::string& /*address*/) override {
        return {Verdict::welcome};
    }
    bool knows(std::string_view /*name*/) const override { return true; }
};

}  // namespace tests::sim
