#include "referee/daemon/daemon.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "protocol/address.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/daemon/orders/order.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"
#include "referee/game/clock/time.h"
#include "referee/net/control/control_server.h"
#include "referee/server/server.h"

namespace referee::daemon {

namespace {

// Tells systemd how the program fares, where systemd started it and asked for that.
class SystemdNotice {
 public:
    // Reads systemd's wishes from the environment.
    SystemdNotice() {
        const char* path = std::getenv("NOTIFY_SOCKET");
        if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
        const std::string_view name(path);
        sockaddr_un address{};
        if (name.size() >= sizeof(address.sun_path)) return;
        address.sun_family = AF_UNIX;
        std::copy(name.begin(), name.end(), address.sun_path);
        if (name.front() == '@') address.sun_path[0] = '\0';  // an abstract name
        const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
        socket_ = files::Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        if (!socket_) return;
        if (connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) {
            socket_ = {};
            return;
        }
        const char* usec = std::getenv("WATCHDOG_USEC");
        if (usec == nullptr) return;
        std::int64_t us = 0;
        const auto read = std::from_chars(usec, usec + std::strlen(usec), us);
        // Signs of life are sent twice as often as systemd asks.
        if (read.ec == std::errc() && us > 0) watchdog_ = from_us(us) / 2;
    }

