// How exactly deadlines are kept: 1, 100 and 1,000 games run at once, each between a bot that
// answers at once and one that never does, over TCP, with a budget of 50 ms and of 1 s. Beside
// them, in the same run, a bare timer of the same length on a thread of its own: what the machine
// itself can do. The error is the moment at which a turn was judged, less the moment at which its
// budget was over.
//
// Then once more with games that all begin at the same moment, so that many deadlines are due at
// once.
//
// The loop has the best priority that the kernel gives it, as the referee's has, and the bare timer
// has the same; with --plain neither has any.
//
//   deadline_bench [--plain] [SECONDS [BUDGET_MS GAMES]]

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "engines/registry.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/process_resources.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"
#include "referee/tournament/table/table.h"
#include "tests/bench/instant_answers.h"
#include "tests/sim/open_roster.h"

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using referee::Duration;

constexpr int seconds_by_default = 6;
// Far more than thousands of logins take.
constexpr Duration arrival_time_max = 60s;
constexpr int status_bad_input = 2;
constexpr int status_no_bots = 3;

class Figures {
 public:
    void add(std::int64_t us) { us_.push_back(us); }
    // "  p50  p99  max  of n"
    std::string text() {
        if (us_.empty()) return "nothing";
        std::sort(us_.begin(), us_.end());
        const auto at = [this](std::size_t percent) {
            return us_[(us_.size() - 1) * percent / 100];
        };
        char line[96];
        std::snprintf(line, sizeof line, "%8lld %8lld %8lld  %7zu", static_cast<long long>(at(50)),
                      static_cast<long long>(at(99)), static_cast<long long>(us_.back()),
                      us_.size());
        return line;
    }

 private:
    std::vector<std::int64_t> us_;
};

// Answers at once; the silent one only says that it is ready.
asio::awaitable<void> play_bot(tcp::endpoint server, std::string name, bool silent) try {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect(server, asio::use_awaitable);
    socket.set_option(tcp::no_delay(true));
    bench::InstantAnswers bot(std::move(name), bench::Game::walls);
    std::string in;
    while (true) {
        const auto bytes = co_await asio::async_read_until(socket, asio::dynamic_buffer(in), '\n',
                                                           asio::use_awaitable);
        const auto line = in.substr(0, bytes);
        in.erase(0, bytes);
        std::string out;
        if (!silent || !line.starts_with("{\"type\":\"turn\"")) bot.answer(line, out);
        if (!out.empty())
            co_await asio::async_write(socket, asio::buffer(out), asio::use_awaitable);
    }
} catch (const boost::system::system_error&) {  // the end
}

// Many games at once, each begun anew when it is over.
class Games final : public tests::sim::OpenRoster, public referee::lobby::LobbyEvents {
 public:
    enum class Begin : std::uint8_t { spread, together };

    Games(std::size_t count, Duration budget, Begin begin, referee::loop::Priority priority)
        : budget_(budget), begin_(begin), priority_(priority), tables_(count) {
        auto opened = referee::transport::Listener::open(loop_.get_executor(), "127.0.0.1", 0);
        listener_ = std::move(opened).value();
        listener_->start([this](auto transport) { lobby_.admit(std::move(transport)); },
                         [](const std::string&) {});
    }

    Figures run(Duration time) {
        const auto address = listener_->endpoint();
        const auto port =
            static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
        std::thread bots([this, port] {
            asio::io_context loop{1};
            for (std::size_t i = 0; i < 2 * tables_.size(); ++i) {
                asio::co_spawn(loop,
                               play_bot({asio::ip::address_v4::loopback(), port},
                                        "b" + std::to_string(i), i % 2 == 0),
                               asio::detached);
            }
            loop.run();
        });
        time_ = time;
        timers_.schedule(timers_.now() + arrival_time_max, [this] {
            if (arrived_ == 2 * tables_.size()) return;
            std::fprintf(stderr,
                         "deadline_bench: %zu of %zu bots logged in; expected all of them\n",
                         arrived_, 2 * tables_.size());
            std::_Exit(status_no_bots);
        });
        timers_.run(loop_);
        lobby_.close_all(protocol::ByeReason::finished, "the bench is over");
        listener_->close();
        loop_.restart();
        loop_.poll();
        bots.join();
        return std::move(figures_);
    }

    std::size_t priority_losses() const { return priority_losses_; }

