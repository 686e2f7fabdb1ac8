#pragma once

#include <cstddef>

#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/game/result/result.h"

namespace referee::jobs {

// Of this machine; takes some hundredths of a second of one core. The sandbox is left empty.
HostFacts host_facts();

void write_host(protocol::json::Writer& writer, const HostFacts& host);
// What is no fact of a host is a mistake of the reader's.
HostFacts read_host(protocol::json::Reader& reader);

}  // namespace referee::jobs
