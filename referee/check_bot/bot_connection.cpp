#include "referee/check_bot/bot_connection.h"

#include <algorithm>

#include "protocol/json/printable.h"
#include "protocol/json/utf8.h"
#include "referee/version.h"

namespace referee::check_bot {
namespace {

constexpr std::size_t kept_max = 20;          // odd lines of a kind: more teach nothing
constexpr std::size_t shown_bytes_max = 120;  // of such a line
// Lines in answer to one message: beyond that it is a flood, as in a tournament.
constexpr std::size_t lines_in_answer_max = 1000;
// Messages on one connection that nobody asked for: likewise.
constexpr std::size_t unasked_max = 1000;
constexpr std::size_t pieces_max = 6;  // that a message comes in
constexpr Duration pause_between_pieces = std::chrono::milliseconds(5);
constexpr std::string_view news =
    R"({"type":"news_of_a_later_version","text":"a bot passes over types that it doesn't know","n":[1,{"a":null}]})";
constexpr std::string_view member_in_front =
    R"("a_later_version":{"says":["hello",1,null,{"}":"]"}]},)";
constexpr std::string_view member_behind = R"(,"another_member":[true,-1.5e3,"\u00e9"])";

std::string shown(std::string_view line) {
    return protocol::json::visible_line(protocol::json::utf8_prefix(line, shown_bytes_max));
}

void note(std::vector<BotObservations::Odd>& odd, const std::string& line, std::string why) {
    if (odd.size() < kept_max) odd.push_back({shown(line), std::move(why)});
}

// A message with members that it doesn't have by the protocol, in front and behind.
std::string with_unknown_members(std::string_view line) {
    std::string changed(line.substr(0, 1));
    changed += member_in_front;
    changed += line.substr(1, line.size() - 2);
    changed += member_behind;
    changed += '}';
    return changed;
}

}  // namespace

std::optional<BotConnection::Heard> BotConnection::hear(Instant until) {
    while (true) {
        auto line = wire_->next(until);
        if (!line || floods()) return std::nullopt;
        auto message = protocol::decode_from_bot(line->text, document_);
        if (auto* error = std::get_if<protocol::ProtocolError>(&message)) {
            answer_mistake(std::move(*error), line->text);
            continue;
        }
        ++observations_.messages;
        if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
            std::string reply;
            protocol::encode(reply, protocol::Pong{ping->id});
            wire_->send(reply);
            continue;
        }
        if (std::holds_alternative<protocol::Bye>(message)) goodbye_ = true;
        return Heard{message, std::move(line->text), line->at};
    }
}

void BotConnection::answer_mistake(protocol::ProtocolError error, const std::string& line) {
    const bool text = protocol::is_plain_text(error);
    note(text ? observations_.texts : observations_.mistakes, line, error.message);
    if (text) protocol::tell_plain_text(error, false, ++texts_);
    if (++mistakes_ > kept_max) return;  // it may not read them
    std::string reply;
    protocol::encode(reply, error);
    wire_->send(reply);
}

bool BotConnection::floods() {
    if (++heard_since_said_ <= lines_in_answer_max) return false;
    if (wire_->open())
        wire_->shut_out("it sent more than " + std::to_string(lines_in_answer_max) +
                        " lines in answer to one, which is flooding and closes the connection");
    return true;
}

void BotConnection::note_unasked(const std::string& line, std::string why) {
    note(observations_.unasked, line, std::move(why));
    if (++unasked_ <= unasked_max || !wire_->open()) return;
    wire_->shut_out("it sent more than " + std::to_string(unasked_max) +
                    " messages that nobody had asked for, which is flooding and closes the "
                    "connection; expected one \"move\" for each \"turn\", and nothing else");
}

std::optional<LoginTold> BotConnection::log_in(std::string_view session, Instant until) {
    session_ = session;
    protocol::Hello hello;
    hello.server = "referee";
    hello.version = version;
    hello.session = session_;
    std::string line;
    protocol::encode(line, hello);
    say(line);
    while (const auto heard = hear(until)) {
        const auto* login = std::get_if<protocol::Login>(&heard->message);
        if (login == nullptr) {
            if (goodbye_) break;
            note_unasked(heard->line, "it came before the login");
            continue;
        }
        LoginTold told{std::string(login->name),
                       std::string(login->token),
                       {},
                       login->state == protocol::StateForm::delta};
        for (const auto game : login->games) told.games.emplace_back(game);
        return told;
    }
    why_ = goodbye_        ? "it said bye before it had logged in"
           : wire_->open() ? "no login came"
                           : "no login came: " + wire_->why();
    return std::nullopt;
}

void BotConnection::welcome(const LoginTold& login, const std::vector<std::string>& games) {
    protocol::Welcome message;
    message.name = login.name;
    message.session = session_;
    message.parallel = 1;
    message.state = login.delta ? protocol::StateForm::delta : protocol::StateForm::full;
    message.games.assign(games.begin(), games.end());
    std::string line;
    protocol::encode(line, message);
    say(line);
}

void BotConnection::say(std::string_view lines) {
    heard_since_said_ = 0;
    std::string all;
    while (!lines.empty()) {
        const auto end = lines.find('\n');
        const auto line = lines.substr(0, end);
        if (manner_.unknown_messages) (all += news) += '\n';
        all += manner_.unknown_members ? with_unknown_members(line) : std::string(line);
        all += '\n';
        lines.remove_prefix(end + 1);
    }
    if (!manner_.in_pieces) {
        wire_->send(all);
        return;
    }
    const auto size = std::max<std::size_t>(1, all.size() / pieces_max);
    for (std::size_t at = 0; at < all.size(); at += size) {
        if (at > 0) wire_->pause(pause_between_pieces);
        wire_->send(std::string_view(all).substr(at, size));
    }
}

}  // namespace referee::check_bot
