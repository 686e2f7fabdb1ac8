#include "sample_bots/cpp/superball/tools/player_command.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

namespace bots::superball::tools {
namespace {

sigset_t only_quit() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGQUIT);
    return set;
}

constexpr std::size_t line_max = 4096;  // of a move; the rest of a longer line is not kept
constexpr std::size_t chunk_bytes = 4096;
constexpr int shell_failed = 127;

// A file without a name that holds the board, read from its beginning; -1: it can't be made. It
// takes all at once, so a player that doesn't read its board is no error of ours.
int file_with(const std::string& board) {
    const int file = ::memfd_create("board", MFD_CLOEXEC);
    if (file < 0) return file;
    const bool is_whole =
        ::write(file, board.data(), board.size()) == static_cast<ssize_t>(board.size());
    if (is_whole && ::lseek(file, 0, SEEK_SET) == 0) return file;
    ::close(file);
    return -1;
}

// In the child: becomes the player. A QUIT from the terminal is for us, not for it.
[[noreturn]] void become_player(int board, int answer, const char* command_line) {
    ::signal(SIGQUIT, SIG_IGN);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(board, STDIN_FILENO);
    ::dup2(answer, STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", command_line, static_cast<char*>(nullptr));
    ::_exit(shell_failed);
}

// Everything up to the first line's end; reads on to the end of the output, so that the player
// isn't cut off in the middle of it.
std::optional<std::string> first_line(int from) {
    std::string line;
    bool complete = false;
    bool any = false;
    std::array<char, chunk_bytes> chunk;
    for (;;) {
        const auto got = ::read(from, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        any = true;
        for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(got))) {
            complete = complete || c == '\n';
            if (!complete && line.size() < line_max) line += c;
        }
    }
    if (!any) return std::nullopt;
    return line;
}

}  // namespace

QuitReport::QuitReport() {
    const auto set = only_quit();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    listener_ = std::thread([this] { listen(); });
}

QuitReport::~QuitReport() {
    ending_ = true;
    pthread_kill(listener_.native_handle(), SIGQUIT);
    listener_.join();
}

void QuitReport::listen() {
    const auto set = only_quit();
    int signal = 0;
    while (sigwait(&set, &signal) == 0 && !ending_) {
        std::printf("Score so far: %lld\n", static_cast<long long>(score_));
        std::fflush(stdout);
    }
}

PlayerCommand::PlayerCommand(std::string command, const Rules& rules)
    : command_line_(std::move(command)) {
    for (const auto& argument : {std::to_string(rules.rows), std::to_string(rules.cols),
                                 std::to_string(rules.min_score_size), rules.colors}) {
        command_line_.append(" ").append(argument);
    }
}

std::optional<std::string> PlayerCommand::move_for(const Board& board) const {
    const int input = file_with(board.text());
    if (input < 0) return std::nullopt;
    std::array<int, 2> answer{-1, -1};
    const auto child = ::pipe2(answer.data(), O_CLOEXEC) == 0 ? ::fork() : -1;
    if (child == 0) become_player(input, answer[1], command_line_.c_str());
    ::close(input);
    ::close(answer[1]);
    auto line = child > 0 ? first_line(answer[0]) : std::nullopt;
    ::close(answer[0]);
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return line;
}

}  // namespace bots::superball::tools
