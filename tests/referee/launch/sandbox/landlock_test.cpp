#include "referee/launch/sandbox/kernel_rules.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/folder_of_test.h"
#include "tests/referee/launch/sandbox/child.h"

namespace referee::sandbox {

namespace {

namespace fs = std::filesystem;

class Landlock : public ::testing::Test {
 protected:
    void SetUp() override {
        if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
        for (const char* name : {"own", "work", "store", "store/inside"})
            fs::create_directory(folder_ + "/" + name);
        for (const char* name : {"own/bot", "work/log", "store/results"})
            std::ofstream(folder_ + "/" + name) << "text\n";
        rules_.reads = {"/usr", "/bin", "/lib", "/lib64", folder_ + "/own", folder_ + "/not there"};
        rules_.writes = {folder_ + "/work", "/dev/null"};
    }

    int behind_rules(const std::function<int()>& attempt) const {
        return in_child({std::nullopt, rules_}, attempt);
    }

    std::string at(const char* name) const { return folder_ + "/" + name; }

    FileRules rules_;

 private:
    const tests::FolderOfTest made_;
    const std::string& folder_ = made_.path;
};

TEST_F(Landlock, ReadsAndWritesOnlyWhatItMay) {
    struct Row {
        std::string path;
        int flags;
        int error;
    };
    for (const auto& row : std::vector<Row>{
             {at("own/bot"), O_RDONLY, 0},
             {at("own"), O_RDONLY | O_DIRECTORY, 0},
             {"/dev/null", O_RDWR, 0},
             {at("store/results"), O_RDONLY, EACCES},
             {at("store"), O_RDONLY, EACCES},
             {"/etc/passwd", O_RDONLY, EACCES},
             {"/proc/self/stat", O_RDONLY, EACCES},
             {at("work/new"), O_WRONLY | O_CREAT, 0},
             {at("own/bot"), O_WRONLY, EACCES},
             {at("own/new"), O_WRONLY | O_CREAT, EACCES},
         }) {
        const auto opens = [&] {
            return ::open(row.path.c_str(), row.flags | O_CLOEXEC, 0644) < 0 ? errno : 0;
        };
        EXPECT_EQ(row.error, behind_rules(opens)) << row.path;
    }
    const auto error_of = [&](const std::function<int()>& call) {
        return behind_rules([&] { return call() ? errno : 0; });
    };
    const auto results = at("store/results");
    const auto taken = at("work/taken");
    for (const bool moved : {true, false}) {
        const auto error = error_of([&] {
            return moved ? ::rename(results.c_str(), taken.c_str())
                         : ::link(results.c_str(), taken.c_str());
        });
        EXPECT_TRUE(error == EACCES || error == EXDEV) << error;
    }
    EXPECT_EQ(EACCES, error_of([&] { return ::unlink(results.c_str()); }));
    EXPECT_EQ(EACCES, error_of([&] { return ::rmdir(at("store/inside").c_str()); }));
    EXPECT_EQ(EACCES, error_of([&] { return ::mkdir(at("store/new").c_str(), 0755); }));
    EXPECT_EQ(EACCES, error_of([&] { return ::symlink("x", at("store/new").c_str()); }));
    constexpr int version_of_truncation = 3;
    const bool holds_truncation = landlock_version() >= version_of_truncation;
    EXPECT_EQ(holds_truncation ? EACCES : 0,
              error_of([&] { return ::truncate(results.c_str(), 0); }));
    EXPECT_EQ(0, error_of([&] { return ::truncate(at("work/log").c_str(), 0); }));
    EXPECT_EQ(holds_truncation ? 5U : 0U, fs::file_size(at("store/results")));
}

TEST_F(Landlock, RunsOnlyWhatItMay) {
    const auto run = [&](const std::string& program) {
        return behind_rules([&] {
            ::execl(program.c_str(), program.c_str(), nullptr);
            return errno;
        });
    };
    EXPECT_EQ(0, run("/bin/true"));
    fs::copy_file("/bin/true", at("store/true"));
    EXPECT_EQ(EACCES, run(at("store/true")));
    EXPECT_EQ(0, in_child({}, [&] {
                  ::execl(at("store/true").c_str(), "true", nullptr);
                  return errno;
              }));
}

// Listens on a port of 127.0.0.1.
struct Listener {
    std::uint16_t port() const { return socket.local_endpoint().port(); }

    boost::asio::io_context loop;
    boost::asio::ip::tcp::acceptor socket{loop, {boost::asio::ip::address_v4::loopback(), 0}};
};

int dial(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) ? errno : 0;
}

TEST_F(Landlock, ConnectsOnlyToItsPort) {
    if (landlock_version() < landlock_version_of_ports) GTEST_SKIP() << "Landlock without ports";
    const Listener referees;
    const Listener others;
    EXPECT_EQ(EACCES, behind_rules([&] { return dial(referees.port()); }));
    rules_.connects_to = referees.port();
    EXPECT_EQ(0, behind_rules([&] { return dial(referees.port()); }));
    EXPECT_EQ(EACCES, behind_rules([&] { return dial(others.port()); }));
    EXPECT_EQ(EACCES, behind_rules([&] {
                  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
                  sockaddr_in any = {};
                  any.sin_family = AF_INET;
                  return ::bind(socket, reinterpret_cast<sockaddr*>(&any), sizeof any) ? errno : 0;
              }));
}

TEST_F(Landlock, AbstractSocketsOfOthersAreOutOfReach) {
    if (landlock_version() < landlock_version_of_scopes) GTEST_SKIP() << "Landlock without scopes";
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string name = "landlock-test-" + std::to_string(::getpid());
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const auto* const place = reinterpret_cast<const sockaddr*>(&address);
    const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(0, ::bind(listening, place, size));
    ASSERT_EQ(0, ::listen(listening, 4));
    const auto attempt = [&] {
        const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        return ::connect(socket, place, size) ? errno : 0;
    };
    EXPECT_EQ(EPERM, behind_rules(attempt));
    EXPECT_EQ(0, in_child({}, attempt));
    ::close(listening);
}

}  // namespace

}  // namespace referee::sandbox
