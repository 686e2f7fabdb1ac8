// A crowd of bots on loopback that drop and return. Prints a JSON line of what they saw every
// second, until it is told to stop by the end of its standard input.
//
//   soak_bots PORT BOTS [STAY_MS AWAY_MS]
//
// With STAY_MS 0 they stay for good.

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/soak/soak_bot.h"

namespace {

namespace asio = boost::asio;

constexpr auto told_every = std::chrono::seconds(1);

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

void tell(const soak::Tally& tally) {
    std::string text = "{\"connected\":" + std::to_string(tally.connected) +
                       ",\"logins\":" + std::to_string(tally.logins) +
                       ",\"drops\":" + std::to_string(tally.drops) +
                       ",\"turns\":" + std::to_string(tally.turns) +
                       ",\"ends\":" + std::to_string(tally.ends) +
                       ",\"resumed\":" + std::to_string(tally.resumed) + ",\"faults\":{";
    bool first = true;
    for (const auto& [code, count] : tally.own_faults) {
        text += (first ? "\"" : ",\"") + code + "\":" + std::to_string(count);
        first = false;
    }
    text += "},\"charges\":{";
    first = true;
    for (const auto& [charged_us, count] : tally.charges) {
        text += (first ? "\"" : ",\"") + std::to_string(charged_us) + "\":" + std::to_string(count);
        first = false;
    }
    text += "},\"broken\":" + std::to_string(tally.broken) + ",\"first_broken\":[";
    for (std::size_t i = 0; i < tally.first_broken.size(); ++i)
        text += (i == 0 ? "\"" : ",\"") + escaped(tally.first_broken[i]) + "\"";
    std::puts((text + "]}").c_str());
    std::fflush(stdout);
}

class Crowd {
 public:
    Crowd(std::uint16_t port, std::size_t count, soak::Habits habits) : habits_(habits) {
        const asio::ip::tcp::endpoint server(asio::ip::address_v4::loopback(), port);
        for (std::size_t i = 0; i < count; ++i) {
            bots_.push_back(std::make_unique<soak::Bot>(loop_, i, habits_, tally_));
            asio::co_spawn(loop_, bots_.back()->run(server), asio::detached);
        }
        tell_again();
        input_.async_read_some(asio::buffer(&byte_, 1),
                               [this](const boost::system::error_code&, std::size_t) {
                                   tally_.stopping = true;
                                   loop_.stop();
                               });
    }
    void run() {
        loop_.run();
        tell(tally_);
    }

 private:
    void tell_again() {
        tell(tally_);
        timer_.expires_after(told_every);
        timer_.async_wait([this](const boost::system::error_code&) { tell_again(); });
    }

    soak::Habits habits_;
    soak::Tally tally_;
    asio::io_context loop_{1};
    std::vector<std::unique_ptr<soak::Bot>> bots_;
    asio::steady_timer timer_{loop_};
    asio::posix::stream_descriptor input_{loop_, STDIN_FILENO};
    char byte_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 5) {
        std::fputs("soak_bots PORT BOTS [STAY_MS AWAY_MS]\n", stderr);
        return 2;
    }
    soak::Habits habits;
    if (argc == 5) {
        habits.stay = std::chrono::milliseconds(std::atoi(argv[3]));
        habits.away = std::chrono::milliseconds(std::atoi(argv[4]));
    }
    Crowd crowd(static_cast<std::uint16_t>(std::atoi(argv[1])),
                static_cast<std::size_t>(std::atoi(argv[2])), habits);
    crowd.run();
    return 0;
}
