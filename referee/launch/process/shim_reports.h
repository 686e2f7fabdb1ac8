#pragma once

// The shim's reports on its control socket. Some of them bring a descriptor.

#include "referee/launch/process/descriptor.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::process {

// Who has nobody to report to any more goes on: that the referee is gone is seen elsewhere.
void send_report(int control, const ShimReport& report, const Descriptor& given);

// Never waits. Returns what recv() returns, with its errno; the descriptor is put into `given`
// where one came, and is closed on exec.
ssize_t receive_report(int control, ShimReport& report, Descriptor& given);

}  // namespace referee::process
