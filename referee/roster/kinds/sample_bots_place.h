#pragma once

#include <string>

namespace referee::kinds {

// Where the folder of the sample bots lies for a program PREFIX/bin/NAME: in PREFIX/share/referee.
// The package lays it out so, and the build has a link there that leads to the sources.
std::string sample_bots_for(const std::string& program);

// The same for the program that runs, with all links followed as far as they lead anywhere.
std::string sample_bots_place();

}  // namespace referee::kinds
