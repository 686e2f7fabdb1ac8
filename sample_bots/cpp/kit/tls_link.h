#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/address.h"
#include "protocol/base/result.h"

namespace kit {

// Why there is no connection, in words for a person.
struct NoConnection {
    std::string message;
    bool for_good = false;  // it is of no use to try again
};

// TLS over a connected socket, which it doesn't own. Blocking, as the socket is.
class TlsLink {
 public:
    // Shakes hands and looks who answers: the certificate must have the fingerprint that the
    // address names; where it names none, it must be one that this machine trusts. An error says
    // what was found and what to do.
    static base::Result<std::unique_ptr<TlsLink>, NoConnection> over(
        int socket, const protocol::ServerAddress& address);
    ~TlsLink();
    TlsLink(const TlsLink&) = delete;
    TlsLink& operator=(const TlsLink&) = delete;
    TlsLink(TlsLink&&) = delete;
    TlsLink& operator=(TlsLink&&) = delete;

    // How many bytes came: at least one, or none where the connection is over.
    std::size_t read(std::span<char> room);
    // Whether all of it was taken.
    bool write(std::string_view text);

 private:
    struct Session;
    explicit TlsLink(std::unique_ptr<Session> session);

    std::unique_ptr<Session> session_;
};

}  // namespace kit
