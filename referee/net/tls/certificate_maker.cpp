#include "referee/net/tls/certificate_maker.h"

#include <openssl/bn.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <filesystem>

#include "protocol/base/assertion.h"
#include "referee/files/own_files.h"

namespace referee::tls {
namespace {

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

}  // namespace

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

}  // namespace referee::tls
