#include "tests/bench/instant_bots.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string_view>
#include <utility>

#include "tests/bench/server_process.h"

namespace bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t read_bytes = 16 * 1024;

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

// Tells the time inside games from the time between them. A pair is who plays a game: one bot
// where games have one seat.
class Meter {
 public:
    Meter(Tally& tally, std::size_t pairs, int server_process, bool takes_delays)
        : tally_(tally), pairs_(pairs), process_(server_process), takes_delays_(takes_delays) {}

    void game_begins(std::size_t pair) {
        auto& of = pairs_[pair];
        if (of.playing) return;
        of.playing = true;
        if (of.last_turn != Clock::time_point{}) {
            ++tally_.pauses;
            tally_.pause_seconds += seconds(Clock::now() - of.last_turn);
        }
        if (++playing_ == pairs_.size()) open();
    }
    void script_ends(std::size_t pair) {
        auto& of = pairs_[pair];
        if (!of.playing) return;
        of.playing = false;
        if (playing_-- == pairs_.size()) close();
    }
    void turn(std::size_t pair) {
        ++tally_.turns;
        auto& of = pairs_[pair];
        if (!of.playing) of.last_turn = Clock::now();
        if (takes_delays_ && of.answered != Clock::time_point{})
            tally_.delays_us.push_back(
                static_cast<std::uint32_t>(1e6 * seconds(Clock::now() - of.answered)));
        of.answered = {};
    }
    // Its answer to a turn is handed over now.
    void answers(std::size_t pair) {
        if (takes_delays_) pairs_[pair].answered = Clock::now();
    }

 private:
    struct Pair {
        bool playing = false;
        Clock::time_point last_turn{};
        Clock::time_point answered{};
    };

    void open() {
        opened_at_ = Clock::now();
        opened_turns_ = tally_.turns;
        opened_cpu_us_ = cpu_us_of(process_);
    }
    void close() {
        tally_.inside_turns += tally_.turns - opened_turns_;
        tally_.inside_seconds += seconds(Clock::now() - opened_at_);
        tally_.inside_server_cpu_us += cpu_us_of(process_) - opened_cpu_us_;
        tally_.server_kib = kib_of(process_);
    }

    Tally& tally_;
    std::vector<Pair> pairs_;
    int process_;
    bool takes_delays_;
    std::size_t playing_ = 0;  // pairs
    Clock::time_point opened_at_{};
    std::uint64_t opened_turns_ = 0;
    double opened_cpu_us_ = 0;
};

class Bot {
 public:
    Bot(asio::io_context& loop, std::size_t number, Manner manner, Tally& tally, Meter& meter)
        : stream_(loop),
          bot_("b" + std::to_string(number), manner.game),
          pair_(number / seats_of(manner.game)),
          manner_(manner),
          tally_(tally),
          meter_(meter) {}

    // Until the server has said something.
    asio::awaitable<void> dial(tcp::endpoint server) {
        co_await stream_.async_connect(server, asio::use_awaitable);
        stream_.set_option(tcp::no_delay(true));
        co_await stream_.async_wait(tcp::socket::wait_read, asio::use_awaitable);
    }
    asio::awaitable<void> play() {
        std::string buffer;
        std::string chunk(read_bytes, '\0');
        while (true) {
            const auto [error, bytes] = co_await stream_.async_read_some(
                asio::buffer(chunk), asio::as_tuple(asio::use_awaitable));
            if (error) co_return;
            tally_.bytes_in += bytes;
            buffer.append(chunk, 0, bytes);
            answers_.clear();
            std::size_t begin = 0;
            for (auto end = buffer.find('\n'); end != std::string::npos;
                 end = buffer.find('\n', begin)) {
                handle(std::string_view(buffer).substr(begin, end - begin));
                begin = end + 1;
            }
            buffer.erase(0, begin);
            if (answers_.empty()) continue;
            if (std::exchange(answers_a_turn_, false)) {
                if (manner_.thinks.count() > 0) co_await think();
                meter_.answers(pair_);
            }
            const auto [failed, written] = co_await asio::async_write(
                stream_, asio::buffer(answers_), asio::as_tuple(asio::use_awaitable));
            if (failed || written == 0) co_return;
        }
    }

 private:
    void handle(std::string_view line) {
        using Line = InstantAnswers::Line;
        const auto what = bot_.answer(line, answers_);
        if (what == Line::other) return;
        answers_a_turn_ = true;
        if (what == Line::first_turn) meter_.game_begins(pair_);
        meter_.turn(pair_);
        if (what == Line::last_turn) meter_.script_ends(pair_);
    }

    asio::awaitable<void> think() {
        asio::steady_timer timer(stream_.get_executor(), manner_.thinks);
        co_await timer.async_wait(asio::use_awaitable);
    }

    tcp::socket stream_;
    InstantAnswers bot_;
    std::size_t pair_;
    Manner manner_;
    Tally& tally_;
    Meter& meter_;
    std::string answers_;
    bool answers_a_turn_ = false;  // one of them is a move
};

using Bots = std::vector<std::unique_ptr<Bot>>;

// More would fill the kernel's queue of newcomers, and some of them be lost.
constexpr std::size_t dialled_at_once = 1024;

asio::awaitable<void> dial_some(Bots& bots, std::size_t first, tcp::endpoint server) {
    for (auto i = first; i < bots.size(); i += dialled_at_once) {
        co_await bots[i]->dial(server);
        asio::co_spawn(co_await asio::this_coro::executor, bots[i]->play(), asio::detached);
    }
}

}  // namespace

Tally play_instant_bots(const tcp::endpoint& server, std::size_t count, int server_process,
                        Manner manner) {
    asio::io_context loop(1);
    Tally tally;
    Meter meter(tally, count / seats_of(manner.game), server_process, manner.thinks.count() > 0);
    Bots bots;
    for (std::size_t i = 0; i < count; ++i)
        bots.push_back(std::make_unique<Bot>(loop, i, manner, tally, meter));
    for (std::size_t i = 0; i < std::min(count, dialled_at_once); ++i)
        asio::co_spawn(loop, dial_some(bots, i, server), [](const std::exception_ptr& failed) {
            if (failed) std::rethrow_exception(failed);
        });
    loop.run();
    return tally;
}

}  // namespace bench
