#include "referee/net/tls/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>

#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/store/store_damage.h"

namespace referee::tls {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto day = 24h;

void write(const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

std::string text_in(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

mode_t mode_of(const std::string& file) {
    struct stat facts {};
    EXPECT_EQ(::stat(file.c_str(), &facts), 0);
    return facts.st_mode & 0777U;
}

class CertificateTest : public ::testing::Test {
 protected:
    const WallTime now_ = std::chrono::system_clock::now();
    tests::FolderOfTest folder_;
};

TEST_F(CertificateTest, IsMadeOnceAndIsGood) {
    const auto files = own_files_in(folder_.path);
    const auto made = make_own_certificate(files, "lab-server", now_);
    ASSERT_TRUE(made) << made.error();
    EXPECT_TRUE(*made);
    EXPECT_EQ(mode_of(files.key), 0600U);
    const auto first = read_certificate(files, now_);
    ASSERT_TRUE(first) << first.error();
    EXPECT_THAT(first->warnings, ElementsAre());
    EXPECT_EQ(first->fingerprint.size(), 64U);
    EXPECT_EQ(EVP_PKEY_get_bits(first->key.get()), 256);
    EXPECT_EQ(X509_check_host(first->own.get(), "lab-server", 0, 0, nullptr), 1);
    const auto again = make_own_certificate(files, "lab-server", now_ + 100 * day);
    ASSERT_TRUE(again) << again.error();
    EXPECT_FALSE(*again) << "it is kept";
    EXPECT_EQ(read_certificate(files, now_)->fingerprint, first->fingerprint);
    EXPECT_TRUE(read_certificate(files, now_ + 3600 * day)) << "it is good for ten years";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path), {}), 2)
        << "nothing else is left";
}

TEST_F(CertificateTest, TwoAreDifferent) {
    const tests::FolderOfTest other;
    const auto one = read_certificate(made_in(folder_, now_), now_);
    const auto two = read_certificate(made_in(other, now_), now_);
    EXPECT_NE(one->fingerprint, two->fingerprint);
}

TEST_F(CertificateTest, TheFingerprintIsThatOfTheWholeCertificate) {
    const auto files = made_in(folder_, now_);
    const auto* const shown =
        "openssl x509 -noout -fingerprint -sha256 -in %s | tr -d : | tr A-F a-f";
    const auto command =
        std::string(shown).replace(std::string(shown).find("%s"), 2, files.certificate);
    auto* const pipe = ::popen(command.c_str(), "r");
    std::string line(256, '\0');
    line.resize(std::fread(line.data(), 1, line.size(), pipe));
    if (::pclose(pipe) != 0 || line.empty()) GTEST_SKIP() << "there is no program openssl here";
    EXPECT_THAT(line, HasSubstr(read_certificate(files, now_)->fingerprint));
}

TEST_F(CertificateTest, ANameThatMayNotStandInOneIsLeftOut) {
    for (const auto* host : {"", "a b", "x,IP:8.8.8.8", "\n"}) {
        const tests::FolderOfTest folder;
        const auto read = read_certificate(made_in(folder, now_, host), now_);
        ASSERT_TRUE(read) << host;
        EXPECT_EQ(X509_check_host(read->own.get(), "localhost", 0, 0, nullptr), 1) << host;
        EXPECT_NE(X509_check_ip_asc(read->own.get(), "8.8.8.8", 0), 1) << host;
    }
}

TEST_F(CertificateTest, AKeyAloneIsMadeAnewAndACertificateAloneIsNot) {
    const auto files = made_in(folder_, now_);
    const auto old = read_certificate(files, now_)->fingerprint;
    ::unlink(files.certificate.c_str());
    ASSERT_TRUE(make_own_certificate(files, "lab-server", now_));
    EXPECT_NE(read_certificate(files, now_)->fingerprint, old);
    ::unlink(files.key.c_str());
    const auto refused = make_own_certificate(files, "lab-server", now_);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("its key " + files.key + " is gone"));
    EXPECT_THAT(refused.error(), HasSubstr("bring the key back, or remove the certificate"));
}

TEST_F(CertificateTest, AFolderThatCanNotBeWritten) {
    const auto refused = make_own_certificate(own_files_in(folder_.at("none")), "host", now_);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("can't write"));
    EXPECT_THAT(refused.error(), HasSubstr("No such file"));
}

std::string text_of(const Bio& memory) {
    char* text = nullptr;
    const auto bytes = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(bytes)};
}

std::string pem_of_encrypted(EVP_PKEY& key) {
    const Bio memory(BIO_new(BIO_s_mem()));
    PEM_write_bio_PKCS8PrivateKey(memory.get(), &key, EVP_aes_256_cbc(), "word", 4, nullptr,
                                  nullptr);
    return text_of(memory);
}

std::string der_of(X509& certificate) {
    const Bio memory(BIO_new(BIO_s_mem()));
    i2d_X509_bio(memory.get(), &certificate);
    return text_of(memory);
}

