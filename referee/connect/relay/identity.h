#pragma once

#include <string>
#include <string_view>

#include "protocol/json/document.h"

namespace referee::relay {

// As whom a program plays. What is empty is as the program says itself.
struct BotIdentity {
    std::string name;
    std::string token;
    std::string password;
    std::string version{};  // of the program
};

// The program's login with the identity in it, as a line without its end. Members that are none of
// the identity's stay as they are. Requires an object.
std::string login_line(protocol::json::View login, const BotIdentity& identity);

// A login line as it may be shown: without token and password. Other lines are given back.
std::string without_secrets(std::string_view line);

}  // namespace referee::relay
