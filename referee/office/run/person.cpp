#include "referee/office/run/person.h"

#include <boost/asio/post.hpp>
#include <istream>
#include <mutex>
#include <ostream>
#include <thread>
#include <utility>

namespace referee::run {

namespace asio = boost::asio;

struct Person::Lines {
    // The thread posts to the person's loop under it: nobody is gone meanwhile.
    std::mutex mutex;
    Person* person = nullptr;  // null once it is gone, and perhaps its loop with it
    std::istream* in = nullptr;
};

Person::Person(const asio::any_io_executor& loop, std::string name, std::string token,
               const engines::Game& game, StateOf state, std::istream& in, std::ostream& out)
    : LocalBot(loop, {std::move(name), std::move(token), "a person at the terminal"}, game),
      state_(std::move(state)),
      out_(out),
      lines_(std::make_shared<Lines>()) {
    lines_->person = this;
    lines_->in = &in;
    in.tie(nullptr);  // or the thread would flush what the loop writes
    // Reading a terminal can't be interrupted: the thread stays until a line or the end comes.
    std::thread([lines = lines_, loop] {
        std::string line;
        for (bool end = false; !end; line.clear()) {
            end = !std::getline(*lines->in, line);
            const std::lock_guard guard(lines->mutex);
            if (lines->person == nullptr) return;
            asio::post(loop, [lines, line, end] {
                if (lines->person != nullptr) lines->person->on_line(end ? "" : line, end);
            });
        }
    }).detach();
}

Person::~Person() {
    const std::lock_guard guard(lines_->mutex);
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
    out_ << "your move, " << name() << " (such as " << game().info().move_example
         << "; end with ctrl-D): " << std::flush;
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
    const auto move = game().move_from_text(line);
    protocol::json::Document document;
    if (!move || document.parse(*move)) {
        out_ << "that is no move; expected something like " << game().info().move_example << '\n';
        ask();
        return;
    }
    const auto* state = state_();
    if (const auto note = state == nullptr ? std::nullopt : state->check(seat(), document.root())) {
        out_ << note->message << '\n';
        ask();
        return;
    }
    asked_ = false;
    answer(*move);
}

}  // namespace referee::run
