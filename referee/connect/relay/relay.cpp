#include "referee/connect/relay/relay.h"

#include <array>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/codes.h"

namespace referee::relay {
namespace {

using protocol::ByeReason;
using protocol::ErrorCode;

struct ErrorMeaning {
    ErrorCode code;
    After after;
    std::string_view remedy;  // what to do, as the end of a sentence
};

// Those that aren't here are the referee's last word: see its message.
constexpr std::array<ErrorMeaning, 13> meanings = {{
    {ErrorCode::too_many_connections, After::later, "the bridge tries again"},
    {ErrorCode::too_many_tries, After::later, "the bridge tries again"},
    {ErrorCode::approval_needed, After::later,
     "the instructor has to approve the name; the bridge tries again until then"},
    {ErrorCode::login_timeout, After::again, ""},
    {ErrorCode::flooding, After::program_failed, "print one move for each turn, and nothing else"},
    {ErrorCode::backlog, After::program_failed,
     "keep reading standard input, also while you think"},
    {ErrorCode::line_too_long, After::program_failed,
     "end each message with a line feed, and flush"},
    {ErrorCode::wrong_token, After::refused, "look at --token, --token-file and REFEREE_TOKEN"},
    {ErrorCode::wrong_password, After::refused, "look at --password and REFEREE_PASSWORD"},
    {ErrorCode::token_needed, After::refused,
     "make up a token and keep it: --token-file, or REFEREE_TOKEN in the environment"},
    {ErrorCode::unknown_name, After::refused, "look at --name"},
    {ErrorCode::already_connected, After::refused, "end the other program, or the other bridge"},
    {ErrorCode::tls_expected, After::refused,
     "write the address as the instructor gives it, tls://HOST:PORT#sha256=..."},
}};

std::string sentence(std::string_view what, std::string_view message, std::string_view remedy) {
    auto words = std::string(what) + ": " + base::visible_line(message);
    if (!remedy.empty()) words.append("; ").append(remedy);
    return words;
}

namespace json = protocol::json;

void append_line(std::string& out, std::string_view line) {
    out.append(line).append("\n");
}

// Of an error that closes the connection.
CloseReason close_reason_of_error(std::string_view code, std::string_view message) {
    const auto its = protocol::code_named<ErrorCode>(code);
    const auto* const found = std::ranges::find(meanings, its, &ErrorMeaning::code);
    const bool known = found != meanings.end();
    return {known ? found->after : After::refused,
            sentence("the referee ended the connection (" + base::visible_line(code) + ")", message,
                     known ? found->remedy : "")};
}

CloseReason close_reason_of_bye(std::string_view code, std::string_view message) {
    const auto reason = protocol::code_named<ByeReason>(code);
    if (reason == ByeReason::finished || reason == ByeReason::released)
        return {After::finished, sentence("the referee says goodbye", message, "")};
    if (reason == ByeReason::shutdown) {
        return {After::later,
                sentence("the referee stops", message, "the bridge waits until it is there again")};
    }
    if (reason == ByeReason::replaced) {
        return {After::refused, sentence("another login of this name took this connection's place",
                                         message, "end the other program, or the other bridge")};
    }
    if (reason == ByeReason::refused)
        return {After::refused, sentence("the referee ended the connection", message, "")};
    return {After::again, sentence("the referee ended the connection", message, "")};
}

}  // namespace

bool is_parting(std::string_view code) {
    const auto known = protocol::code_named<ErrorCode>(code);
    return known && protocol::closes(*known);
}

void Relay::program_began() {
    program_ = Program::fresh;
    has_moved_ = false;
    login_.clear();
    refusal_.clear();
    games_.clear();
    waiting_.clear();
}

void Relay::connection_opened() {
    connection_ = Connection::opened;
    parted_ = false;
    unasked_moves_ = 0;
}

void Relay::connection_lost() {
    connection_ = Connection::away;
    for (auto& [id, known] : games_) known.comes_back = true;
}

void Relay::from_referee(std::string_view line) {
    if (const auto peek = peek_at_turn(line)) return take_turn(line, peek->game_id, peek->turn);
    if (!document_.parse(line, {.depth_max = protocol::limits::depth_max}))
        return append_line(step_.to_program, line);
    const auto message = document_.root();
    const auto type = message.find("type").text();
    if (type == "hello") {
        take_hello(line, message);
    } else if (type == "welcome") {
        take_welcome(line, message);
    } else if (type == "start") {
        take_start(line, message);
    } else if (type == "turn") {
        take_turn(line, message.find("game_id").text(), message.find("turn").integer().value_or(0));
    } else if (type == "ping") {
        protocol::encode(step_.to_referee,
                         protocol::Pong{message.find("id").unsigned_integer().value_or(0)});
    } else if (type == "error") {
        take_error(line, message);
    } else if (type == "bye") {
        take_bye(line, message);
    } else {
        if (type == "end") {
            if (const auto over = games_.find(message.find("game_id").text()); over != games_.end())
                games_.erase(over);
        }
        append_line(step_.to_program, line);
    }
}

void Relay::take_hello(std::string_view line, const json::View& hello) {
    connection_ = Connection::greeted;
    if (const auto bytes = hello.find("limits").find("line_bytes").integer(); bytes && *bytes > 0)
        line_bytes_max_ = static_cast<std::size_t>(*bytes);
    if (program_ == Program::fresh) {
        program_ = Program::greeted;
        append_line(step_.to_program, line);
    }
    if (login_.empty()) return;
    program_ = std::max(program_, Program::logs_in);
    append_line(step_.to_referee, login_);
}

void Relay::take_welcome(std::string_view line, const json::View& welcome) {
    connection_ = Connection::open;
    if (program_ != Program::welcome) {
        append_line(step_.to_program, line);
        step_.page = welcome.find("page").text();
    }
    program_ = Program::welcome;
    step_.to_referee += waiting_;
    waiting_.clear();
}

void Relay::take_start(std::string_view line, const json::View& start) {
    auto& begun = game(start.find("game_id").text());
    if (!start.find("resumed").boolean().value_or(false)) {
        begun = Game{.order = begun.order};
    } else if (!begun.ready.empty()) {
        append_line(step_.to_referee, begun.ready);
    }
    append_line(step_.to_program, line);
}

void Relay::take_turn(std::string_view line, std::string_view id, std::int64_t turn) {
    auto& asked = game(id);
    const bool again = asked.comes_back && asked.asked == turn;
    asked.comes_back = false;
    if (again) {
        if (!asked.answer.empty()) append_line(step_.to_referee, asked.answer);
        return;
    }
    asked.asked = turn;
    asked.answer.clear();
    asked.strayed = false;
    append_line(step_.to_program, line);
}

void Relay::take_error(std::string_view line, const json::View& error) {
    const auto code = error.find("code").text();
    if (!is_parting(code)) {
        // The login was no good; the program has to mend it, on another connection.
        if (program_ == Program::logs_in) {
            program_ = Program::greeted;
            refusal_ = sentence(base::visible_line(code), error.find("message").text(), "");
        }
        if (program_ != Program::welcome) {
            login_.clear();
            parted_ = true;
        }
        return append_line(step_.to_program, line);
    }
    part(line, close_reason_of_error(code, error.find("message").text()));
}

void Relay::take_bye(std::string_view line, const json::View& bye) {
    part(line, close_reason_of_bye(bye.find("reason").text(), bye.find("message").text()));
}

void Relay::part(std::string_view line, CloseReason close_reason) {
    if (parted_) return;  // the error before a goodbye says more
    parted_ = true;
    // What is the bridge's affair isn't the program's: that would say it a second time.
    if (close_reason.after == After::finished || close_reason.after == After::program_failed)
        append_line(step_.to_program, line);
    step_.close_reason = std::move(close_reason);
}

void Relay::from_program(std::string_view line) {
    if (line.size() > line_bytes_max_) return from_program_too_long();
    if (const auto parsed = document_.parse(line, {.depth_max = protocol::limits::depth_max});
        !parsed)
        return keep_back(line, "it is no JSON: " + parsed.error().message);
    const auto message = document_.root();
    if (!message.is_object())
        return keep_back(line,
                         fmt::format("it is {} and no object", json::describe(message.kind())));
    const auto type = message.find("type").text();
    if (type == "move") {
        take_move(line, message);
    } else if (type == "login" && program_ != Program::welcome) {
        take_login(message);
    } else if (type == "ready") {
        take_ready(line, message);
    } else if (type == "bye") {
        send(line);
        if (!parted_)
            step_.close_reason = CloseReason{After::finished, "your program says goodbye"};
        parted_ = true;
    } else {
        send_or_wait(line);
    }
}

void Relay::keep_back(std::string_view line, std::string why) {
    step_.kept_back.push_back({std::string(line), std::move(why)});
    if (has_moved_) return;
    const auto waits = std::ranges::find_if(
        games_, [](const auto& known) { return known.second.asked > 0 && !known.second.strayed; });
    if (waits == games_.end()) return;
    waits->second.strayed = step_.kept_back.back().sent = send(line);
}

void Relay::from_program_too_long() {
    step_.kept_back.push_back(
        {"", fmt::format("it is longer than {} bytes, the most that the referee takes",
                         line_bytes_max_)});
}

void Relay::take_login(const json::View& login) {
    login_ = login_line(login, identity_);
    refusal_.clear();
    if (program_ == Program::greeted) program_ = Program::logs_in;
    if (connection_ == Connection::greeted) append_line(step_.to_referee, login_);
}

void Relay::take_ready(std::string_view line, const json::View& ready) {
    if (auto* const known = base::find_in(games_, ready.find("game_id").text()))
        known->ready = line;
    send(line);
}

void Relay::take_move(std::string_view line, const json::View& move) {
    has_moved_ = true;
    auto* const known = base::find_in(games_, move.find("game_id").text());
    const bool asked = known != nullptr && move.find("turn").integer() == known->asked;
    if (!asked || !known->answer.empty()) ++unasked_moves_;
    if (asked && known->answer.empty()) known->answer = line;
    // Else it is sent when the turn comes again.
    if (!asked || !known->comes_back) send(line);
}

bool Relay::send(std::string_view line) {
    const bool logs_in = connection_ == Connection::greeted && program_ != Program::welcome;
    if (connection_ != Connection::open && !logs_in) return false;
    append_line(step_.to_referee, line);
    return true;
}

void Relay::send_or_wait(std::string_view line) {
    if (!send(line) && waiting_.size() + line.size() < waiting_bytes_max)
        append_line(waiting_, line);
}

Relay::Game& Relay::game(std::string_view id) {
    if (auto* const known = base::find_in(games_, id)) return *known;
    // Those that never came back are over.
    constexpr auto games_max = static_cast<std::size_t>(protocol::limits::games_parallel_max);
    if (games_.size() >= games_max)
        games_.erase(
            std::ranges::min_element(games_, {}, [](const auto& one) { return one.second.order; }));
    auto& made = games_[std::string(id)];
    made.order = ++games_begun_;
    return made;
}

}  // namespace referee::relay
