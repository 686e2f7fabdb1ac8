#pragma once

namespace referee::playouts {

// From now on this process, and what it starts, runs only where nobody else wants the core. False
// where the kernel doesn't allow it.
bool take_idle_cores_only();

}  // namespace referee::playouts
