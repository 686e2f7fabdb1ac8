#pragma once

// A student's program on standard input and output, joined to a referee over the network.

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/address.h"
#include "referee/connect/bridge/kept_connection.h"
#include "referee/connect/bridge/reporter.h"
#include "referee/connect/bridge/student_program.h"
#include "referee/connect/relay/game_log.h"
#include "referee/connect/relay/relay.h"

namespace referee::bridge {

struct BridgeOptions {
    protocol::ServerAddress address;
    relay::BotIdentity identity;
    std::vector<std::string> command;
    std::string keep;  // the folder
    bool trace = false;
    std::optional<std::uint64_t> matches;                             // ends when so many are over
    std::chrono::nanoseconds login_within{std::chrono::seconds(30)};  // of the referee's hello
    std::optional<std::chrono::nanoseconds> give_up_after;            // without a connection
};

// Plays until one of the two sides is done, and shows on `screen` what happens. Whatever ends it,
// no process of the program is left. All is on one thread, but for asio's own that looks up names.
// Whom a signal, a goodbye or an end meets is decided here; what lines mean is the relay's, and
// what they tell the log's.
class Bridge {
 public:
    Bridge(BridgeOptions options, BridgeReporter& reporter, process::Launcher& launcher,
           boost::asio::io_context& loop);
    Bridge(const Bridge&) = delete;
    Bridge& operator=(const Bridge&) = delete;

    // Runs the loop; the exit status.
    int run();

    const relay::GameLog& log() const { return log_; }

 private:
    enum class Phase : std::uint8_t { plays, leaves, over };
    using Lines = std::span<const std::string_view>;

    // The program's side.
    bool launch();
    ProgramNews program_news();
    void from_program(Lines lines);
    void program_ended(const ProgramEnd& end);
    void tell_end(const ProgramEnd& end);
    void await_login();

    // The connection's side.
    KeptConnectionNews connection_news();
    void connection_lost(const std::string& why);
    void drop_connection();
    void say_trouble(const std::string& trouble);
    void from_referee(Lines lines);
    void part(const relay::CloseReason& close_reason);

    // Sends what a step has for both sides, and tells the rest.
    void pass(const relay::RelayStep& step);
    void sent();
    void balance();
    void look_at_matches();
    void on_signal(int number);

    // To both sides; the referee is told why.
    void say_goodbye(std::string_view why = {});
    void dismiss_program();
    // Ends with that status, when what is to be said has left and the program has ended.
    void leave(int status);
    void end_when_done();

    BridgeOptions options_;
    BridgeReporter& reporter_;
    process::Launcher& launcher_;
    boost::asio::io_context& loop_;
    process::LaunchSpec spec_;
    relay::Relay relay_;
    relay::GameLog log_;
    std::unique_ptr<StudentProgram> program_;
    KeptConnection connection_;
    std::string last_trouble_;  // with it, since it was good
    relay::BackOff program_back_off_;
    std::chrono::steady_clock::time_point launched_at_;
    boost::asio::steady_timer launch_timer_;
    boost::asio::steady_timer login_timer_;
    boost::asio::steady_timer leave_timer_;
    boost::asio::signal_set signals_;
    Phase phase_ = Phase::plays;
    int status_ = 0;
    loop::Life life_;
};

// All of it: the folder, the launcher, the loop; the table at the end on `table`. Mistakes in what
// was asked for are told on `screen`, too.
int run_bridge(const BridgeOptions& options, std::ostream& screen, std::ostream& table);

}  // namespace referee::bridge
