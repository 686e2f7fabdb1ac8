// A crowd of bots on loopback that drop and return. Prints a JSON line of what they saw every
// second, until it is told to stop by the end of its standard input.
//
//   soak_bots PORT BOTS [STAY_MS AWAY_MS]
//
// With STAY_MS 0 they stay for good.

#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/writer.h"
#include "tests/bench/member.h"

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using bench::member;

constexpr auto told_every = std::chrono::seconds(1);
constexpr std::size_t read_bytes = 16 * 1024;
constexpr std::size_t broken_told_max = 20;
constexpr std::uint64_t first_two_digits_end = 100;
constexpr std::string_view moves = "FLR";
constexpr auto quietly = asio::as_tuple(asio::use_awaitable);

// What all bots of the process saw together.
struct Tally {
    std::uint64_t connected = 0;  // now
    std::uint64_t logins = 0;
    std::uint64_t drops = 0;
    std::uint64_t turns = 0;
    std::uint64_t ends = 0;
    std::uint64_t resumed = 0;
    std::map<std::string, std::uint64_t> own_faults;  // by code
    // How many turns were charged how many microseconds, of which the first two digits are kept.
    std::map<std::uint64_t, std::uint64_t> charges;
    // Promises of the protocol that were broken: must stay 0.
    std::uint64_t broken = 0;
    std::vector<std::string> first_broken;  // the first few, in words
    bool stopping = false;
};

// How long bots stay and are away, on average. Who stays for no time at all stays for good, and
// does nothing for which it could be blamed.
struct Habits {
    std::chrono::milliseconds stay{30'000};
    std::chrono::milliseconds away{2'000};
};

// A bot that plays Walls at random, drops its connection again and again, at any moment, politely
// or not, and returns; or it stays for good. It keeps an eye on what the protocol promises it. Its
// loop, the habits and the tally outlive it.
class Bot {
 public:
    Bot(asio::io_context& loop, std::size_t number, const Habits& habits, Tally& tally)
        : socket_(loop),
          timer_(loop),
          name_("b" + std::to_string(number)),
          habits_(habits),
          tally_(tally),
          random_(static_cast<std::uint32_t>(number + 1)) {}

    // Until tally.stopping, or the referee goes away for good.
    asio::awaitable<void> run(tcp::endpoint server) {
        while (!tally_.stopping) {
            co_await stay(server);
            if (tally_.stopping) co_return;
            timer_.expires_after(about(habits_.away));
            co_await timer_.async_wait(quietly);
        }
    }

 private:
    asio::awaitable<void> stay(tcp::endpoint server) {
        const auto [error] = co_await socket_.async_connect(server, quietly);
        if (error) {
            socket_.close();
            co_return;
        }
        socket_.set_option(tcp::no_delay(true));
        ++tally_.connected;
        buffer_.clear();
        playing_.clear();
        if (habits_.stay.count() > 0) leave_after(about(habits_.stay));
        while (co_await exchange()) {
        }
        timer_.cancel();
        boost::system::error_code ignored;
        socket_.close(ignored);
        --tally_.connected;
        ++tally_.drops;
    }

    void leave_after(std::chrono::milliseconds stay) {
        timer_.expires_after(stay);
        timer_.async_wait([this](const boost::system::error_code& stopped) {
            if (stopped) return;
            boost::system::error_code ignored;
            // Half of the drops are a reset in the middle of whatever goes on.
            if (random_() % 2 == 0) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
            socket_.close(ignored);
        });
    }

    asio::awaitable<bool> exchange() {
        char chunk[read_bytes];
        const auto [error, bytes] = co_await socket_.async_read_some(asio::buffer(chunk), quietly);
        if (error) co_return false;
        buffer_.append(chunk, bytes);
        answers_.clear();
        std::size_t begin = 0;
        for (auto end = buffer_.find('\n'); end != std::string::npos;
             end = buffer_.find('\n', begin)) {
            handle(std::string_view(buffer_).substr(begin, end - begin));
            begin = end + 1;
        }
        buffer_.erase(0, begin);
        if (answers_.empty()) co_return true;
        const auto [failed, written] =
            co_await asio::async_write(socket_, asio::buffer(answers_), quietly);
        co_return !failed;
    }

    void handle(std::string_view line) {
        const auto type = member(line, "\"type\":");
        if (type == "turn") {
            answer(line);
        } else if (type == "hello") {
            answers_ += R"({"type":"login","name":")" + name_ + R"(","token":"token-)" + name_ +
                        R"(","games":["walls"],"parallel":2})" + "\n";
        } else if (type == "welcome") {
            ++tally_.logins;
        } else if (type == "start") {
            start(line);
        } else if (type == "end") {
            end(line);
        } else if (type == "fault") {
            fault(line);
        } else if (type == "bye") {
            must(member(line, "\"reason\":") == "shutdown", "nobody is sent away", line);
        } else {
            must(type != "error", "logins are welcome and messages understood", line);
        }
    }

    void start(std::string_view line) {
        const std::string game_id(member(line, "\"game_id\":"));
        const bool resumed = line.find("\"resumed\":true") != std::string_view::npos;
        must(!ended_.contains(game_id), "no game begins after its end", line);
        must(!playing_.contains(game_id), "a game begins once on a connection", line);
        // It may have begun in the moment when we dropped: then we are told of it as of one that
        // goes on.
        if (!resumed)
            must(!known_.contains(game_id), "a game that goes on is told as resumed", line);
        if (resumed) ++tally_.resumed;
        known_.insert(game_id);
        playing_.emplace(game_id, member(line, "\"seat\":"));
        answers_ += R"({"type":"ready","game_id":")" + game_id + "\"}\n";
    }

    void answer(std::string_view line) {
        const auto game_id = member(line, "\"game_id\":");
        must(playing_.contains(game_id), "turns are of games that have begun and not ended", line);
        ++tally_.turns;
        note_charge(line);
        answers_ += R"({"type":"move","game_id":")";
        answers_ += game_id;
        answers_ += R"(","turn":)";
        answers_ += member(line, "\"turn\":");
        answers_ += R"(,"move":")";
        answers_ += moves[random_() % moves.size()];
        answers_ += "\"}\n";
    }

    void note_charge(std::string_view line) {
        const auto charged = member(line, "\"charged_us\":");
        if (charged.empty()) return;  // nothing was asked before this turn
        std::uint64_t charged_us = 0;
        std::from_chars(charged.data(), charged.data() + charged.size(), charged_us);
        std::uint64_t unit = 1;
        while (charged_us / unit >= first_two_digits_end) unit *= 10;
        ++tally_.charges[charged_us / unit * unit];
    }

    void end(std::string_view line) {
        const auto game_id = member(line, "\"game_id\":");
        ++tally_.ends;
        const auto found = playing_.find(game_id);
        // An end may come for a game that this connection knows nothing of: the bot came back when
        // the game was over but not yet recorded, or the opponent never came and the game did not
        // begin.
        const bool no_show = line.find("did not show up") != std::string_view::npos;
        must(known_.contains(game_id) || no_show, "ends are of games that have begun", line);
        must(ended_.emplace(game_id).second, "an end is told once", line);
        if (found != playing_.end()) playing_.erase(found);
    }

    void fault(std::string_view line) {
        const auto found = playing_.find(member(line, "\"game_id\":"));
        if (found == playing_.end() || member(line, "\"seat\":") != found->second) return;
        const std::string code(member(line, "\"code\":"));
        ++tally_.own_faults[code];
        // This bot only drops its connection. So it can be late, or lose a game while it is away,
        // and nothing else.
        const bool drops = habits_.stay.count() > 0;
        must(drops && (code == "late" || code == "disconnected"),
             "no bot is blamed for what it didn't do", line);
    }

    void must(bool kept, std::string_view promise, std::string_view line) {
        if (kept) return;
        ++tally_.broken;
        if (tally_.first_broken.size() < broken_told_max) {
            tally_.first_broken.push_back(name_ + ": " + std::string(promise) + ": " +
                                          std::string(line));
        }
    }

    std::chrono::milliseconds about(std::chrono::milliseconds mean) {
        return std::chrono::milliseconds(
            static_cast<std::int64_t>(std::exponential_distribution<double>(
                1.0 / static_cast<double>(mean.count()))(random_)));
    }

    tcp::socket socket_;
    asio::steady_timer timer_;
    std::string name_;
    const Habits& habits_;
    Tally& tally_;
    std::minstd_rand random_;
    std::string buffer_;
    std::string answers_;
    std::map<std::string, std::string, std::less<>>
        playing_;                               // on this connection: my seat, by game id
    std::set<std::string, std::less<>> known_;  // games that this bot was ever told to start
    std::set<std::string, std::less<>> ended_;  // and of those that it was told the end of
};

