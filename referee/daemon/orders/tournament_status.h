#pragma once

// How a tournament stands, as the order `status` tells it.

#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/daemon/host/host.h"
#include "referee/tournament/scheduler/waiting.h"

namespace referee::daemon {

// What that tournament waits for, of all that is waited for; an empty id: what belongs to none. The
// members tell programs what the text tells people.
void write_waiting(protocol::json::Writer& writer, Host& host,
                   const std::vector<scheduler::Waiting>& waiting, const std::string& tournament);

std::string how_to_undo_an_abort(const std::string& id);

// All of them. `waiting`: what they wait for.
void write_tournaments(protocol::json::Writer& writer, Host& host,
                       const std::vector<scheduler::Waiting>& waiting);

}  // namespace referee::daemon
