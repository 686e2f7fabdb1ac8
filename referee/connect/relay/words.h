#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.h"

// Sentences for a person about what a bot was told.

namespace referee::relay {

// "12 ms", "0.377 ms", "1000 ms".
std::string milliseconds_text(std::int64_t us);

// "bob"; "bob, cleo and dan"; empty where nobody else plays.
std::string others_text(const std::vector<std::string>& names, std::size_t seat);

// What the bot did wrong: "your answer came 12 ms late: ...". For an answer over its budget the
// lateness is told; else the words are the referee's.
std::string cause_of(const protocol::Fault& fault);
// What followed from it, as the end of a sentence: "the move counts as missing"; empty where
// nothing did.
std::string_view outcome_of(protocol::Consequence consequence);

// "you won", "you lost", "you drew", "you came 3rd of 4"; with a single seat "you scored 31".
std::string verdict_of(const std::vector<std::int64_t>& places, std::size_t seat,
                       const std::string& score);

}  // namespace referee::relay
