// The thread that waits for a person's lines, beside the loop.

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <future>
#include <istream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <thread>
#include <vector>

#include "engines/registry.h"
#include "referee/single_game/bots.h"

namespace referee::single_game {

namespace {

// A terminal: gives nothing before the test says so, then one line, then the end.
class Terminal final : public std::streambuf {
 public:
    std::promise<void> asked;        // for the first line
    std::promise<void> typed;        // by the test
    std::promise<void> asked_again;  // for more

 private:
    int_type underflow() override {
        if (line_.empty()) {
            asked.set_value();
            typed.get_future().wait();
            line_ = "L\n";
            setg(line_.data(), line_.data(), line_.data() + line_.size());
            return traits_type::to_int_type(line_.front());
        }
        asked_again.set_value();
        return traits_type::eof();
    }
    std::string line_;
};

// Notes which thread flushes it.
class Screen final : public std::streambuf {
 public:
    std::thread::id flushed_by;

 private:
    int sync() override {
        flushed_by = std::this_thread::get_id();
        return 0;
    }
};

// The thread may hold these to the end of the program.
struct Seat {
    Terminal terminal;
    Screen screen;
    std::istream in{&terminal};
    std::ostream out{&screen};
};

class PersonTest : public ::testing::Test {
 protected:
    static Seat& new_seat() {
        static std::vector<std::unique_ptr<Seat>>* const seats =
            new std::vector<std::unique_ptr<Seat>>;
        return *seats->emplace_back(std::make_unique<Seat>());
    }
    std::unique_ptr<Person> sit(Seat& seat) {
        return std::make_unique<Person>(
            loop_->get_executor(), "person", "token", *registry_.find("walls"),
            [] { return nullptr; }, [] {}, seat.in, seat.out);
    }
    engines::Registry registry_;
    std::unique_ptr<boost::asio::io_context> loop_ = std::make_unique<boost::asio::io_context>(1);
};

TEST_F(PersonTest, MayBeGoneWithTheLoopWhenTheLineComes) {
    auto& seat = new_seat();
    auto again = seat.terminal.asked_again.get_future();
    auto person = sit(seat);
    seat.terminal.asked.get_future().wait();
    person.reset();
    loop_.reset();
    seat.terminal.typed.set_value();
    EXPECT_EQ(again.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout)
        << "the line was for nobody, and so is the next";
}

TEST_F(PersonTest, ReadingDoesNotTouchTheScreen) {
    auto& seat = new_seat();
    seat.in.tie(&seat.out);  // as std::cin is tied to std::cout
    auto person = sit(seat);
    seat.terminal.asked.get_future().wait();
    EXPECT_EQ(seat.screen.flushed_by, std::thread::id());
    person.reset();
    seat.terminal.typed.set_value();
}

}  // namespace

}  // namespace referee::single_game
