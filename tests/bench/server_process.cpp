#include "tests/bench/server_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <thread>
#include <utility>

namespace bench {
namespace {

using boost::asio::ip::tcp;

// The machine's trouble, as the referee's own statuses have it; and what a shell gives where a
// program is missing.
constexpr int status_no_referee = 3;
constexpr int status_not_found = 127;
constexpr const char* log_file = "log";

bool listens(std::uint16_t port) {
    boost::asio::io_context loop;
    tcp::socket socket(loop);
    boost::system::error_code error;
    socket.connect({boost::asio::ip::address_v4::loopback(), port}, error);
    return !error;
}

// They are removed together when the bench ends: for seconds after thousands of files were removed
// the kernel makes each new one slowly, and the next run would be measured so.
std::filesystem::path folder_of_a_run(const char* bench) {
    struct Folder {
        std::filesystem::path path;
        int runs = 0;
        ~Folder() { std::filesystem::remove_all(path); }
    };
    static Folder all{std::filesystem::temp_directory_path() /
                      (std::string(bench) + "_" + std::to_string(getpid()))};
    return all.path / std::to_string(++all.runs);
}

}  // namespace

std::uint16_t free_port() {
    boost::asio::io_context loop;
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    return acceptor.local_endpoint().port();
}

std::string crowd_config(std::size_t bots, const std::string& tournaments, std::uint16_t port) {
    auto text = "{\"listen\":{\"port\":" + std::to_string(port) +
                "},\"connections\":{\"total\":100000,\"per_address\":100000},\"games_at_"
                "once\":100000,\"bots\":[";
    for (std::size_t i = 0; i < bots; ++i)
        text += (i == 0 ? "" : ",") + std::string("{\"name\":\"b") + std::to_string(i) + "\"}";
    return text + "],\"tournaments\":[" + tournaments + "]}";
}

double cpu_us_of(int process) {
    clockid_t clock{};
    clock_getcpuclockid(process, &clock);
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

std::uint64_t kib_of(int process) {
    // The second number of `statm` tells pages in memory.
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

ServerProcess::ServerProcess(const char* bench, const std::string& referee, const char* order,
                             const std::string& config_text, std::uint16_t port)
    : folder_(folder_of_a_run(bench)) {
    std::filesystem::create_directories(folder_);
    const auto config = (folder_ / "config.json").string();
    std::ofstream(config) << config_text;
    const auto out = (folder_ / "out").string();
    process_ = fork();
    if (process_ == 0) {
        const int log = ::open((folder_ / log_file).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        ::dup2(log, STDOUT_FILENO);
        ::dup2(log, STDERR_FILENO);
        execl(referee.c_str(), referee.c_str(), order, config.c_str(), "--out", out.c_str(),
              nullptr);
        _exit(status_not_found);
    }
    wait_until_it_listens(bench, referee, port);
}

void ServerProcess::wait_until_it_listens(const char* bench, const std::string& referee,
                                          std::uint16_t port) {
    while (!listens(port)) {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        std::cerr << std::ifstream(folder_ / log_file).rdbuf();
        const bool exited = WIFEXITED(status);
        std::fprintf(stderr,
                     "%s: %s ended with %s %d before it listened; expected the referee's "
                     "program, such as build/release/bin/referee\n",
                     bench, referee.c_str(), exited ? "status" : "signal",
                     exited ? WEXITSTATUS(status) : WTERMSIG(status));
        std::exit(status_no_referee);
    }
}

int ServerProcess::wait() {
    int status = 0;
    waitpid(std::exchange(process_, 0), &status, 0);
    return status;
}

ServerProcess::~ServerProcess() {
    if (process_ != 0) {
        ::kill(process_, SIGKILL);
        wait();
    }
}

}  // namespace bench
