#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/address.h"

namespace kit {

// TLS over a connected socket, which it doesn't own. Blocking, as the socket is.
class TlsLink {
 public:
    // Shakes hands and looks who answers: the certificate must have the fingerprint that the
    // address names; where it names none, it must be one that this machine trusts. Null where it is
    // another one, or where nobody speaks TLS there; `error` says what was found and what to do.
    static std::unique_ptr<TlsLink> over(int socket, const protocol::ServerAddress& address,
                                         std::string& error);
    ~TlsLink();
    TlsLink(const TlsLink&) = delete;
    TlsLink& operator=(const TlsLink&) = delete;
    TlsLink(TlsLink&&) = delete;
    TlsLink& operator=(TlsLink&&) = delete;

    // As read(2) and write(2), without errno; write takes all or nothing.
    long read(std::span<char> room);
    long write(std::string_view text);

 private:
    struct Session;
    explicit TlsLink(std::unique_ptr<Session> session);

    std::unique_ptr<Session> session_;
};

}  // namespace kit
