#pragma once

#include <functional>
#include <string>

#include "protocol/json/document.h"

namespace referee::control {

// Carries out an instructor's orders. A request is an object such as
// {"command":"pause","tournament":"friday","reason":"lunch"}. The answer is one line,
// {"ok":true,...} or {"ok":false,"error":"..."}. It is given once, at once or later.
class ControlCommands {
 public:
    using Answer = std::function<void(std::string line)>;

    virtual ~ControlCommands() = default;
    virtual void carry_out(protocol::json::View request, Answer answer) = 0;
};

// {"ok":false,"error":"..."} as a line.
std::string refusal(const std::string& message);

}  // namespace referee::control
