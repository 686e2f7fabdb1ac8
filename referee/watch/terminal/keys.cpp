#include "referee/watch/terminal/keys.h"

#include <algorithm>
#include <optional>

namespace referee::terminal {
namespace {

constexpr char escape = '\x1b';
constexpr char control_c = '\x03';
constexpr char backspace = '\x7f';
constexpr char older_backspace = '\b';
// No sequence of a key that we know is longer; of what is longer only the end matters.
constexpr std::size_t sequence_bytes_max = 8;

struct Sequence {
    std::string_view bytes;
    KeyWish wish;
};
constexpr Sequence sequences[] = {
    {"[A", KeyWish::previous},    {"[B", KeyWish::next},     {"[C", KeyWish::next},
    {"[D", KeyWish::previous},    {"OA", KeyWish::previous}, {"OB", KeyWish::next},
    {"OC", KeyWish::next},        {"OD", KeyWish::previous}, {"[H", KeyWish::first},
    {"OH", KeyWish::first},       {"[1~", KeyWish::first},   {"[7~", KeyWish::first},
    {"[5~", KeyWish::first},      {"[F", KeyWish::last},     {"OF", KeyWish::last},
    {"[4~", KeyWish::last},       {"[8~", KeyWish::last},    {"[6~", KeyWish::last},
    {"OM", KeyWish::run_forward},
};

struct SingleKey {
    char key;
    KeyWish wish;
};
constexpr SingleKey single_keys[] = {
    {'q', KeyWish::close},
    {'Q', KeyWish::close},
    {'\r', KeyWish::run_forward},
    {'\n', KeyWish::run_forward},
    {backspace, KeyWish::run_backward},
    {older_backspace, KeyWish::run_backward},
    {'f', KeyWish::faster},
    {'F', KeyWish::faster},
    {'s', KeyWish::slower},
    {'S', KeyWish::slower},
    {'h', KeyWish::help},
    {'H', KeyWish::help},
    {'?', KeyWish::help},
    {' ', KeyWish::pause},
    {'p', KeyWish::projector},
    {'P', KeyWish::projector},
    {'d', KeyWish::debug},
    {'D', KeyWish::debug},
    {']', KeyWish::next_fault},
    {'[', KeyWish::previous_fault},
    {'v', KeyWish::follow},
    {'V', KeyWish::follow},
    {'\t', KeyWish::follow},
    {control_c, KeyWish::interrupt},
};

std::optional<KeyPress> single_key(char c) {
    if (c >= '1' && c <= '9') return KeyPress{KeyWish::choose, static_cast<std::size_t>(c - '1')};
    const auto* const found = std::find_if(std::begin(single_keys), std::end(single_keys),
                                           [&](const auto& each) { return each.key == c; });
    if (found == std::end(single_keys)) return std::nullopt;
    return KeyPress{found->wish};
}

// Whether a sequence behind an escape has its last byte.
bool is_whole(std::string_view sequence) {
    if (sequence.size() < 2) return false;
    if (sequence[0] == 'O') return true;
    const char last = sequence.back();
    return last >= '@' && last <= '~';
}

}  // namespace

std::vector<KeyPress> KeyReader::read(std::string_view bytes) {
    std::vector<KeyPress> presses;
    for (const char c : bytes) {
        if (open_.empty()) {
            if (c == escape) {
                open_ = c;
            } else if (const auto press = single_key(c)) {
                presses.push_back(*press);
            }
            continue;
        }
        if (open_.size() == 1 && c != '[' && c != 'O') {
            // The escape was a key of its own.
            presses.push_back({KeyWish::close});
            open_.clear();
            if (c == escape) open_ = c;
            continue;
        }
        if (open_.size() == sequence_bytes_max) open_.pop_back();
        open_ += c;
        const auto sequence = std::string_view(open_).substr(1);
        if (!is_whole(sequence)) continue;
        const auto* const found =
            std::find_if(std::begin(sequences), std::end(sequences),
                         [&](const auto& each) { return each.bytes == sequence; });
        if (found != std::end(sequences)) presses.push_back({found->wish});
        open_.clear();
    }
    return presses;
}

std::vector<KeyPress> KeyReader::close() {
    const bool alone = open_.size() == 1;
    open_.clear();
    if (!alone) return {};
    return {{KeyWish::close}};
}

std::string_view help_text() {
    return "right, down    next frame\n"
           "left, up       previous frame\n"
           "home, page up  first frame\n"
           "end, page down last frame\n"
           "enter          run forward\n"
           "backspace      run backward\n"
           "f, s           faster, slower\n"
           "space          pause, and go on\n"
           "], [           next fault, previous fault\n"
           "d              what the bots said: show, hide\n"
           "p              the board alone, and back\n"
           "v, tab         follow the next seat, where the board is larger than the screen\n"
           "1 to 9         choose a game of several\n"
           "h              help, and back\n"
           "escape, q      close\n";
}

}  // namespace referee::terminal
