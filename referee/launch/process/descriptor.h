#pragma once

#include "referee/files/descriptor.h"

namespace referee::launcher {

using files::Descriptor;

}  // namespace referee::launcher
