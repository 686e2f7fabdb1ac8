#include "referee/daemon/person.h"

#include <boost/asio/post.hpp>
#include <istream>
#include <ostream>
#include <thread>
#include <utility>

#include "engines/typed.h"
#include "protocol/base/assertion.h"
#include "referee/net/loop/mutex.h"

namespace referee::daemon {

namespace asio = boost::asio;

namespace {

std::string_view keys_of(const engines::Game& game) {
    const auto& info = game.info();
    return info.by_hand.keys.empty() ? info.move_example : info.by_hand.keys;
}

bool asks_for_help(std::string_view line) {
    std::string word(engines::trimmed(line));
    for (char& c : word) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return word == "?" || word == "help";
}

}  // namespace

std::string explained(const engines::Game& game, engines::Seat seat) {
    const auto& hand = game.info().by_hand;
    const auto example = hand.example.empty() ? game.info().move_example : hand.example;
    std::string text = "You play " + std::string(game.info().title);
    if (game.info().seats_max > 1) text += " in seat " + std::to_string(seat);
    text += ". A move is typed so: ";
    text += example;
    text += '\n';
    return text.append(hand.legend);
}

struct Person::Lines {
    // The thread holds it while it posts to the person's loop: so neither ends meanwhile.
    loop::Mutex mutex;
    // Null once the person has ended; its loop may have ended too.
    Person* person REFEREE_GUARDED_BY(mutex) = nullptr;
    std::istream* in = nullptr;

    // Call it on the loop's thread: only that thread ends a person, so the person stays while it is
    // called.
    Person* present() {
        const loop::Lock guard(mutex);
        return person;
    }
};

Person::Person(const asio::any_io_executor& loop, std::string name, std::string token,
               const engines::Game& game, StateOf state, Draw draw, std::istream& in,
               std::ostream& out)
    : LocalBot(loop, {std::move(name), std::move(token), "a person at the terminal"}, game),
      state_(std::move(state)),
      draw_(std::move(draw)),
      out_(out),
      lines_(std::make_shared<Lines>()) {
    lines_->person = this;
    lines_->in = &in;
    in.tie(nullptr);  // otherwise the thread would flush what the loop writes
    // Reading from a terminal can't be interrupted: the thread stays until a line or the end of the
    // input comes.
    std::thread([lines = lines_, loop] {
        std::string line;
        for (bool end = false; !end; line.clear()) {
            end = !std::getline(*lines->in, line);
            const loop::Lock guard(lines->mutex);
            if (lines->person == nullptr) return;
            asio::post(loop, [lines, line, end] {
                if (auto* person = lines->present()) person->on_line(end ? "" : line, end);
            });
        }
    }).detach();
}

Person::~Person() {
    const loop::Lock guard(lines_->mutex);
    lines_->person = nullptr;
}

void Person::on_turn() {
    asked_ = true;
    ask();
}

void Person::on_told(std::string_view message) {
    out_ << message << '\n';
}

void Person::ask() {
    if (!typed_ahead_.empty()) {
        const auto line = typed_ahead_.front();
        typed_ahead_.pop_front();
        on_line(line, false);
        return;
    }
    out_ << "your move (" << keys_of(game()) << "; ? explains, ctrl-D ends): " << std::flush;
    if (gone_) on_line({}, true);
}

void Person::on_line(const std::string& line, bool end) {
    if (end) {
        gone_ = true;
        if (!asked_) return;
        out_ << "\nno more moves: goodbye\n";
        leave();
        return;
    }
    if (!asked_) {
        typed_ahead_.push_back(line);
        return;
    }
    if (asks_for_help(line)) {
        out_ << explained(game(), seat()) << '\n';
        draw_();
        ask();
        return;
    }
    const auto move = game().move_from_text(line);
    if (!move) {
        refuse(move.error());
        return;
    }
    protocol::json::Document document;
    const auto parsed = document.parse(*move);
    REFEREE_ASSERT(parsed.has_value());
    const auto* state = state_();
    const auto checked =
        state == nullptr ? engines::CheckResult() : state->check(seat(), document.root());
    if (!checked) {
        const auto& note = checked.error();
        refuse(note.reason.empty() ? note.message : note.reason);
        return;
    }
    asked_ = false;
    answer(*move);
}

void Person::refuse(const std::string& reason) {
    const auto end = reason.ends_with('.') ? "" : ".";
    out_ << "not played: " << reason << end << " Try again; ? explains the moves.\n";
    ask();
}

}  // namespace referee::daemon
