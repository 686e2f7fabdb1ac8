#pragma once

#include <string>

#include "protocol/json/writer.h"

namespace referee::daemon {

// The answer to an order that was carried out, as a line: {"ok":true, ...}. `fill` writes the rest.
template <typename Fill>
std::string done(Fill fill) {
    std::string line;
    protocol::json::Writer writer(line);
    writer.begin_object().member("ok", true);
    fill(writer);
    writer.end_object();
    return line + '\n';
}

}  // namespace referee::daemon
