#include "referee/connect/bridge/bridge.h"

#include <csignal>
#include <ostream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/exit_code.h"
#include "referee/launch/process/search_path.h"

namespace referee::bridge {
namespace {

using boost::system::error_code;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

// What may wait for a side that doesn't read; then the other side isn't read either.
constexpr std::size_t unsent_bytes_max = 1024 * 1024;
// For a program that was told goodbye, and for the last line to the referee.
constexpr milliseconds leaving_max{2000};
// For another login of a program whose login was refused.
constexpr std::chrono::nanoseconds next_login_within = std::chrono::seconds(2);
// A program that lived so long may be begun again at once.
constexpr std::chrono::minutes long_life{1};
// Fewer are late answers, or a habit; a referee bears some hundreds.
constexpr std::uint64_t unasked_moves_told_from = 100;

// A first line for the fault, and the end of the standard error, as much as a goodbye takes.
std::string told_to_referee(const ProgramEnd& end) {
    std::string text = "its program closed its standard output";
    if (!end.closed_output)
        text = (end.status.how == process::ExitStatus::How::exited && end.status.code == 0
                    ? "its program ended: "
                    : "its program crashed: ") +
               end.status.text();
    const auto room = protocol::limits::bye_bytes_max - text.size() - 1;
    auto tail = base::readable(end.error_tail, end.error_tail.size());
    while (tail.size() > room && tail.find('\n') < tail.size() - 1)
        tail.erase(0, tail.find('\n') + 1);
    return tail.empty() ? text : text + '\n' + tail;
}

std::string seconds_text(std::chrono::nanoseconds exact) {
    const auto time = duration_cast<milliseconds>(exact);
    constexpr auto a_second = 1000;
    constexpr auto a_tenth = 100;
    return fmt::format("{}.{} s", time.count() / a_second, time.count() % a_second / a_tenth);
}

}  // namespace

Bridge::Bridge(BridgeOptions options, BridgeReporter& reporter, process::Launcher& launcher,
               boost::asio::io_context& loop)
    : options_(std::move(options)),
      reporter_(reporter),
      launcher_(launcher),
      loop_(loop),
      spec_(launch_spec_of(options_.command, options_.identity)),
      relay_(options_.identity),
      log_(options_.identity.name),
      connection_(loop, options_.address, options_.give_up_after, connection_news()),
      launch_timer_(loop),
      login_timer_(loop),
      leave_timer_(loop),
      signals_(loop, SIGINT, SIGTERM, SIGHUP) {}

int Bridge::run() {
    signals_.async_wait([this](error_code error, int number) {
        if (!error) on_signal(number);
    });
    if (!launch()) return status_;
    connection_.dial_now();
    loop_.run();
    program_.reset();
    return status_;
}

// ---- The program ---------------------------------------------------------------------------

bool Bridge::launch() {
    relay_.program_began();
    log_.program_began();
    reporter_.program_began();
    auto begun = StudentProgram::begin(loop_.get_executor(), launcher_, spec_, program_news());
    if (!begun) {
        const auto& first = spec_.command.front();
        const bool in_one_word = begun.error().kind == process::LaunchError::Kind::not_found &&
                                 spec_.command.size() == 1 && first.find(' ') != std::string::npos;
        reporter_.say(
            begun.error().message +
            (in_one_word ? "; it stands in one word: write them apart, -- " + first : ""));
        status_ = exit_bad_input;
        return false;
    }
    program_ = *std::move(begun);
    launched_at_ = std::chrono::steady_clock::now();
    return true;
}

ProgramNews Bridge::program_news() {
    ProgramNews news;
    news.on_lines = [this](Lines lines) { from_program(lines); };
    news.on_too_long = [this] {
        relay_.from_program_too_long();
        pass(relay_.take_step());
    };
    news.on_sent = [this] { sent(); };
    news.on_error_text = [this](std::string_view text) { reporter_.printed(text); };
    news.on_half_line = [this](std::string_view half_line) {
        reporter_.kept_back({std::string(half_line), "no line feed is at its end"});
    };
    news.on_ended = [this](const ProgramEnd& end) { program_ended(end); };
    return news;
}

void Bridge::from_program(Lines lines) {
    for (const auto line : lines) relay_.from_program(line);
    const auto step = relay_.take_step();
    pass(step);
    for (const auto line : lines) log_.said(line);
    if (step.close_reason) return part(*step.close_reason);
    if (relay_.has_logged_in()) login_timer_.cancel();
    connection_.dial_now();
}

void Bridge::await_login() {
    const bool refused = !relay_.refusal().empty();
    login_timer_.expires_after(refused ? next_login_within : options_.login_within);
    login_timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || relay_.has_logged_in() || phase_ != Phase::plays) return;
        if (!relay_.refusal().empty()) {
            reporter_.say("your program's login was refused, and it brought no other one: " +
                          relay_.refusal());
            say_goodbye();
            return leave(exit_bad_input);
        }
        reporter_.say("your program has not logged in within " +
                      seconds_text(options_.login_within) +
                      " of the referee's hello. Expected on its standard output a line such as " +
                      std::string(protocol::example(protocol::BotMessage::login)) +
                      "; flush after each line (--login-within gives it more time)");
        say_goodbye();
        leave(exit_no);
    }));
}

