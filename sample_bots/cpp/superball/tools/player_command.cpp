#include "sample_bots/cpp/superball/tools/player_command.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <utility>
#include <variant>

namespace bots::superball::tools {
namespace {

using engines::superball::Collect;
using engines::superball::Swap;

sigset_t only_quit() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGQUIT);
    return set;
}

constexpr std::size_t line_max = 4096;  // of a move; the rest of a longer line is not kept

// A file without a name that holds the board, read from its beginning; -1: it can't be made. It
// takes all at once, so a player that doesn't read its board is no error of ours.
int file_with(const std::string& board) {
    const int file = ::memfd_create("board", 0);
    if (file < 0) return file;
    const bool is_whole =
        ::write(file, board.data(), board.size()) == static_cast<ssize_t>(board.size());
    if (is_whole && ::lseek(file, 0, SEEK_SET) == 0) return file;
    ::close(file);
    return -1;
}

// Everything up to the first line's end; reads on to the end of the output, so that the player
// isn't cut off in the middle of it.
std::optional<std::string> first_line(std::FILE* from) {
    std::optional<std::string> line;
    bool complete = false;
    for (int c = std::getc(from); c != EOF; c = std::getc(from)) {
        if (!line) line.emplace();
        complete = complete || c == '\n';
        if (!complete && line->size() < line_max) *line += static_cast<char>(c);
    }
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
    auto* const output = ::popen(
        ("exec </proc/self/fd/" + std::to_string(input) + "; " + command_line_).c_str(), "r");
    ::close(input);
    if (output == nullptr) return std::nullopt;
    auto line = first_line(output);
    ::pclose(output);
    return line;
}

base::Result<Move, std::string> read_move(const engines::superball::Position& game,
                                          const std::string& line) {
    const auto parsed = engines::superball::parse_move(line);
    if (const auto* bad = std::get_if<engines::superball::BadMove>(&parsed))
        return base::failure(bad->message);
    if (std::holds_alternative<engines::superball::BlankMove>(parsed))
        return base::failure(std::string("the move is blank"));
    const auto* swap = std::get_if<Swap>(&parsed);
    const auto move = swap != nullptr ? Move(*swap) : Move(std::get<Collect>(parsed));
    if (const auto checked = game.check(move); !checked)
        return base::failure(line + ": " + checked.error());
    return move;
}

}  // namespace bots::superball::tools
