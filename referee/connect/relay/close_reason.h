#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace referee::relay {

// What a goodbye on a connection means for the bridge.
enum class After : std::uint8_t {
    again,           // dial again: nobody did anything wrong
    later,           // the same, and a person is told why it takes time
    finished,        // all is over
    refused,         // it is of no use to dial again
    program_failed,  // the program broke a rule of the connection
};

struct CloseReason {
    After after = After::again;
    std::string words;  // for a person
};

// Whether the referee closes the connection behind an error of that code.
bool is_parting(std::string_view code);

// Of an error that closes the connection. `message` is the referee's own.
CloseReason close_reason_of_error(std::string_view code, std::string_view message);

// Of the referee's `bye`.
CloseReason close_reason_of_bye(std::string_view reason, std::string_view message);

}  // namespace referee::relay
