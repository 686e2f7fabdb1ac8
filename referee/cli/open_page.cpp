#include "referee/cli/open_page.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace referee::cli {
namespace {

// Whether the program that finds the browser was there and found one.
bool opened(std::string file) {
    std::string program = "xdg-open";
    std::array<char*, 3> words{program.data(), file.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet) != 0) return false;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
    pid_t pid = 0;
    const bool begun =
        posix_spawnp(&pid, program.c_str(), &quiet, nullptr, words.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    int status = 0;
    return begun && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

// Without a screen a browser would take over this terminal.
bool has_screen() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
        if (value != nullptr && *value != '\0') return true;
    }
    return false;
}

}  // namespace

void open_page(const std::string& file) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(file, error).lexically_normal().string();
    const auto& page = error ? file : whole;
    if (!std::filesystem::exists(page, error)) {
        std::cerr << page << ": there is no such page\n";
        return;
    }
    if (!has_screen() || !opened(page))
        std::cout << "The standings and all games, for a browser: " << page << '\n';
}

}  // namespace referee::cli