void Bridge::program_ended(const ProgramEnd& end) {
    program_.reset();
    login_timer_.cancel();
    if (phase_ != Phase::plays) return end_when_done();
    tell_end(end);
    const auto why = told_to_referee(end);
    const bool again = log_.played_well();
    log_.program_ended(end.status.text(), again);
    reporter_.tell(log_);
    if (!again) {
        reporter_.say("it gave no valid move since it began, so it is not begun again");
        say_goodbye(why);
        return leave(exit_no);
    }
    say_goodbye(why);
    drop_connection();  // on a new one the referee tells it the games that are on
    if (std::chrono::steady_clock::now() - launched_at_ > long_life) program_back_off_.reset();
    const auto pause = program_back_off_.next(0);
    reporter_.say("it is begun again in " + seconds_text(pause));
    launch_timer_.expires_after(pause);
    launch_timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || phase_ != Phase::plays) return;
        if (!launch()) return leave(exit_no);
        connection_.dial_now();
    }));
}

void Bridge::tell_end(const ProgramEnd& end) {
    reporter_.program_ended(end.error_tail);
    reporter_.say(end.closed_output
                      ? "your program closed its standard output and ran on, so it was ended: the "
                        "referee can't hear it any more"
                      : "your program ended: " + end.status.text());
    if (end.left_processes)
        reporter_.say("it left processes behind that it had started; they were ended, too");
}

// ---- The connection ------------------------------------------------------------------------

KeptConnectionNews Bridge::connection_news() {
    KeptConnectionNews news;
    news.is_wanted = [this] {
        return program_ && phase_ == Phase::plays && relay_.wants_connection();
    };
    news.on_open = [this] { relay_.connection_opened(); };
    news.on_lines = [this](Lines lines) { from_referee(lines); };
    news.on_sent = [this] { sent(); };
    news.on_lost = [this](const std::string& why) { connection_lost(why); };
    news.on_failed = [this](const NoConnection& why) {
        say_trouble(why.message + (why.for_good ? "" : "; the bridge tries again and again"));
        if (why.for_good) leave(exit_bad_input);
    };
    news.on_given_up = [this] {
        if (phase_ != Phase::plays || relay_.is_welcome()) return;
        reporter_.say("no connection for " + seconds_text(*options_.give_up_after) +
                      ": the bridge gives up, as --give-up-after says");
        say_goodbye();
        leave(exit_trouble);
    };
    return news;
}

// The same again and again is told once.
void Bridge::say_trouble(const std::string& trouble) {
    if (std::exchange(last_trouble_, trouble) != trouble) reporter_.say(trouble);
}

void Bridge::connection_lost(const std::string& why) {
    relay_.connection_lost();
    if (phase_ != Phase::plays) return end_when_done();
    if (!relay_.wants_connection()) return;  // the program has not logged in yet
    const auto unasked = relay_.unasked_moves();
    const std::string flood =
        unasked < unasked_moves_told_from
            ? ""
            : fmt::format(
                  ": your program had sent {} moves that nobody had asked for, and a referee shows "
                  "a bot out that floods; send one \"move\" for each \"turn\"",
                  unasked);
    say_trouble("the connection was lost (" + why + ")" + flood + "; the bridge dials again");
    connection_.dial_later();
}

void Bridge::drop_connection() {
    connection_.drop();
    relay_.connection_lost();
}