    void on_left(referee::lobby::Bot& /*bot*/, referee::session::CloseCause /*cause*/) override {}
    void on_arrived(referee::lobby::Bot& /*bot*/) override {
        if (++arrived_ < 2 * tables_.size()) return;
        // Spread over a budget, as games are that didn't begin at the same moment.
        const auto now = timers_.now();
        const auto spread = begin_ == Begin::spread ? budget_ : Duration::zero();
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            timers_.schedule(now + spread * static_cast<int>(i) / static_cast<int>(tables_.size()),
                             [this, i] { begin(i); });
        }
        timers_.schedule(now + time_, [this] {
            for (auto& table : tables_) table.reset();
            loop_.stop();
        });
    }

 private:
    void begin(std::size_t i) {
        keep_priority();
        referee::play::PlaySetup setup;
        setup.key = {"bench", i + 1, 1, ++attempts_};
        setup.game = registry_.find("walls");
        setup.params = "{\"size\":3}";
        std::vector<referee::lobby::Bot*> bots;
        for (const auto number : {2 * i, 2 * i + 1}) {
            setup.bots.push_back("b" + std::to_string(number));
            bots.push_back(&lobby_.bot(setup.bots.back()));
        }
        setup.clock.budget = budget_;
        setup.clock.allowance = false;
        setup.clock = referee::clock::completed(setup.clock);
        tables_[i] = std::make_unique<referee::table::Table>(
            std::move(setup), referee::table::MatchFacts{"bench", 1}, bots, timers_, watch_, cores_,
            [this, i](referee::table::Table& table) {
                book(table);
                timers_.schedule(timers_.now(), [this, i] { begin(i); });
            });
        tables_[i]->start();
    }
    // As the referee does it: what was lost is asked for again when the next game begins.
    void keep_priority() {
        if (!referee::loop::has_lost_priority(priority_)) return;
        ++priority_losses_;
        priority_ = referee::loop::raise_priority();
    }
    void book(const referee::table::Table& table) {
        for (const auto& fault : table.play().result().faults) {
            const auto& evidence = fault.evidence;
            if (fault.rule != "clock.turn_budget") continue;
            figures_.add(*evidence.noticed_us - *evidence.sent_us - *evidence.budget_us);
        }
    }

    static referee::lobby::LobbyLimits wide() {
        referee::lobby::LobbyLimits limits;
        limits.connections.bots_per_address_max = limits.connections.bots_max;
        // All come at once, from one address.
        limits.connections.strangers_max = limits.connections.bots_max;
        limits.connections.strangers_per_address_max = limits.connections.bots_max;
        return limits;
    }

    asio::io_context loop_{1};
    referee::loop::SystemTimers timers_{loop_.get_executor()};
    std::unique_ptr<referee::loop::Machine> machine_ = referee::loop::this_machine(
        [](const std::string& trouble) { std::fprintf(stderr, "%s\n", trouble.c_str()); });
    referee::loop::SystemTimers ticks_{loop_.get_executor()};
    referee::loop::LoopWatch watch_{ticks_, *machine_};
    referee::table::Cores cores_{1};
    engines::Registry registry_;
    referee::lobby::Lobby lobby_{timers_, loop_.get_executor(), *this, *this, {"walls"}, wide(),
                                 "bench"};
    std::unique_ptr<referee::transport::Listener> listener_;
    Duration budget_;
    Begin begin_;
    referee::loop::Priority priority_;
    std::size_t priority_losses_ = 0;
    Duration time_{};
    std::vector<std::unique_ptr<referee::table::Table>> tables_;
    std::size_t arrived_ = 0;
    std::uint32_t attempts_ = 0;
    Figures figures_;
};

// The same length, again and again, and nothing else to do.
class BareTimer {
 public:
    BareTimer(Duration length, bool plain)
        : length_(length), thread_([this, plain] {
              if (!plain) referee::loop::raise_priority();
              run();
          }) {}
    Figures stop() {
        asio::post(loop_, [this] { loop_.stop(); });
        thread_.join();
        return std::move(figures_);
    }

 private:
    void run() {
        arm();
        loop_.run();
    }
    void arm() {
        timer_.expires_after(length_);
        timer_.async_wait([this](const boost::system::error_code&) {
            const auto late = std::chrono::steady_clock::now() - timer_.expiry();
            figures_.add(referee::in_us(late));
            arm();
        });
    }

    Duration length_;
    asio::io_context loop_{1};
    asio::steady_timer timer_{loop_};
    Figures figures_;
    std::thread thread_;
};

}  // namespace

int main(int count, char** arguments) {
    const bool plain = count > 1 && std::string_view(arguments[1]) == "--plain";
    if (plain) {
        --count;
        ++arguments;
    }
    if (count > 1 && std::atoi(arguments[1]) <= 0) {
        std::fprintf(stderr, "usage: deadline_bench [--plain] [SECONDS [BUDGET_MS GAMES]]\n");
        return status_bad_input;
    }
    const auto seconds =
        std::chrono::seconds(count > 1 ? std::max(1, std::atoi(arguments[1])) : seconds_by_default);
    std::printf(
        "budget  games              error of a deadline (us)                    bare timer (us)\n");
    std::printf(
        "                    p50      p99      max        of      p50      p99      max        "
        "of\n");
    std::vector<Duration> budgets{50ms, 1s};
    std::vector<std::size_t> game_counts{1, 100, 1000};
    if (count > 3) {
        budgets = {std::chrono::milliseconds(std::max(1, std::atoi(arguments[2])))};
        game_counts = {static_cast<std::size_t>(std::max(1, std::atoi(arguments[3])))};
    }
    for (const auto begin : {Games::Begin::spread, Games::Begin::together}) {
        for (const auto budget : budgets) {
            for (const auto games : game_counts) {
                const auto priority =
                    plain ? referee::loop::Priority{} : referee::loop::raise_priority();
                BareTimer bare(budget, plain);
                // A game of nine missed turns is counted only when it is over, so this runs long
                // enough for that.
                Games played(games, budget, begin, priority);
                auto kept = played.run(std::max<Duration>(seconds, 12 * budget));
                auto timer = bare.stop();
                std::printf("%4lld ms  %5zu  %s %s%s  lost its class %zu times\n",
                            static_cast<long long>(budget / 1ms), games, kept.text().c_str(),
                            timer.text().c_str(),
                            begin == Games::Begin::together ? "  begun together" : "",
                            played.priority_losses());
                std::fflush(stdout);
            }
        }
    }
    return 0;
}
