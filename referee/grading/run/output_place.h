#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/files/descriptor.h"

namespace referee::grading {

// Why grades may not be written into `out`: it is a symbolic link, or lies in one of `folders`,
// which programs see and students fill. Links are resolved. Empty where they may.
std::string mistake_in_place(const std::string& out, const std::vector<std::string>& folders);

// Makes the folder and its "games", and keeps other gradings off it for as long as the descriptor
// lives. An error says who holds it, or why it can't be made; then nothing was changed.
base::Result<files::Descriptor, std::string> take_place(const std::string& out);

}  // namespace referee::grading
