#include "referee/net/tls/openssl_objects.h"

#include <openssl/err.h>

namespace referee::tls {

std::string take_trouble() {
    const auto code = ERR_peek_error();
    const char* const reason = ERR_reason_error_string(code);
    std::string text = reason != nullptr ? reason : "no reason is known";
    ERR_clear_error();
    return text;
}

}  // namespace referee::tls
