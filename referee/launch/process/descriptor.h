#pragma once

#include "referee/files/descriptor.h"

namespace referee::process {

using files::Descriptor;

}  // namespace referee::process
