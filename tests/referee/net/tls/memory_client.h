#pragma once

#include <openssl/err.h>

#include <array>
#include <stdexcept>
#include <string>

#include "referee/net/tls/openssl_objects.h"

namespace referee::tls {

// A bot's side of TLS, in memory: records in, records out.
class MemoryClient {
 public:
    explicit MemoryClient(int version_max = TLS1_3_VERSION)
        : context_(SSL_CTX_new(TLS_client_method())) {
        // Old versions are offered too, for servers that must refuse them.
        SSL_CTX_set_security_level(context_.get(), 0);
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
        SSL_CTX_set_max_proto_version(context_.get(), version_max);
        ssl_.reset(SSL_new(context_.get()));
        in_ = BIO_new(BIO_s_mem());
        out_ = BIO_new(BIO_s_mem());
        SSL_set_bio(ssl_.get(), in_, out_);
        SSL_set_connect_state(ssl_.get());
    }

    // Takes records; goes on with the handshake as far as it can.
    void take(const std::string& records) {
        if (!records.empty()) BIO_write(in_, records.data(), static_cast<int>(records.size()));
        ERR_clear_error();
        if (SSL_is_init_finished(ssl_.get()) == 0) SSL_do_handshake(ssl_.get());
        std::array<char, 16 * 1024> text{};
        std::size_t bytes = 0;
        while (SSL_read_ex(ssl_.get(), text.data(), text.size(), &bytes) == 1)
            heard.append(text.data(), bytes);
        said_goodbye = (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }
    // What it has to send.
    std::string records() {
        std::string all;
        std::array<char, 16 * 1024> some{};
        for (int bytes = 0; (bytes = BIO_read(out_, some.data(), some.size())) > 0;)
            all.append(some.data(), static_cast<std::size_t>(bytes));
        return all;
    }
    // One record that carries the text.
    std::string record_of(const std::string& text) {
        ERR_clear_error();
        std::size_t bytes = 0;
        if (SSL_write_ex(ssl_.get(), text.data(), text.size(), &bytes) != 1)
            throw std::runtime_error(take_trouble());
        return records();
    }
    std::string goodbye() {
        SSL_shutdown(ssl_.get());
        return records();
    }
    bool is_open() const { return SSL_is_init_finished(ssl_.get()) != 0; }
    SSL* native() { return ssl_.get(); }

    std::string heard;  // as it was before it was encrypted
    bool said_goodbye = false;

 private:
    SslContext context_;
    Ssl ssl_;
    BIO* in_ = nullptr;
    BIO* out_ = nullptr;
};

}  // namespace referee::tls
