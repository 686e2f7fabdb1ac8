#pragma once

namespace referee::transport {

// Notices a peer whose link is gone without a word: the connection fails after about 20 s without
// an answer, whether bytes are on the way to the peer or nothing is said. A link that comes back
// before that loses nothing. A peer that only thinks is safe, because its kernel answers for it.
void watch_peer(int socket);

// What a bot's connection needs: no delay, watch_peer(), and that bytes which the peer doesn't take
// stay in our own buffer and not in the kernel's, where nobody counts them. (Bytes that are under
// way on a long path are not bounded by this.) Of a socket that listens: all that are accepted from
// it have that, without a call for each.
void set_up_for_bots(int socket);

}  // namespace referee::transport
