#include "referee/net/tls/certificate.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <array>

#include "protocol/base/bytes.h"
#include "referee/files/named_file.h"

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
    const auto* const ends = X509_get0_notAfter(certificate.own.get());
    if (is_before(ends, now))
        return base::failure("the certificate " + file + " ended on " + text_of(ends) +
                             "; expected one that is valid today: have it renewed, or " +
                             std::string(how_to_go_without));
    if (!is_before(begins, now + std::chrono::seconds(1)))
        return base::failure("the certificate " + file + " is valid only from " + text_of(begins) +
                             " on; expected one that is valid today: look whether this machine's "
                             "clock is right, or wait");
    if (is_before(ends, now + renewal_time))
        certificate.warnings.push_back(
            "the certificate " + file + " ends on " + text_of(ends) +
            ", in less than 14 days; have it renewed, then `referee ctl reload` takes the new one");
    return {};
}

}  // namespace

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

}  // namespace referee::tls