    // "READY=1", "STATUS=...", "STOPPING=1", "WATCHDOG=1", "RELOADING=1".
    void tell(const std::string& state) const {
        // Where nobody reads what was told so far, the loop doesn't wait for that.
        if (!socket_) return;
        static_cast<void>(
            send(socket_.get(), state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    }
    // How often a sign of life is due; nothing where none is asked for.
    std::optional<Duration> watchdog() const { return watchdog_; }

 private:
    files::Descriptor socket_;
    std::optional<Duration> watchdog_;
};

constexpr std::string_view socket_name = "control.sock";
// In which a ctl that is told that a bot is forgotten takes the answer.
constexpr auto answer_time = std::chrono::milliseconds(200);

std::string mistakes_in(const std::vector<config::ConfigError>& errors, const std::string& file) {
    return base::joined(errors, "; ",
                        [&file](const auto& error) { return config::describe(error, file); });
}

// Names that one list has and the other has not.
template <typename List, typename Member>
std::string missing(const List& list, const List& other, Member name) {
    std::vector<std::string> names;
    for (const auto& one : list) {
        if (!base::contains(other, one.*name, name)) names.push_back(one.*name);
    }
    return base::names_in(names);
}

// What another config brings and takes away.
std::string changes(const config::Config& was, const config::Config& is) {
    constexpr auto id = &config::TournamentConfig::id;
    constexpr auto name = &config::BotConfig::name;
    std::vector<std::string> told;
    for (const auto& [what, names] :
         {std::pair("new tournaments: ", missing(is.tournaments, was.tournaments, id)),
          std::pair("tournaments that are gone: ", missing(was.tournaments, is.tournaments, id)),
          std::pair("new bots: ", missing(is.bots, was.bots, name)),
          std::pair("bots that are gone: ", missing(was.bots, is.bots, name))}) {
        if (!names.empty()) told.push_back(what + names);
    }
    return told.empty() ? "no tournament and no bot is new or gone" : base::joined(told, "; ");
}

// A server that stays up: carries out orders, watches signals, talks to the service manager.
class Daemon final : public scheduler::Observer {
 public:
    Daemon(const config::Config& config, DaemonOptions options)
        : options_(std::move(options)),
          server_(config, {options_.out, true, {options_.unsandboxed, supply::tier_min_of_serve}},
                  [this](const auto& ending) { ended(ending); }),
          orders_(
              server_, [this](bool previews) { return reload(previews); },
              [this](forget::ForgetPlan plan, control::ControlCommands::Answer answer) {
                  forget_when_drained(std::move(plan), std::move(answer));
              }),
          control_(server_.loop().get_executor(), server_.timers(), orders_,
                   [](const std::string& news) { log::warn("{}", news); }),
          reload_signal_(server_.loop(), SIGHUP) {}

    Ending serve() {
        if (std::filesystem::exists(server_.store_file()))
            log::info("reading {}; orders are taken when that is done", server_.store_file());
        if (const auto prepared = server_.prepare(); !prepared)
            return {prepared.error().status, prepared.error().message};
        server_.scheduler().observe(*this);
        server_.take_orders(orders_);
        for (const auto& note : server_.recovery().notes) log::warn("{}", note);
        if (const auto listening = listen_for_orders(); !listening) {
            server_.release();
            return {exit_trouble, listening.error()};
        }
        wait_for_stop();
        wait_for_reload();
        server_.start();
        log::info("listening on {}, writing to {}", server_.ports().endpoint(), options_.out);
        if (const auto address = server_.ports().tls_address(); !address.empty())
            log::info("bots dial in by TLS at {}", address);
        if (!server_.web_url().empty()) log::info("{}", line_for_the_class());
        if (!server_.config().tls && protocol::is_loopback(server_.config().address))
            log::info(
                "only this machine reaches {}: for students elsewhere, \"listen\" in the config "
                "needs \"address\": \"0.0.0.0\", and \"web\" in it too for pages",
                server_.ports().endpoint());
        log::info("{}", server_.priority().text());
        systemd_.tell("READY=1\nSTATUS=listening on " + server_.ports().endpoint());
        tell_alive();
        server_.run();
        if (to_forget_) orders_.close("the daemon begins anew; try again in a moment");
        server_.release();
        if (to_forget_) forget();
        return ending_;
    }
    // Whether another daemon is to go on in the folder: a bot was forgotten, or that failed.
    bool goes_on() const { return to_forget_ && !stopping_ && ending_.status == exit_done; }

    void on_store_trouble(const std::string& trouble) override {
        systemd_.tell("STATUS=" +
                      (trouble.empty() ? "listening on " + server_.ports().endpoint() : trouble));
    }

 private:
    // What students need to know, to be pasted where they read it.
    std::string line_for_the_class() const {
        const auto address = server_.ports().bots_dial_in_at();
        const auto& config = server_.config();
        const auto& roster = config.registration.class_roster;
        // Who has a token on the roster needs no password.
        const bool registers =
            !config.registration.password.empty() &&
            (!roster || std::ranges::any_of(roster->students(), [](const auto& student) {
                return student.token.empty();
            }));
        const auto& own = config.tls ? config.tls->address : config.address;
        const bool named = server::host_seen_from_outside(own) != own;
        return "paste to the class: bots dial in at " + address + ", pages are at " +
               server_.web_url() + ", a program joins by: referee connect " + address +
               " --name NAME --token TOKEN" + (registers ? " --password PASSWORD" : "") +
               " -- COMMAND" +
               (named ? "; where that name of this machine isn't known, give them its address in "
                        "its place"
                      : "");
    }

    base::Result<void, std::string> listen_for_orders() {
        const auto& control = server_.config().control;
        const auto socket =
            control.socket.empty() ? options_.out + "/" + std::string(socket_name) : control.socket;
        if (auto listening = control_.listen_unix(socket); !listening) return listening;
        log::complete_orders_by(control.socket.empty() ? "--out " + base::shell_word(options_.out)
                                                       : "--socket " + base::shell_word(socket));
        if (control.address.empty()) return {};
        std::optional<control::Encryption> encryption;
        if (control.tls)
            encryption = control::Encryption{server::host_seen_from_outside(control.address),
                                             [this] { return server_.ports().tls_context(); }};
        auto listening =
            control_.listen_tcp(control.address, control.port, control.token,
                                server_.referee().lobby().strangers_time(), std::move(encryption));
        if (listening) log::info("orders are taken on {} too", control_.tcp_address());
        return listening;
    }

    void wait_for_stop() {
        server_.stop_by_signals([this](const std::string& signal, bool again) {
            log::info("{}: stopping{}", signal, again ? " at once" : "");
            if (!std::exchange(stopping_, true)) systemd_.tell("STOPPING=1");
        });
    }

    void wait_for_reload() {
        reload_signal_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
            if (error) return;
            if (const auto reloaded = reload(false); !reloaded)
                log::error("the old config stays: {}", reloaded.error());
            wait_for_reload();
        });
    }

    // In words, what has changed.
    base::Result<std::string, std::string> reload(bool previews) {
        auto read = config::read_config_file(options_.config);
        if (!read) return base::failure(mistakes_in(read.error(), options_.config));
        auto config = *std::move(read);
        const auto level = config.log_level;
        const auto warnings = config.warnings;
        auto changed = changes(server_.config(), config);
        if (auto reloaded = server_.reload(std::move(config), previews); !reloaded)
            return base::failure(std::move(reloaded.error()));
        if (previews) return changed;
        if (!level.empty()) log::set_level(level);
        for (const auto& warning : warnings) log::warn("{}", warning);
        if (server_.scheduler().store_trouble().empty())
            systemd_.tell("STATUS=listening on " + server_.ports().endpoint());
        log::info("the config is read again: {}", changed);
        return changed;
    }

