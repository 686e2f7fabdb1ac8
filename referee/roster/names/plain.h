#pragma once

#include <string>
#include <string_view>

namespace referee::names {

// A person's name as somebody writes it who has no accents, and small: "Müller, Zoë" is
// "muller, zoe", "Łukasz Øre" is "lukasz ore". Letters of other alphabets stay. Any bytes are
// taken.
std::string plain_letters(std::string_view name);

}  // namespace referee::names
