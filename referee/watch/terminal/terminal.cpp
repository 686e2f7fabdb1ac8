#include "referee/watch/terminal/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"

namespace referee::terminal {
namespace {

constexpr std::size_t board_lines_min = 3;

struct Letter {
    char letter;
    Paint paint;
};
// Letters that mean colours have these; seats, which are a to d, have four that differ.
constexpr Letter letters[] = {
    {'r', Paint::red},     {'g', Paint::green},  {'b', Paint::blue}, {'y', Paint::yellow},
    {'p', Paint::magenta}, {'a', Paint::yellow}, {'c', Paint::cyan}, {'d', Paint::magenta},
    {'t', Paint::red},     {'o', Paint::green},
};

std::string_view escape_of(Paint paint) {
    static constexpr std::array<base::Named<Paint>, 11> escapes{{
        {Paint::plain, ""},
        {Paint::faint, "\x1b[2m"},
        {Paint::strong, "\x1b[1m"},
        {Paint::bad, "\x1b[1;31m"},
        {Paint::red, "\x1b[31m"},
        {Paint::green, "\x1b[32m"},
        {Paint::yellow, "\x1b[33m"},
        {Paint::blue, "\x1b[34m"},
        {Paint::magenta, "\x1b[35m"},
        {Paint::cyan, "\x1b[36m"},
        {Paint::figure, "\x1b[36m"},
    }};
    static_assert(base::in_order(escapes));
    return base::row_of(escapes, paint).name;
}

Piece painted(char c) {
    Piece piece{std::string(1, c)};
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        piece.paint = Paint::figure;
    } else if (c == '.' || c == '#') {
        piece.paint = Paint::faint;
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
        const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const auto* const found = std::ranges::find(letters, lower, &Letter::letter);
        if (found != std::end(letters)) piece.paint = found->paint;
        piece.bold = lower != c;
    } else {
        piece.bold = c != ' ';
    }
    return piece;
}

Line board_line(std::string_view text) {
    Line line;
    for (const char c : text) {
        auto piece = painted(c);
        if (!line.empty() && c == ' ') {  // has no colour that can be seen
            line.back().text += c;
        } else if (!line.empty() && line.back().paint == piece.paint &&
                   line.back().bold == piece.bold) {
            line.back().text += c;
        } else {
            line.push_back(std::move(piece));
        }
    }
    return line;
}

// Another screen, without a cursor and without going on in the next line at the right edge.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
constexpr std::string_view leave = "\x1b[?7h\x1b[?25h\x1b[?1049l";
constexpr char escape = '\x1b';
// A terminal sends the bytes of a key at once; over a slow line they come one after the other.
// Whoever presses escape waits no longer than this.
constexpr int escape_ms = 50;
constexpr std::int64_t us_per_wait_ms = 1000;
constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// No key that we know has more bytes; of what is longer only the end matters.
constexpr std::size_t key_bytes_max = 8;

// What a key does, what help calls it, and what terminals send for it: what they send as "\x1bOA"
// in one mode is "\x1b[A" in another.
struct Key {
    KeyAction action;
    std::string_view names;  // empty: help says nothing of it
    std::string_view does;
    std::array<std::string_view, 4> bytes{};
};
constexpr Key keys[] = {
    {KeyAction::next, "right, down", "next frame", {"\x1b[C", "\x1b[B"}},
    {KeyAction::previous, "left, up", "previous frame", {"\x1b[D", "\x1b[A"}},
    {KeyAction::first, "home, page up", "first frame", {"\x1b[H", "\x1b[1~", "\x1b[7~", "\x1b[5~"}},
    {KeyAction::last, "end, page down", "last frame", {"\x1b[F", "\x1b[4~", "\x1b[8~", "\x1b[6~"}},
    {KeyAction::run_forward, "enter", "run forward", {"\r", "\n", "\x1b[M"}},
    {KeyAction::run_backward, "backspace", "run backward", {"\x7f", "\b"}},
    {KeyAction::faster, "f", "faster", {"f"}},
    {KeyAction::slower, "s", "slower", {"s"}},
    {KeyAction::pause, "space", "pause, and go on", {" "}},
    {KeyAction::next_fault, "]", "next fault", {"]"}},
    {KeyAction::previous_fault, "[", "previous fault", {"["}},
    {KeyAction::follow,
     "v, tab",
     "follow the next seat, where the board is larger than the screen",
     {"v", "\t"}},
    {KeyAction::choose, "1 to 9", "choose a game of several"},
    {KeyAction::help, "h", "help, and back", {"h", "?"}},
    {KeyAction::close, "escape, q", "close", {"q"}},
    {KeyAction::interrupt, "", "", {"\x03"}},
};

// Whether no more bytes belong to the key.
bool is_whole(std::string_view key) {
    if (key[0] != escape) return true;
    if (key.size() < 3) return false;
    return key[1] == 'O' || (key.back() >= '@' && key.back() <= '~');
}

std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

std::string drawn(const Line& line, std::size_t columns_max, bool colour) {
    std::string out;
    std::size_t columns = 0;
    for (const auto& piece : line) {
        const auto text = base::fitting(piece.text, columns_max - columns);
        columns += base::columns_of(text);
        const bool styled = colour && (piece.paint != Paint::plain || piece.bold);
        if (styled) out.append(piece.bold ? "\x1b[1m" : "").append(escape_of(piece.paint));
        out += text;
        if (styled) out += "\x1b[0m";
        if (text.size() < piece.text.size()) break;
    }
    return out;
}

std::vector<Line> wrapped(const Line& line, std::size_t columns_max) {
    constexpr std::string_view margin = "  ";
    if (columns_max <= margin.size()) return {line};
    std::vector<Line> lines(1);
    std::size_t columns = 0;
    for (const auto& piece : line) {
        std::string_view rest = piece.text;
        while (!rest.empty()) {
            auto part = base::fitting(rest, columns_max - columns);
            if (part.size() < rest.size() && rest[part.size()] != ' ') {
                const auto blank = part.find_last_of(' ');
                if (blank != part.npos && blank > 0) {
                    part = part.substr(0, blank);
                } else if (columns > margin.size()) {
                    part = {};
                } else if (part.empty()) {
                    part = rest;  // a character that is too wide
                }
            }
            rest.remove_prefix(part.size());
            columns += base::columns_of(part);
            lines.back().push_back({std::string(part), piece.paint, piece.bold});
            if (rest.empty()) break;
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
            lines.push_back({{std::string(margin)}});
            columns = margin.size();
        }
    }
    return lines;
}

std::vector<Line> position_lines(std::string_view text) {
    std::vector<std::string_view> texts;
    while (!text.empty()) texts.push_back(base::next_line(text));
    std::size_t best_begin = 0;
    std::size_t best_count = 0;
    for (std::size_t begin = 0; begin < texts.size();) {
        auto end = begin;
        while (end < texts.size() && texts[end].size() == texts[begin].size()) ++end;
        if (end - begin > best_count) {
            best_begin = begin;
            best_count = end - begin;
        }
        begin = end;
    }
    std::vector<Line> lines;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool of_board =
            best_count >= board_lines_min && i >= best_begin && i < best_begin + best_count;
        lines.push_back(of_board ? board_line(texts[i]) : Line{{std::string(texts[i])}});
    }
    return lines;
}