    void tell_alive() {
        const auto every = systemd_.watchdog();
        if (!every) return;
        systemd_.tell("WATCHDOG=1");
        alive_ =
            server_.timers().schedule(server_.timers().now() + *every, [this] { tell_alive(); });
    }

    void ended(const scheduler::SchedulerEnding& ending) {
        using Kind = scheduler::SchedulerEnding::Kind;
        const bool good = ending.kind == Kind::stopped || ending.kind == Kind::finished;
        ending_ = good ? Ending{exit_done, {}} : Ending{exit_trouble, ending.message};
        // Who asked to forget a bot still waits for the answer.
        if (!to_forget_) control_.close();
        reload_signal_.cancel();
        server_.close(protocol::ByeReason::shutdown,
                      goes_on() ? "the referee begins anew; connect again" : "the referee stops",
                      [this] { closed(); });
    }

    struct ToForget {
        forget::ForgetPlan plan;
        control::ControlCommands::Answer answer;
    };

    void forget_when_drained(forget::ForgetPlan plan, control::ControlCommands::Answer answer) {
        log::info(
            "a bot is forgotten by order: no game begins, and when the {} that run are over "
            "the daemon begins anew; the bot's placeholder is {}",
            server_.scheduler().games_running(), plan.placeholder);
        to_forget_ = ToForget{std::move(plan), std::move(answer)};
        server_.scheduler().drain("drained to forget a bot");
    }

    base::Result<store::Rewritten, forget::ForgetRefusal> forget_now() {
        if (ending_.status != exit_done)
            return base::failure(
                forget::ForgetRefusal{forget::ForgetTrouble::machine, ending_.message});
        auto next = server_.timers().now();
        return forget::forget_bot(to_forget_->plan, tournament::fresh_token(),
                                  [this, &next](std::uint64_t /*records*/) {
                                      const auto every = systemd_.watchdog();
                                      if (!every || server_.timers().now() < next) return;
                                      systemd_.tell("WATCHDOG=1");
                                      next = server_.timers().now() + *every;
                                  });
    }

    // Nobody plays and the store is closed.
    void forget() {
        systemd_.tell("RELOADING=1\nSTATUS=forgetting a bot");
        const auto forgotten = forget_now();
        if (forgotten) {
            log::info("{} stands in the place of a bot that is forgotten",
                      to_forget_->plan.placeholder);
        } else {
            log::error("no bot is forgotten: {}", forgotten.error().message);
        }
        to_forget_->answer(forgotten_answer(to_forget_->plan, forgotten));
        wait_for_stop();
        server_.loop().restart();
        server_.loop().run_for(answer_time);
        control_.close();
        server_.loop().restart();
        server_.loop().poll();
    }

    void closed() {
        if (!to_forget_ && server_.publisher().lacks_files() && ending_.status == exit_done)
            ending_ = {exit_trouble,
                       "files are missing: the log says which, and why. When that is mended, the "
                       "next start writes them"};
        server_.timers().cancel(alive_);
        server_.loop().stop();
    }

    DaemonOptions options_;
    SystemdNotice systemd_;
    server::Server server_;
    ControlOrders orders_;
    control::ControlServer control_;
    boost::asio::signal_set reload_signal_;
    loop::Timers::Id alive_ = 0;
    bool stopping_ = false;
    std::optional<ToForget> to_forget_;
    Ending ending_;
};

}  // namespace

Ending serve(config::Config config, const DaemonOptions& options) {
    // Between two daemons too, this signal doesn't end the process; the next one takes it.
    boost::asio::io_context never_run;
    const boost::asio::signal_set caught(never_run, SIGHUP);
    while (true) {
        {
            Daemon daemon(config, options);
            auto ending = daemon.serve();
            if (!daemon.goes_on()) return ending;
        }
        auto read = config::read_config_file(options.config);
        if (!read) return {exit_bad_input, mistakes_in(read.error(), options.config)};
        config = *std::move(read);
        for (const auto& warning : config.warnings) log::warn("{}", warning);
    }
}

}  // namespace referee::daemon
