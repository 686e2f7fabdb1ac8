#include "sample_bots/cpp/superball/tools/player_command.h"

#include <pthread.h>
#include <signal.h>
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

struct Pipe {
    int read_end = -1;
    int write_end = -1;
};

std::optional<Pipe> open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return std::nullopt;
    return Pipe{ends[0], ends[1]};
}

void close_both(const Pipe& pipe) {
    ::close(pipe.read_end);
    ::close(pipe.write_end);
}

// In the child: becomes the player. A QUIT from the terminal is for us, not for it.
[[noreturn]] void become_player(const Pipe& board, const Pipe& answer, const char* command_line) {
    ::signal(SIGQUIT, SIG_IGN);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(board.read_end, STDIN_FILENO);
    ::dup2(answer.write_end, STDOUT_FILENO);
    close_both(board);
    close_both(answer);
    ::execl("/bin/sh", "sh", "-c", command_line, static_cast<char*>(nullptr));
    ::_exit(shell_failed);
}

// A player that doesn't read its board is no error of ours: SIGPIPE is ignored by the caller.
void write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(to, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
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
    const auto to_player = open_pipe();
    if (!to_player) return std::nullopt;
    const auto from_player = open_pipe();
    if (!from_player) {
        close_both(*to_player);
        return std::nullopt;
    }
    const auto child = ::fork();
    if (child == 0) become_player(*to_player, *from_player, command_line_.c_str());
    ::close(to_player->read_end);
    ::close(from_player->write_end);
    std::optional<std::string> line;
    if (child > 0) {
        const auto old_handler = ::signal(SIGPIPE, SIG_IGN);
        write_all(to_player->write_end, board.text());
        ::signal(SIGPIPE, old_handler);
    }
    ::close(to_player->write_end);
    if (child > 0) line = first_line(from_player->read_end);
    ::close(from_player->read_end);
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return line;
}

}  // namespace bots::superball::tools
