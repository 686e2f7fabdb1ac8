#include "referee/net/tls/certificate.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "referee/files/file.h"

namespace referee::tls {
namespace {

// Longer than any chain of certificates; a log that was named by mistake is not read whole.
constexpr std::size_t file_bytes_max = 1024 * 1024;
constexpr std::string_view how_to_go_without =
    "leave out both \"certificate\" and \"key\" and the referee makes its own";

base::Result<std::string, std::string> read_file(const std::string& file, std::string_view what) {
    auto text = files::read_named_file(file, file_bytes_max);
    if (!text)
        return base::failure("the " + std::string(what) + " " + file + " " + text.error() +
                             "; expected a file in PEM, or " + std::string(how_to_go_without));
    return text;
}

Bio memory_of(const std::string& text) {
    return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// What a file seems to be that isn't what was expected.
std::string kind_of(const std::string& text) {
    constexpr char der_sequence = 0x30;
    if (text.empty()) return "an empty file";
    if (text.find("-----BEGIN ENCRYPTED PRIVATE KEY") != std::string::npos ||
        text.find("Proc-Type: 4,ENCRYPTED") != std::string::npos)
        return "a key that a passphrase encrypts";
    if (text.find("PRIVATE KEY-----") != std::string::npos) return "a private key";
    if (text.find("-----BEGIN CERTIFICATE-----") != std::string::npos) return "a certificate";
    if (text.find("-----BEGIN ") != std::string::npos) return "PEM of another kind";
    if (text.front() == der_sequence) return "what may be DER";
    return "no PEM";
}

base::Result<void, std::string> read_chain(const std::string& file, Certificate& into) {
    const auto text = read_file(file, "certificate");
    if (!text) return base::failure(text.error());
    const auto memory = memory_of(*text);
    into.own.reset(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
    if (into.own == nullptr) {
        const auto trouble = take_trouble();
        return base::failure(
            "the certificate " + file + " holds " + kind_of(*text) + " (" + trouble +
            "); expected a certificate in PEM, which begins with \"-----BEGIN CERTIFICATE-----\"; "
            "`openssl x509 -inform DER -in FILE -out NEW` makes PEM of DER");
    }
    while (auto* const next = PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr))
        into.authorities.emplace_back(next);
    ERR_clear_error();  // that there is no other one
    return {};
}

int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) {
    return 0;
}

base::Result<void, std::string> read_key(const std::string& file, Certificate& into) {
    const auto text = read_file(file, "key");
    if (!text) return base::failure(text.error());
    into.key.reset(
        PEM_read_bio_PrivateKey(memory_of(*text).get(), nullptr, no_passphrase, nullptr));
    if (into.key == nullptr) {
        const auto trouble = take_trouble();
        return base::failure(
            "the key " + file + " holds " + kind_of(*text) + " (" + trouble +
            "); expected a private key in PEM, without a passphrase: `openssl pkey -in FILE -out "
            "NEW` takes one off");
    }
    struct stat facts {};
    if (::stat(file.c_str(), &facts) == 0 && (facts.st_mode & S_IROTH) != 0)
        into.warnings.push_back("the key " + file +
                                " can be read by everybody on this machine; expected `chmod 600 " +
                                file + "`");
    return {};
}

std::string text_of(const ASN1_TIME* time) {
    const Bio memory(BIO_new(BIO_s_mem()));
    ASN1_TIME_print(memory.get(), time);
    std::array<char, 64> text{};
    const auto bytes = BIO_read(memory.get(), text.data(), static_cast<int>(text.size()));
    return bytes > 0 ? std::string(text.data(), static_cast<std::size_t>(bytes)) : std::string("?");
}

// Whether the certificate's time lies before that moment.
bool is_before(const ASN1_TIME* time, WallTime moment) {
    return ASN1_TIME_cmp_time_t(time, std::chrono::system_clock::to_time_t(moment)) < 0;
}

base::Result<void, std::string> check_time(const std::string& file, WallTime now,
                                           Certificate& certificate) {
    const auto* const begins = X509_get0_notBefore(certificate.own.get());
    if (!is_before(begins, now + std::chrono::seconds(1)))
        return base::failure("the certificate " + file + " is valid only from " + text_of(begins) +
                             " on; expected one that is valid today: look whether this machine's "
                             "clock is right, or wait");
    if (auto warning = warning_of_end(*certificate.own, file, now); !warning.empty())
        certificate.warnings.push_back(std::move(warning));
    return {};
}

constexpr mode_t owner_only = 0600;
constexpr mode_t readable_by_all = 0644;
constexpr int serial_bits = 64;  // so that no two are the same
constexpr long x509_version_3 = 2;

void add_extension(X509& certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
    const std::unique_ptr<X509_EXTENSION, OpenSslFree> extension(
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    REFEREE_ASSERT(extension != nullptr);
    const int added = X509_add_ext(&certificate, extension.get(), -1);
    REFEREE_ASSERT(added == 1);
}

void set_serial(X509& certificate) {
    BIGNUM* const number = BN_new();
    const int drawn = BN_rand(number, serial_bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY);
    REFEREE_ASSERT(drawn == 1);
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(&certificate));
    BN_free(number);
}

X509Certificate signed_by(EVP_PKEY& key, const std::string& host, WallTime now) {
    X509Certificate made(X509_new());
    X509_set_version(made.get(), x509_version_3);
    set_serial(*made);
    // Clocks of students' machines may be a day behind.
    const auto begins = std::chrono::system_clock::to_time_t(now - std::chrono::hours(24));
    const auto ends = std::chrono::system_clock::to_time_t(now + made_certificate_time);
    ASN1_TIME_set(X509_getm_notBefore(made.get()), begins);
    ASN1_TIME_set(X509_getm_notAfter(made.get()), ends);
    auto* const name = X509_get_subject_name(made.get());
    // A common name has 64 bytes at most; the whole name stands in the extension.
    const auto common = host.substr(0, ub_common_name);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(common.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    X509_set_pubkey(made.get(), &key);
    add_extension(*made, NID_subject_alt_name, "DNS:" + host + ",DNS:localhost,IP:127.0.0.1");
    add_extension(*made, NID_basic_constraints, "critical,CA:FALSE");
    add_extension(*made, NID_ext_key_usage, "serverAuth");
    const int bytes = X509_sign(made.get(), &key, EVP_sha256());
    REFEREE_ASSERT(bytes > 0);
    return made;
}

base::Result<void, std::string> write_whole(const std::string& file, BIO& text, mode_t mode) {
    char* bytes = nullptr;
    const auto size = BIO_get_mem_data(&text, &bytes);
    auto kept = files::keep_file(file, {bytes, static_cast<std::size_t>(size)}, mode);
    if (!kept) return base::failure("can't write " + file + ": " + kept.error());
    return {};
}

// A name that may stand in a certificate.
std::string written_host(const std::string& host) {
    const bool good = !host.empty() && host.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
                                           "YZ0123456789-.") == std::string::npos;
    return good ? host : "localhost";
}

// Of TLS 1.2; in 1.3 there are no others. Every client of the last ten years has one of these.
constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

void forbid(SSL_CTX& context) {
    // Connections live long: resuming one would save little. A second handshake within a connection
    // is work that only the peer decides about.
    SSL_CTX_set_options(&context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                      SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_num_tickets(&context, 0);
    SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
    // Most connections are silent most of the time.
    SSL_CTX_set_mode(&context, SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

std::string warning_of_end(const X509& certificate, const std::string& file, WallTime now) {
    const auto* const ends = X509_get0_notAfter(&certificate);
    if (!is_before(ends, now + renewal_time)) return {};
    return "the certificate " + file +
           (is_before(ends, now)
                ? " ended on " + text_of(ends) +
                      ": whoever knows it by its fingerprint still comes in, all others don't"
                : " ends on " + text_of(ends) + ", in less than 14 days") +
           "; have it renewed, then `referee ctl reload` takes the new one";
}

base::Result<Certificate, std::string> read_certificate(const CertificateFiles& files,
                                                        WallTime now) {
    Certificate read;
    if (auto chain = read_chain(files.certificate, read); !chain)
        return base::failure(std::move(chain.error()));
    if (auto key = read_key(files.key, read); !key) return base::failure(std::move(key.error()));
    if (X509_check_private_key(read.own.get(), read.key.get()) != 1) {
        const auto trouble = take_trouble();
        return base::failure("the key " + files.key + " does not belong to the certificate " +
                             files.certificate + " (" + trouble +
                             "); expected the key for which the certificate was given out");
    }
    if (auto good = check_time(files.certificate, now, read); !good)
        return base::failure(std::move(good.error()));
    read.fingerprint = fingerprint_of(*read.own);
    return read;
}

std::string fingerprint_of(const X509& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    X509_digest(&certificate, EVP_sha256(), hash.data(), &size);
    return base::hex_of({hash.data(), size});
}

CertificateFiles own_files_in(const std::string& folder) {
    return {folder + "/tls-certificate.pem", folder + "/tls-key.pem"};
}

base::Result<bool, std::string> make_own_certificate(const CertificateFiles& files,
                                                     const std::string& host, WallTime now) {
    std::error_code ignored;
    const bool has_certificate = std::filesystem::exists(files.certificate, ignored);
    const bool has_key = std::filesystem::exists(files.key, ignored);
    if (has_certificate && has_key) return false;
    if (has_certificate)
        return base::failure("the certificate " + files.certificate + " is there, but its key " +
                             files.key +
                             " is gone; expected both: bring the key back, or remove the "
                             "certificate, then both are made anew with another fingerprint");
    // A key alone was left by a start that was stopped before the certificate was written: nobody
    // knows its fingerprint.
    const Key key(EVP_EC_gen("P-256"));
    if (key == nullptr) return base::failure("can't make a key: " + take_trouble());
    const auto certificate = signed_by(*key, written_host(host), now);
    const Bio key_text(BIO_new(BIO_s_mem()));
    PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    if (auto written = write_whole(files.key, *key_text, owner_only); !written)
        return base::failure(std::move(written.error()));
    const Bio certificate_text(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(certificate_text.get(), certificate.get());
    if (auto written = write_whole(files.certificate, *certificate_text, readable_by_all); !written)
        return base::failure(std::move(written.error()));
    return true;
}

base::Result<std::shared_ptr<const Context>, std::string> Context::of(Certificate certificate) {
    SslContext context(SSL_CTX_new(TLS_server_method()));
    REFEREE_ASSERT(context != nullptr);
    const auto least = SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    const int chosen = SSL_CTX_set_cipher_list(context.get(), ciphers);
    REFEREE_ASSERT(least == 1 && chosen == 1);
    forbid(*context);
    bool used = SSL_CTX_use_certificate(context.get(), certificate.own.get()) == 1 &&
                SSL_CTX_use_PrivateKey(context.get(), certificate.key.get()) == 1;
    for (const auto& authority : certificate.authorities)
        used = used && SSL_CTX_add1_chain_cert(context.get(), authority.get()) == 1;
    if (!used)
        return base::failure("OpenSSL doesn't take the certificate: " + take_trouble() +
                             "; expected a key of ECDSA P-256 or RSA of 2048 bits or more");
    return std::shared_ptr<const Context>(
        new Context(std::move(context), std::move(certificate.fingerprint)));
}

Ssl Context::new_connection() const {
    Ssl connection(SSL_new(context_.get()));
    REFEREE_ASSERT(connection != nullptr);
    SSL_set_accept_state(connection.get());
    return connection;
}

}  // namespace referee::tls
