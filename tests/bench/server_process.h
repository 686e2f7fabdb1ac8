#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace bench {

// A port of 127.0.0.1 that was free a moment ago.
std::uint16_t free_port();

// A config of bots b0, b1, ... and these tournaments, as JSON texts with commas between them, with
// no bound on games and connections.
std::string crowd_config(std::size_t bots, const std::string& tournaments, std::uint16_t port);

// The processor time of a process, in us, and its memory.
double cpu_us_of(int process);
std::uint64_t kib_of(int process);

// A referee in a process of its own, with a folder that goes with it.
class ServerProcess {
 public:
    // Returns when it listens. Where it ends instead, says so in the name of `bench` and ends this
    // program. `order` is `run` or `serve`.
    ServerProcess(const char* bench, const std::string& referee, const char* order,
                  const std::string& config_text, std::uint16_t port);
    // Kills it, unless it has ended.
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    pid_t process() const { return process_; }
    double cpu_us() const { return cpu_us_of(process_); }
    std::uint64_t kib() const { return kib_of(process_); }
    // Waits for its end; its status as waitpid tells it.
    int wait();

 private:
    void wait_until_it_listens(const char* bench, const std::string& referee, std::uint16_t port);

    std::filesystem::path folder_;
    pid_t process_ = 0;
};

}  // namespace bench
