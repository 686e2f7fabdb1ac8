#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace soak {

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
    Bot(boost::asio::io_context& loop, std::size_t number, const Habits& habits, Tally& tally);

    // Until tally.stopping, or the referee goes away for good.
    boost::asio::awaitable<void> run(boost::asio::ip::tcp::endpoint server);

 private:
    boost::asio::awaitable<void> stay(boost::asio::ip::tcp::endpoint server);
    boost::asio::awaitable<bool> exchange();
    void handle(std::string_view line);
    void start(std::string_view line);
    void answer(std::string_view line);
    void leave_after(std::chrono::milliseconds stay);
    void note_charge(std::string_view line);
    void end(std::string_view line);
    void fault(std::string_view line);
    void must(bool kept, std::string_view promise, std::string_view line);
    std::chrono::milliseconds about(std::chrono::milliseconds mean);

    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
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

}  // namespace soak