// Each says what was found and what to do.
TEST_F(CertificateTest, BadOnesAreToldByWhatIsWrong) {
    struct Case {
        std::string name;
        std::function<void(CertificateFiles& files)> damage;
        std::string found;
        std::string remedy;
    };
    const tests::FolderOfTest other;
    const auto others = made_in(other, now_);
    const std::vector<Case> cases{
        {"no certificate", [](auto& files) { files.certificate += ".gone"; },
         "tls-certificate.pem.gone can't be read: No such file", "makes its own"},
        {"no key", [](auto& files) { files.key += ".gone"; },
         "tls-key.pem.gone can't be read: No such file", "makes its own"},
        {"a folder", [](auto& files) { files.certificate = "/tmp"; }, "/tmp is a directory",
         "expected a file in PEM"},
        {"an empty file", [](auto& files) { write(files.certificate, ""); }, "an empty file",
         "BEGIN CERTIFICATE"},
        {"another text", [](auto& files) { write(files.certificate, "# notes"); }, "no PEM",
         "BEGIN CERTIFICATE"},
        {"a cut certificate",
         [](auto& files) { write(files.certificate, text_in(files.certificate).substr(0, 200)); },
         "holds a certificate (", "BEGIN CERTIFICATE"},
        {"DER",
         [this](auto& files) {
             write(files.certificate, der_of(*read_certificate(files, now_)->own));
         },
         "what may be DER", "openssl x509 -inform DER"},
        {"the key as certificate", [](auto& files) { files.certificate = files.key; },
         "holds a private key", "BEGIN CERTIFICATE"},
        {"the certificate as key", [](auto& files) { files.key = files.certificate; },
         "holds a certificate", "expected a private key in PEM"},
        {"a key with a passphrase",
         [this](auto& files) {
             write(files.key, pem_of_encrypted(*read_certificate(files, now_)->key));
         },
         "a key that a passphrase encrypts", "openssl pkey"},
        {"another's key", [&others](auto& files) { files.key = others.key; },
         "does not belong to the certificate", "expected the key for which"},
    };
    for (const auto& one : cases) {
        const tests::FolderOfTest folder;
        auto files = made_in(folder, now_);
        one.damage(files);
        const auto read = read_certificate(files, now_);
        ASSERT_FALSE(read) << one.name;
        EXPECT_THAT(read.error(), HasSubstr(one.found)) << one.name;
        EXPECT_THAT(read.error(), HasSubstr(one.remedy)) << one.name;
        EXPECT_EQ(read.error().find('\n'), std::string::npos) << one.name;
    }
}

// A certificate that was changed is refused, or has another fingerprint, which bots compare.
TEST_F(CertificateTest, DamagesAreRefusedInWordsOrChangeTheFingerprint) {
    const auto good = made_in(folder_, now_);
    const auto certificate = text_in(good.certificate);
    const auto key = text_in(good.key);
    const auto read_good = read_certificate(good, now_);
    const auto der = der_of(*read_good->own);
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        write(good.certificate, certificate);
        write(good.key, key);
        base::SplitMix lots(seed);
        const auto damage = tests::damage_one({good.certificate, good.key}, lots);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + damage.file + ": " + damage.what);
        const auto read = read_certificate(good, now_);
        if (read) {
            EXPECT_EQ(read->fingerprint == read_good->fingerprint, der_of(*read->own) == der);
            continue;
        }
        ++refused;
        EXPECT_THAT(read.error(), HasSubstr(folder_.path));
        EXPECT_EQ(read.error().find('\n'), std::string::npos);
    }
    EXPECT_GT(refused, 500);
}

TEST_F(CertificateTest, ItsTimeIsLookedAt) {
    const auto files = made_in(folder_, now_);
    const auto late = read_certificate(files, now_ + 3651 * day);
    ASSERT_TRUE(late) << "a tournament goes on by an old one: " << late.error();
    EXPECT_THAT(late->warnings,
                ElementsAre(AllOf(HasSubstr("ended on "), HasSubstr("have it renewed"))));
    const auto early = read_certificate(files, now_ - 2 * day);
    ASSERT_FALSE(early);
    EXPECT_THAT(early.error(), HasSubstr("is valid only from "));
    EXPECT_THAT(early.error(), HasSubstr("clock"));
    const auto soon = read_certificate(files, now_ + 3640 * day);
    ASSERT_TRUE(soon) << soon.error();
    ASSERT_EQ(soon->warnings.size(), 1U);
    EXPECT_THAT(soon->warnings[0], HasSubstr("in less than 14 days"));
    EXPECT_THAT(soon->warnings[0], HasSubstr("referee ctl reload"));
    EXPECT_THAT(read_certificate(files, now_ + 3635 * day)->warnings, ElementsAre());
}

TEST_F(CertificateTest, AKeyThatEverybodyCanReadIsWarnedOf) {
    const auto files = made_in(folder_, now_);
    ::chmod(files.key.c_str(), 0644);
    const auto read = read_certificate(files, now_);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->warnings.size(), 1U);
    EXPECT_THAT(read->warnings[0], HasSubstr("chmod 600 " + files.key));
    ::chmod(files.key.c_str(), 0640);
    EXPECT_THAT(read_certificate(files, now_)->warnings, ElementsAre());
}

TEST_F(CertificateTest, AWeakKeyIsRefused) {
    Certificate weak;
    weak.key.reset(EVP_RSA_gen(1024));
    weak.own.reset(X509_new());
    X509_set_pubkey(weak.own.get(), weak.key.get());
    X509_sign(weak.own.get(), weak.key.get(), EVP_sha256());
    const auto context = Context::of(std::move(weak));
    ASSERT_FALSE(context);
    EXPECT_THAT(context.error(), HasSubstr("RSA of 2048 bits or more"));
}

TEST_F(CertificateTest, ACertificateMayBringItsAuthorities) {
    const tests::FolderOfTest other;
    auto files = made_in(folder_, now_);
    write(files.certificate,
          text_in(files.certificate) + text_in(made_in(other, now_).certificate));
    auto read = read_certificate(files, now_);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->authorities.size(), 1U);
    EXPECT_TRUE(Context::of(std::move(*read)));
}

}  // namespace
}  // namespace referee::tls
