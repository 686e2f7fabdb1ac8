#include "tests/bench/instant_bots.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <ctime>
#include <memory>
#include <string_view>
#include <type_traits>

namespace bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t read_bytes = 16 * 1024;

// The text of a string or number member, found by its name: enough for lines that we know.
std::string_view member(std::string_view line, std::string_view name) {
    const auto at = line.find(name);
    if (at == std::string_view::npos) return {};
    auto rest = line.substr(at + name.size());
    if (rest.starts_with('"')) {
        rest.remove_prefix(1);
        return rest.substr(0, rest.find('"'));
    }
    return rest.substr(0, rest.find_first_of(",}"));
}

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

// The processor time of another process.
class ProcessorClock {
 public:
    explicit ProcessorClock(int process) { clock_getcpuclockid(process, &clock_); }
    double us() const {
        timespec time{};
        clock_gettime(clock_, &time);
        return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
    }

 private:
    clockid_t clock_{};
};

// Tells the time inside games from the time between them.
class Meter {
 public:
    Meter(Tally& tally, std::size_t pairs, int server_process)
        : tally_(tally), pairs_(pairs), processor_(server_process) {}

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
        if (!pairs_[pair].playing) pairs_[pair].last_turn = Clock::now();
    }

 private:
    struct Pair {
        bool playing = false;
        Clock::time_point last_turn{};
    };

    void open() {
        opened_at_ = Clock::now();
        opened_turns_ = tally_.turns;
        opened_cpu_us_ = processor_.us();
    }
    void close() {
        tally_.inside_turns += tally_.turns - opened_turns_;
        tally_.inside_seconds += seconds(Clock::now() - opened_at_);
        tally_.inside_server_cpu_us += processor_.us() - opened_cpu_us_;
    }

    Tally& tally_;
    std::vector<Pair> pairs_;
    ProcessorClock processor_;
    std::size_t playing_ = 0;  // pairs
    Clock::time_point opened_at_{};
    std::uint64_t opened_turns_ = 0;
    double opened_cpu_us_ = 0;
};

using TlsStream = asio::ssl::stream<tcp::socket>;

template <typename Stream>
class Bot {
 public:
    Bot(Stream stream, std::size_t number, Tally& tally, Meter& meter)
        : stream_(std::move(stream)),
          name_("b" + std::to_string(number)),
          pair_(number / 2),
          tally_(tally),
          meter_(meter) {}

    asio::awaitable<void> run(tcp::endpoint server) {
        co_await stream_.lowest_layer().async_connect(server, asio::use_awaitable);
        stream_.lowest_layer().set_option(tcp::no_delay(true));
        if constexpr (std::is_same_v<Stream, TlsStream>)
            co_await stream_.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
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
            const auto [failed, written] = co_await asio::async_write(
                stream_, asio::buffer(answers_), asio::as_tuple(asio::use_awaitable));
            if (failed || written == 0) co_return;
        }
    }

 private:
    void handle(std::string_view line) {
        const auto type = member(line, "\"type\":");
        if (type == "turn") {
            answer(line);
        } else if (type == "hello") {
            answers_ += R"({"type":"login","name":")" + name_ + R"(","games":["walls"]})" + "\n";
        } else if (type == "start") {
            script_ = walls_script(member(line, "\"seat\":") == "1");
            step_ = 0;
            answers_ += R"({"type":"ready","game_id":")" +
                        std::string(member(line, "\"game_id\":")) + "\"}\n";
        } else if (type == "end") {
            ++tally_.games_ended;
        }
    }

    void answer(std::string_view line) {
        if (step_ == 0) meter_.game_begins(pair_);
        meter_.turn(pair_);
        answers_ += R"({"type":"move","game_id":")";
        answers_ += member(line, "\"game_id\":");
        answers_ += R"(","turn":)";
        answers_ += member(line, "\"turn\":");
        answers_ += R"(,"move":")";
        answers_ += step_ < script_.size() ? script_[step_] : 'L';
        answers_ += "\"}\n";
        if (++step_ == script_.size()) meter_.script_ends(pair_);
    }

    Stream stream_;
    std::string name_;
    std::size_t pair_;
    Tally& tally_;
    Meter& meter_;
    std::string answers_;
    std::string script_;
    std::size_t step_ = 0;
};

template <typename MakeStream>
void play(asio::io_context& loop, const tcp::endpoint& server, std::size_t count, Tally& tally,
          Meter& meter, MakeStream make_stream) {
    std::vector<std::unique_ptr<Bot<decltype(make_stream())>>> bots;
    for (std::size_t i = 0; i < count; ++i) {
        bots.push_back(
            std::make_unique<Bot<decltype(make_stream())>>(make_stream(), i, tally, meter));
        asio::co_spawn(loop, bots.back()->run(server), asio::detached);
    }
    loop.run();
}

}  // namespace

std::string walls_script(bool right_half) {
    constexpr int centre = board_size / 2;
    // Toward the bottom first, then up and down, column by column, away from the middle.
    const char to_south = right_half ? 'R' : 'L';
    const char first_turn = right_half ? 'L' : 'R';  // from south to the outside
    const char second_turn = first_turn;             // from the outside to north
    std::string script(1, to_south);
    script.append(static_cast<std::size_t>(centre), 'F');
    bool at_bottom = true;
    for (int column = 1; column < centre; ++column) {
        const char turn = at_bottom ? first_turn : to_south;
        script += turn;
        script += 'F';
        script += at_bottom ? second_turn : to_south;
        script.append(static_cast<std::size_t>(board_size - 1), 'F');
        at_bottom = !at_bottom;
    }
    return script;
}

Tally play_instant_bots(const tcp::endpoint& server, std::size_t count, int server_process,
                        Link link) {
    asio::io_context loop(1);
    Tally tally;
    Meter meter(tally, count / 2, server_process);
    if (link == Link::tcp) {
        play(loop, server, count, tally, meter, [&loop] { return tcp::socket(loop); });
        return tally;
    }
    asio::ssl::context context(asio::ssl::context::tls_client);
    play(loop, server, count, tally, meter, [&] { return TlsStream(loop, context); });
    return tally;
}

}  // namespace bench