bool has_cursor(const Environment& environment) {
    const auto term = environment.term.value_or("");
    return !term.empty() && term != "dumb" && term != "unknown";
}

bool has_colour(const Environment& environment) {
    if (!has_cursor(environment)) return false;
    if (environment.no_color && !environment.no_color->empty()) return false;
    if (environment.color_term && !environment.color_term->empty()) return true;
    const auto& term = *environment.term;
    if (term.find("mono") != std::string::npos || term.ends_with("-m")) return false;
    if (term.find("color") != std::string::npos) return true;
    constexpr std::string_view coloured[] = {"xterm",     "screen",  "tmux", "rxvt",
                                             "linux",     "konsole", "vte",  "foot",
                                             "alacritty", "kitty",   "ansi", "cygwin"};
    return std::ranges::any_of(coloured, [&](auto begin) { return term.starts_with(begin); });
}

Environment environment() {
    return {variable("TERM"), variable("NO_COLOR"), variable("COLORTERM")};
}

std::vector<KeyPress> KeyReader::read(std::string_view bytes) {
    std::vector<KeyPress> presses;
    for (const char c : bytes) {
        if (open_.size() == 1 && c != '[' && c != 'O') {
            // The escape was a key of its own.
            presses.push_back({KeyAction::close});
            open_.clear();
        }
        if (open_.size() == key_bytes_max) open_.pop_back();
        const auto letter = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        open_ += open_.empty() ? letter : c;
        if (!is_whole(open_)) continue;
        if (open_.starts_with("\x1bO")) open_[1] = '[';
        const auto* const found = std::ranges::find_if(
            keys, [&](const Key& key) { return base::contains(key.bytes, open_); });
        if (found != std::end(keys)) {
            presses.push_back({found->action});
        } else if (open_.size() == 1 && c >= '1' && c <= '9') {
            presses.push_back({KeyAction::choose, static_cast<std::size_t>(c - '1')});
        }
        open_.clear();
    }
    return presses;
}

