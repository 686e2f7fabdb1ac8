#include "referee/submit/client/submission_client.h"

#include "engines/registry.h"
#include "protocol/base/base64.h"

namespace referee::client {
namespace {

NotDone lost(control::NoAnswer answer) {
    return {false, {}, std::move(answer.message)};
}

}  // namespace

template <typename Message>
Told<void> SubmissionClient::say(const Message& message) {
    std::string line;
    protocol::encode(line, message);
    if (auto written = dialled_.write(line); !written)
        return base::failure(lost(std::move(written.error())));
    return {};
}

template <typename... Wanted>
Told<std::variant<Wanted...>> SubmissionClient::hear() {
    while (true) {
        auto line = dialled_.read_line(protocol::limits::referee_line_bytes_max);
        if (!line) return base::failure(lost(std::move(line.error())));
        line_ = *std::move(line);
        auto message = protocol::decode_from_referee(line_, document_);
        std::optional<std::variant<Wanted...>> found;
        const auto take = [&](auto* wanted) {
            if (wanted != nullptr) found = std::move(*wanted);
        };
        (take(std::get_if<Wanted>(&message)), ...);
        if (found) return *std::move(found);
        if (const auto* error = std::get_if<protocol::ErrorMessage>(&message))
            return base::failure(
                NotDone{true, std::string(error->code), std::string(error->message)});
        if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
            if (auto said = say(protocol::Pong{ping->id}); !said)
                return base::failure(std::move(said.error()));
        }
    }
}

Told<std::unique_ptr<SubmissionClient>> SubmissionClient::begin(
    const protocol::ServerAddress& address, const relay::BotIdentity& identity) {
    auto dialled = control::DialledConnection::dial(
        address, control::DialledConnection::PlainText::to_anybody);
    if (!dialled) return base::failure(lost(std::move(dialled.error())));
    std::unique_ptr<SubmissionClient> talk(new SubmissionClient(*std::move(dialled)));
    if (auto hello = talk->hear<protocol::Hello>(); !hello)
        return base::failure(std::move(hello.error()));
    const engines::Registry games;
    protocol::Login login;
    login.name = identity.name;
    login.token = identity.token;
    login.password = identity.password;
    login.client = "referee submit";
    for (const auto& game : games.games()) login.games.push_back(game->info().id);
    login.purpose = protocol::Purpose::submit;
    if (auto said = talk->say(login); !said) return base::failure(std::move(said.error()));
    auto welcome = talk->hear<protocol::Welcome>();
    if (!welcome) return base::failure(std::move(welcome.error()));
    if (std::get<protocol::Welcome>(*welcome).purpose == protocol::Purpose::submit) return talk;
    static_cast<void>(talk->say(protocol::Bye{}));
    return base::failure(NotDone{true, "no_submissions",
                                 "this referee is older, and takes no programs: connect your bot "
                                 "yourself, as `referee connect` does"});
}

Told<protocol::Received> SubmissionClient::announce(const protocol::Submit& file) {
    if (auto said = say(file); !said) return base::failure(std::move(said.error()));
    auto heard = hear<protocol::Received>();
    if (!heard) return base::failure(std::move(heard.error()));
    return std::get<protocol::Received>(*heard);
}

Told<bool> SubmissionClient::send_piece(std::string_view bytes) {
    const auto text = base::base64_of(bytes);
    if (auto said = say(protocol::Piece{text}); !said)
        return base::failure(std::move(said.error()));
    auto heard = hear<protocol::Received, protocol::SubmissionList>();
    if (!heard) return base::failure(std::move(heard.error()));
    if (std::holds_alternative<protocol::Received>(*heard)) return true;
    list_ = std::get<protocol::SubmissionList>(*std::move(heard));
    return false;
}

Told<void> SubmissionClient::hear_list() {
    auto heard = hear<protocol::SubmissionList>();
    if (!heard) return base::failure(std::move(heard.error()));
    list_ = std::get<protocol::SubmissionList>(*std::move(heard));
    return {};
}

Told<void> SubmissionClient::ask() {
    if (auto said = say(protocol::AskSubmissions{}); !said) return said;
    return hear_list();
}

Told<void> SubmissionClient::withdraw() {
    if (auto said = say(protocol::Withdraw{}); !said) return said;
    return hear_list();
}

}  // namespace referee::client
