#pragma once

#include <memory>
#include <string>

#include "sample_bots/cpp/referee_bot.hpp"

namespace kit {

// A connection to "tls://host:port#sha256=...". The certificate must have the fingerprint that the
// address names; where it names none, it must be one that this machine trusts. What it throws says
// what was found and what to do: Lost where trying again may help.
std::unique_ptr<referee_bot::Connection> dial_tls(const std::string& address);

}  // namespace kit