std::vector<KeyPress> KeyReader::close() {
    if (std::exchange(open_, {}).size() != 1) return {};
    return {{KeyAction::close}};
}

std::string help_text() {
    constexpr std::size_t does_at = 15;  // the column
    std::string text;
    for (const auto& key : keys) {
        if (key.names.empty()) continue;
        const std::string blanks(does_at - key.names.size(), ' ');
        text.append(key.names).append(blanks).append(key.does).append("\n");
    }
    return text;
}

base::Result<std::unique_ptr<Terminal>, std::string> Terminal::open(bool colour) {
    Parts parts;
    if (::isatty(STDIN_FILENO) != 1) parts.own_input.reset(::open("/dev/tty", O_RDWR | O_CLOEXEC));
    const int keyboard = parts.own_input ? parts.own_input.get() : STDIN_FILENO;
    if (::isatty(STDOUT_FILENO) != 1 || ::tcgetattr(keyboard, &parts.before) != 0)
        return base::failure("there is no terminal");
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGWINCH);
    for (const int signal : ending_signals) sigaddset(&watched, signal);
    if (::pthread_sigmask(SIG_BLOCK, &watched, &parts.signals_before) == 0)
        parts.signals.reset(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!parts.signals)
        return base::failure(std::string("signals can't be waited for: ") + std::strerror(errno));
    return std::unique_ptr<Terminal>(new Terminal(std::move(parts), colour));
}

Terminal::Terminal(Parts parts, bool colour) : parts_(std::move(parts)), colour_(colour) {
    // Keys come one by one and are not shown; control characters are keys too.
    auto raw = parts_.before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(input(), TCSAFLUSH, &raw);
    write(std::string(enter));
}

Terminal::~Terminal() {
    write(std::string(leave));
    ::tcsetattr(input(), TCSAFLUSH, &parts_.before);
    // Signals that came meanwhile were read; none is delivered late.
    ::pthread_sigmask(SIG_SETMASK, &parts_.signals_before, nullptr);
}

int Terminal::input() const {
    return parts_.own_input ? parts_.own_input.get() : STDIN_FILENO;
}

engines::Screen screen_size() {
    engines::Screen screen;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
    if (size.ws_col > 0) screen.columns = size.ws_col;
    if (size.ws_row > 0) screen.lines = size.ws_row;
    return screen;
}

void Terminal::draw(const std::vector<Line>& lines) {
    const auto screen = screen_size();
    std::string text = "\x1b[H";
    for (std::size_t i = 0; i < std::min(lines.size(), screen.lines); ++i) {
        if (i > 0) text += "\r\n";
        // Behind a full line that would erase its last character.
        text += "\x1b[K" + drawn(lines[i], screen.columns, colour_);
    }
    if (lines.size() < screen.lines) text += "\r\n\x1b[J";
    write(text);
}

TerminalEvent Terminal::wait(std::int64_t us_max) {
    TerminalEvent happened;
    std::array<pollfd, 2> sources = {{{input(), POLLIN, 0}, {parts_.signals.get(), POLLIN, 0}}};
    auto ms = us_max < 0 ? -1 : static_cast<int>((us_max + us_per_wait_ms - 1) / us_per_wait_ms);
    if (keys_.is_open()) ms = escape_ms;
    const int count = ::poll(sources.data(), sources.size(), ms);
    if (count == 0 && keys_.is_open()) happened.keys = keys_.close();
    if (count <= 0) return happened;
    if ((sources[1].revents & POLLIN) != 0) {
        signalfd_siginfo signal{};
        while (::read(parts_.signals.get(), &signal, sizeof signal) == sizeof signal) {
            if (signal.ssi_signo != SIGWINCH)
                happened.ended_by = static_cast<int>(signal.ssi_signo);
        }
    }
    if ((sources[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        std::array<char, 64> bytes{};
        const auto size = ::read(input(), bytes.data(), bytes.size());
        if (size > 0) {
            happened.keys = keys_.read({bytes.data(), static_cast<std::size_t>(size)});
        } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
            happened.input_is_over = true;
        }
    }
    return happened;
}

void Terminal::write(const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto size = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return;  // the terminal is gone; reading tells it too
        rest.remove_prefix(static_cast<std::size_t>(size));
    }
}

}  // namespace referee::terminal
