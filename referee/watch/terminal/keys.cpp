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
    KeyAction wish;
};
constexpr Sequence sequences[] = {
    {"[A", KeyAction::previous},    {"[B", KeyAction::next},     {"[C", KeyAction::next},
    {"[D", KeyAction::previous},    {"OA", KeyAction::previous}, {"OB", KeyAction::next},
    {"OC", KeyAction::next},        {"OD", KeyAction::previous}, {"[H", KeyAction::first},
    {"OH", KeyAction::first},       {"[1~", KeyAction::first},   {"[7~", KeyAction::first},
    {"[5~", KeyAction::first},      {"[F", KeyAction::last},     {"OF", KeyAction::last},
    {"[4~", KeyAction::last},       {"[8~", KeyAction::last},    {"[6~", KeyAction::last},
    {"OM", KeyAction::run_forward},
};

struct SingleKey {
    char key;
    KeyAction wish;
};
constexpr SingleKey single_keys[] = {
    {'q', KeyAction::close},
    {'Q', KeyAction::close},
    {'\r', KeyAction::run_forward},
    {'\n', KeyAction::run_forward},
    {backspace, KeyAction::run_backward},
    {older_backspace, KeyAction::run_backward},
    {'f', KeyAction::faster},
    {'F', KeyAction::faster},
    {'s', KeyAction::slower},
    {'S', KeyAction::slower},
    {'h', KeyAction::help},
    {'H', KeyAction::help},
    {'?', KeyAction::help},
    {' ', KeyAction::pause},
    {'p', KeyAction::projector},
    {'P', KeyAction::projector},
    {'d', KeyAction::debug},
    {'D', KeyAction::debug},
    {']', KeyAction::next_fault},
    {'[', KeyAction::previous_fault},
    {'v', KeyAction::follow},
    {'V', KeyAction::follow},
    {'\t', KeyAction::follow},
    {control_c, KeyAction::interrupt},
};

std::optional<KeyPress> single_key(char c) {
    if (c >= '1' && c <= '9') return KeyPress{KeyAction::choose, static_cast<std::size_t>(c - '1')};
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
            presses.push_back({KeyAction::close});
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
    return {{KeyAction::close}};
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
