#include "referee/net/session/session.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <optional>
#include <utility>

#include "protocol/bad_line.h"
#include "protocol/base/assertion.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"

namespace referee::session {
std::string_view describe(CloseCause cause) {
    static constexpr std::array<base::Named<CloseCause>, 9> causes{{
        {CloseCause::left, "the bot closed the connection"},
        {CloseCause::link_failed, "the connection broke"},
        {CloseCause::login_timeout, "no login in time"},
        {CloseCause::line_too_long, "a line was too long"},
        {CloseCause::flooding, "it sent more than it was asked for"},
        {CloseCause::backlog, "it did not read what it was sent"},
        {CloseCause::replaced, "a newer login took its place"},
        {CloseCause::refused, "it was refused"},
        {CloseCause::released, "it was released"},
    }};
    static_assert(base::in_order(causes));
    return base::row_of(causes, cause).name;
}

bool takes_no_program(Session& session) {
    return session.send_error(protocol::ErrorCode::no_submissions,
                              "no programs are taken here: connect your bot yourself");
}

Session::Session(std::string id, std::unique_ptr<transport::Transport> transport,
                 loop::Timers& timers, SessionEvents& events, const SessionLimits& limits,
                 const boost::asio::any_io_executor& executor)
    : id_(std::move(id)),
      transport_(std::move(transport)),
      timers_(timers),
      events_(events),
      limits_(limits),
      executor_(executor),
      framer_(limits.line_bytes_max),
      resume_signal_(executor),
      flood_burst_(stranger_burst_bytes),
      flood_credit_(stranger_burst_bytes) {}

Session::~Session() {
    REFEREE_ASSERT(login_timer_ == 0 && backlog_timer_ == 0 && pause_timer_ == 0);
}

void Session::start(std::string_view server_version) {
    credit_at_ = timers_.now();
    protocol::Hello hello;
    hello.server = "referee";
    hello.version = server_version;
    hello.session = id_;
    hello.limits.line_bytes = static_cast<std::int64_t>(limits_.line_bytes_max);
    hello.limits.login_ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(limits_.login_time_max).count();
    send(hello);
    // Whoever launched a program knows how long it waited for a core, and ends it.
    if (!transport_->is_standard_output()) {
        login_timer_ = timers_.schedule(timers_.now() + limits_.login_time_max, [this] {
            login_timer_ = 0;
            const auto most = std::chrono::ceil<std::chrono::seconds>(limits_.login_time_max);
            refuse(protocol::ErrorCode::login_timeout,
                   "no login came within " + base::span_text(most.count()),
                   CloseCause::login_timeout);
        });
    }
    boost::asio::co_spawn(executor_, read_loop(shared_from_this()), boost::asio::detached);
    flush();
}

boost::asio::awaitable<void> Session::read_loop(std::shared_ptr<Session> /*keeps this alive*/) {
    while (!closed()) {
        if (is_paused()) co_await resume_signal_.wait();
        co_await transport_->readable();
        std::optional<loop::TimeShare::Piece> piece;
        if (phase_ == Phase::stranger && strangers_time_ != nullptr)
            piece.emplace(co_await strangers_time_->turn(account_));
        // One read each time it wakes up: a bot that sends without end takes turns with the others.
        if (!closed() && !is_paused()) read_once();
        if (piece) charged_ += piece->end();
        if (!piece || phase_ != Phase::logged_in) continue;
        document_.trim(0);  // nothing is kept for the first game, which may be far away
        framer_.release();
        if (out_.empty()) out_.shrink_to_fit();
        if (gives_back_) strangers_time_->give_back(account_, charged_);
    }
}

boost::asio::awaitable<void> Session::write_loop(std::shared_ptr<Session> /*keeps this alive*/) {
    while (!closed() && backlog() > 0) {
        co_await transport_->writable();
        if (!closed()) flush();
    }
    while (phase_ == Phase::lingering && backlog() > 0) {
        co_await transport_->writable();
        const auto done = transport_->write(std::string_view(out_).substr(out_done_));
        if (done.status == transport::Transport::Status::would_block) continue;
        if (done.status != transport::Transport::Status::good) break;
        out_done_ += done.bytes;
    }
    writing_ = false;
    if (phase_ != Phase::lingering) co_return;
    phase_ = Phase::closed;
    timers_.cancel(linger_timer_);
    transport_->close();
}

void Session::go_on_writing() {
    if (!std::exchange(writing_, true))
        boost::asio::co_spawn(executor_, write_loop(shared_from_this()), boost::asio::detached);
}

bool Session::read_once() {
    const auto room = framer_.prepare();
    const auto got = transport_->read(room);
    switch (got.status) {
        case transport::Transport::Status::good:
            break;
        case transport::Transport::Status::would_block:
            return false;
        case transport::Transport::Status::closed:
            close(CloseCause::left);
            return false;
        case transport::Transport::Status::failed:
            close(CloseCause::link_failed);
            return false;
    }
    framer_.commit(got.bytes);
    charge_flood(got.bytes);
    REFEREE_ASSERT(!taking_);
    taking_ = true;
    take_lines(got);
    taking_ = false;
    document_.trim(protocol::limits::decoder_bytes_kept_max);
    return !closed();
}

void Session::take_lines(const transport::Transport::Read& got) {
    for (auto found = framer_.next(); !closed(); found = framer_.next()) {
        if (found.what == protocol::Framing::more) return;
        if (found.what == protocol::Framing::too_long) {
            answer_error(protocol::line_too_long(limits_.line_bytes_max));
            return close(CloseCause::line_too_long);
        }
        const auto size = static_cast<std::int64_t>(found.line.size() + 1);
        // A line is there when its last byte is.
        const bool ends = got.ends_at_stamp && framer_.pending() == 0;
        if (handle(found.line, ends ? Stamp::exact(got.stamp.latest) : got.stamp)) {
            flood_credit_ = std::min(flood_credit_ + size, flood_burst_);
        } else if (!closed()) {
            charge_flood(phase_ == Phase::stranger ? stranger_line_bytes : flood_line_bytes);
        }
    }
}

bool Session::handle(std::string_view line, Stamp stamp) {
    using protocol::BotMessage;
    const bool is_in = phase_ == Phase::logged_in;
    const auto message =
        protocol::decode_from_bot(line, document_, is_in ? BotMessage::move : BotMessage::login);
    if (const auto* move = std::get_if<protocol::Move>(&message); move != nullptr && is_in)
        return events_.on_move(*this, *move, line, stamp);
    const auto refused = [&](protocol::ErrorCode code, std::string words, BotMessage example) {
        answer_error({code, std::move(words), std::string(protocol::example(example)), "", ""});
        return false;
    };
    return std::visit(
        base::Overloaded{[&](protocol::ProtocolError error) {
                             if (protocol::is_plain_text(error))
                                 protocol::tell_plain_text(error, transport_->is_standard_output(),
                                                           ++plain_texts_);
                             answer_error(std::move(error));
                             return false;
                         },
                         [&](const protocol::Ping& ping) {
                             send(protocol::Pong{ping.id});
                             flush();
                             return false;
                         },
                         [&](const protocol::Pong& pong) {
                             events_.on_pong(*this, pong);
                             return false;
                         },
                         [&](const protocol::Bye& bye) {
                             goodbye_ = bye.message;
                             close(CloseCause::left);
                             return false;
                         },
                         [&](const protocol::Login& login) {
                             if (is_in)
                                 return refused(
                                     protocol::ErrorCode::already_logged_in,
                                     "this connection has logged in already; expected a move",
                                     BotMessage::move);
                             events_.on_login(*this, login);
                             return true;
                         },
                         [&]<typename Other>(const Other& other) {
                             if (!is_in)
                                 return refused(protocol::ErrorCode::login_expected,
                                                "expected a login first", BotMessage::login);
                             if constexpr (std::is_same_v<Other, protocol::Ready>)
                                 return events_.on_ready(*this, other);
                             if constexpr (std::is_convertible_v<Other, protocol::Question>)
                                 events_.on_question(*this, other);
                             if constexpr (std::is_convertible_v<Other, protocol::HandingIn>)
                                 return events_.on_handing_in(*this, other);
                             return false;
                         }},
        message);
}

bool Session::send_error(protocol::ErrorCode code, std::string message, std::string_view expected,
                         std::string_view member) {
    send(protocol::ProtocolError{
        code, std::move(message), std::string(expected), std::string(member), {}});
    flush();
    return false;
}

void Session::send_refusal(const protocol::ProtocolError& error) {
    send(error);
    send(protocol::Bye{protocol::name_of(protocol::ByeReason::refused),
                       "the error before this says why, and what was expected"});
}

// A stranger has one wrong line. A bot that the referee launched is none.
void Session::answer_error(protocol::ProtocolError error) {
    const bool ends = phase_ == Phase::stranger && !transport_->is_standard_output();
    using protocol::BotMessage;
    if (error.expected == example(BotMessage::move) || error.expected == example(BotMessage::ready))
        error.expected = awaited_line();
    ends ? send_refusal(error) : send(error);
    flush();
    if (!closed()) events_.on_error(*this, error);
    if (ends) close(CloseCause::refused);
}

void Session::charge_flood(std::size_t bytes) {
    const auto now = timers_.now();
    const auto elapsed_us = in_us(now - credit_at_);
    if (elapsed_us > 0) {
        constexpr std::int64_t us_a_second = 1'000'000;
        const auto gained = elapsed_us * flood_bytes_a_second / us_a_second;
        if (gained > 0) {
            flood_credit_ = std::min(flood_credit_ + gained, flood_burst_);
            credit_at_ = now;
        }
    }
    flood_credit_ -= static_cast<std::int64_t>(bytes);
    if (flood_credit_ >= 0 || is_paused()) return;
    if (++pauses_ > flood_pauses_max)
        return refuse(protocol::ErrorCode::flooding, "too much was sent that nobody asked for",
                      CloseCause::flooding);
    pause_timer_ = timers_.schedule(now + flood_pause, [this] {
        pause_timer_ = 0;
        resume_signal_.notify();
    });
}

void Session::refuse(protocol::ErrorCode code, std::string_view message, CloseCause cause) {
    if (closed()) return;
    send(protocol::ProtocolError{code, std::string(message), awaited_line(), {}, {}});
    close(cause);
}

std::string Session::awaited_line() const {
    using protocol::BotMessage;
    if (phase_ != Phase::logged_in) return std::string(example(BotMessage::login));
    const auto line = events_.awaited_line(*this);
    return line.empty() ? std::string(example(BotMessage::move)) : line;
}

Stamp Session::flush() {
    std::optional<Stamp> taken;  // when the kernel took the last of it
    const auto moment = [&] { return taken ? *taken : Stamp::exact(timers_.now()); };
    while (!closed() && backlog() > 0) {
        const auto done = transport_->write(std::string_view(out_).substr(out_done_));
        if (done.status == transport::Transport::Status::would_block) {
            // A bot that takes some bytes, however slowly, still reads.
            if (taken) timers_.cancel(std::exchange(backlog_timer_, 0));
            watch_backlog();
            return moment();
        }
        if (done.status != transport::Transport::Status::good) {
            // The reader finds out why; bytes that can't be sent are of no use.
            out_.clear();
            out_done_ = excused_ = 0;
            return moment();
        }
        out_done_ += done.bytes;
        taken = done.stamp;
    }
    out_.clear();
    out_done_ = excused_ = 0;
    if (out_.capacity() > outbox_bytes_kept) out_.shrink_to_fit();
    timers_.cancel(std::exchange(backlog_timer_, 0));
    return moment();
}

void Session::watch_backlog() {
    if (out_.size() - std::max(out_done_, excused_) > limits_.backlog_bytes_max) {
        give_up_backlog();
        return;
    }
    if (2 * out_done_ >= out_.size()) {
        out_.erase(0, out_done_);
        excused_ -= std::min(excused_, std::exchange(out_done_, 0));
    }
    if (backlog_timer_ == 0) {
        backlog_timer_ = timers_.schedule(timers_.now() + limits_.backlog_time_max, [this] {
            backlog_timer_ = 0;
            give_up_backlog();
        });
    }
    go_on_writing();
}

// The bot doesn't read. The session is over, and what the bot will not read is dropped. But the
// connection stays for a while, so that a bot that wakes up finds the reason after the last whole
// line.
void Session::give_up_backlog() {
    const auto line_end = out_.find('\n', out_done_);
    out_.resize(line_end == std::string::npos ? out_done_ : line_end + 1);
    const auto time_max =
        std::chrono::duration_cast<std::chrono::milliseconds>(limits_.backlog_time_max);
    auto message = fmt::format(
        "too much waits to be read: at most {} bytes may wait, and at most {} ms without any being "
        "read; expected a bot that keeps reading, also while it thinks",
        limits_.backlog_bytes_max, time_max.count());
    send(protocol::ProtocolError{protocol::ErrorCode::backlog, std::move(message), {}, {}, {}});
    linger_timer_ =
        timers_.schedule(timers_.now() + limits_.backlog_time_max, [this] { transport_->close(); });
    close(CloseCause::backlog);
}

void Session::drain() {
    REFEREE_ASSERT(!taking_);
    const auto self = shared_from_this();
    while (!closed() && !is_paused() && read_once()) {
    }
}

void Session::logged_in(bool gives_back) {
    if (closed()) return;
    phase_ = Phase::logged_in;
    gives_back_ = gives_back;
    flood_credit_ = flood_burst_ = flood_burst_bytes;
    timers_.cancel(std::exchange(login_timer_, 0));
}

void Session::close(CloseCause cause) {
    if (closed()) return;
    const auto self = shared_from_this();
    if (cause != CloseCause::link_failed && cause != CloseCause::backlog) flush();
    if (closed()) return;  // the last flush found the backlog too long
    phase_ = cause == CloseCause::backlog ? Phase::lingering : Phase::closed;
    for (auto* timer : {&login_timer_, &backlog_timer_, &pause_timer_})
        timers_.cancel(std::exchange(*timer, 0));
    if (phase_ == Phase::closed) {
        transport_->close();
    } else {
        go_on_writing();
    }
    resume_signal_.notify();
    events_.on_closed(*this, cause);
}

}  // namespace referee::session