void Bridge::from_referee(Lines lines) {
    const bool was_welcome = relay_.is_welcome();
    const bool had_to_log_in = relay_.wants_connection();
    for (const auto line : lines) relay_.from_referee(line);
    const auto step = relay_.take_step();
    pass(step);
    if (had_to_log_in && !relay_.wants_connection()) await_login();
    if (!was_welcome && relay_.is_welcome()) {
        reporter_.say("connected to " + protocol::host_and_port(options_.address) + " as " +
                      options_.identity.name);
        if (!step.page.empty()) reporter_.say("your games: " + base::visible_line(step.page));
        last_trouble_.clear();
        connection_.is_good();
    }
    for (const auto line : lines) log_.told(line);
    reporter_.tell(log_);
    if (step.close_reason) return part(*step.close_reason);
    look_at_matches();
}

void Bridge::part(const relay::CloseReason& close_reason) {
    if (phase_ != Phase::plays) return;
    if (close_reason.after == relay::After::again || close_reason.after == relay::After::later) {
        drop_connection();
        if (!relay_.wants_connection()) return;
        say_trouble(close_reason.words);
        return connection_.dial_later();
    }
    reporter_.say(close_reason.words);
    int status = exit_done;
    if (close_reason.after == relay::After::refused) {
        status = exit_bad_input;
        dismiss_program();
    }
    if (close_reason.after == relay::After::program_failed) status = exit_no;
    leave(status);
}

// ---- Both ----------------------------------------------------------------------------------

void Bridge::pass(const relay::RelayStep& step) {
    if (program_ && !step.to_program.empty()) program_->channel().send(step.to_program);
    if (!step.to_referee.empty()) connection_.send(step.to_referee);
    reporter_.trace_told(step.to_program);
    reporter_.trace_said(step.to_referee);
    for (const auto& line : step.kept_back) reporter_.kept_back(line);
    balance();
}

void Bridge::sent() {
    balance();
    if (phase_ == Phase::leaves) end_when_done();
}

// A side that sends more than the other takes is not read for a while.
void Bridge::balance() {
    const bool program_takes = !program_ || program_->channel().unsent() < unsent_bytes_max;
    const bool referee_takes = connection_.unsent() < unsent_bytes_max;
    connection_.set_reading(program_takes);
    if (program_) program_->channel().set_reading(referee_takes);
}

void Bridge::look_at_matches() {
    if (!options_.matches || phase_ != Phase::plays) return;
    if (log_.matches() < *options_.matches || log_.games_on() > 0) return;
    const auto count = log_.matches();
    reporter_.say(count == 1 ? "the match is over" : fmt::format("all {} matches are over", count));
    say_goodbye();
    leave(exit_done);
}

void Bridge::on_signal(int number) {
    if (phase_ != Phase::plays) return loop_.stop();
    reporter_.say("the bridge was told to end");
    say_goodbye();
    leave(exit_of_signal(number));
    signals_.async_wait([this](error_code error, int again) {
        if (!error) on_signal(again);
    });
}

void Bridge::say_goodbye(std::string_view why) {
    std::string goodbye;
    protocol::encode(goodbye, protocol::Bye{protocol::name_of(protocol::ByeReason::leaving), why});
    connection_.send(goodbye);
    dismiss_program();
}

void Bridge::dismiss_program() {
    std::string goodbye;
    protocol::encode(goodbye, protocol::Bye{protocol::name_of(protocol::ByeReason::finished),
                                            "the bridge ends"});
    if (program_) program_->channel().send(goodbye);
}

void Bridge::leave(int status) {
    phase_ = Phase::leaves;
    status_ = status;
    connection_.end_output();
    if (program_) program_->channel().end_output();
    leave_timer_.expires_after(leaving_max);
    leave_timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (!error) loop_.stop();
    }));
    end_when_done();
}

void Bridge::end_when_done() {
    if (program_ || connection_.unsent() > 0) return;
    phase_ = Phase::over;
    loop_.stop();
}

// ---- The whole -----------------------------------------------------------------------------

int run_bridge(const BridgeOptions& options, std::ostream& screen, std::ostream& table) {
    auto folder = KeptFolder::in(options.keep);
    if (!folder) {
        screen << folder.error() << '\n';
        return exit_bad_input;
    }
    boost::asio::io_context loop(1);
    process::LauncherOptions launching;
    launching.search_path = process::program_search_path();
    auto launcher = process::Launcher::create(loop.get_executor(), launching);
    if (!launcher) {
        screen << launcher.error().message << '\n';
        return exit_trouble;
    }
    BridgeReporter reporter(screen, *std::move(folder), options.trace);
    int status = exit_done;
    {
        Bridge bridge(options, reporter, **launcher, loop);
        status = bridge.run();
        if (status != exit_bad_input || bridge.log().has_games()) table << bridge.log().table();
    }
    return status;
}

}  // namespace referee::bridge
