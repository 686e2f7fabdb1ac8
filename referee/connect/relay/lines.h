#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/json/document.h"

namespace referee::relay {

// A line that a program printed, as a terminal may show it: a tab is blanks, what else isn't
// printable can be seen.
std::string printed_text(std::string_view line);

// Which turn a line asks for. Refers to the line.
struct TurnPeek {
    std::string_view game_id;
    std::int64_t turn = 0;
};

// Looks only at the beginning of the line, where a referee of ours writes it: the state behind it
// is long, and the bot's clock runs. Nothing where the line is no `turn`, or is written otherwise;
// then it has to be read whole.
std::optional<TurnPeek> peek_at_turn(std::string_view line);

// ---- Logins ---------------------------------------------------------------------------------

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