void tell(const Tally& tally) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object()
        .member("connected", tally.connected)
        .member("logins", tally.logins)
        .member("drops", tally.drops)
        .member("turns", tally.turns)
        .member("ends", tally.ends)
        .member("resumed", tally.resumed);
    writer.key("faults").begin_object();
    for (const auto& [code, count] : tally.own_faults) writer.member(code, count);
    writer.end_object().key("charges").begin_object();
    for (const auto& [us, count] : tally.charges) writer.member(std::to_string(us), count);
    writer.end_object().member("broken", tally.broken);
    writer.key("first_broken").texts(tally.first_broken).end_object();
    std::puts(text.c_str());
    std::fflush(stdout);
}

class Crowd {
 public:
    Crowd(std::uint16_t port, std::size_t count, Habits habits) : habits_(habits) {
        const asio::ip::tcp::endpoint server(asio::ip::address_v4::loopback(), port);
        for (std::size_t i = 0; i < count; ++i) {
            bots_.push_back(std::make_unique<Bot>(loop_, i, habits_, tally_));
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

    Habits habits_;
    Tally tally_;
    asio::io_context loop_{1};
    std::vector<std::unique_ptr<Bot>> bots_;
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
    Habits habits;
    if (argc == 5) {
        habits.stay = std::chrono::milliseconds(std::atoi(argv[3]));
        habits.away = std::chrono::milliseconds(std::atoi(argv[4]));
    }
    Crowd crowd(static_cast<std::uint16_t>(std::atoi(argv[1])),
                static_cast<std::size_t>(std::atoi(argv[2])), habits);
    crowd.run();
    return 0;
}
