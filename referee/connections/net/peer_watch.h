#pragma once

namespace referee::net {

// A peer whose link is gone without a word is noticed: the connection fails after about 20 s
// without an answer, whether something is on the way to it or nothing is said. A link that comes
// back before that loses nothing, and a peer that merely thinks is answered for by its kernel.
void watch_peer(int socket);

// What a peer doesn't take stays with us instead of in the kernel, where nobody counts it. What is
// under way on a long path isn't bounded by this.
void bound_unsent(int socket);

}  // namespace referee::net
