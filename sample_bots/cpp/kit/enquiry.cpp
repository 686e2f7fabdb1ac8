#include "sample_bots/cpp/kit/enquiry.h"

#include <variant>

#include "protocol/json/printable.h"

namespace kit {
namespace {

constexpr std::int64_t ms_per_minute = 60'000;

std::string line_of(const protocol::GameList::Line& game) {
    std::string line = std::string(game.game_id) + "  " + std::string(game.game) + " against";
    for (std::size_t seat = 0; seat < game.names.size(); ++seat) {
        if (seat != static_cast<std::size_t>(game.seat))
            line += " " + std::string(game.names[seat]);
    }
    line += ": " + std::string(game.status);
    if (game.place) line += ", place " + std::to_string(*game.place);
    line += "; " + std::to_string(game.faults) + " faults of yours; " +
            std::to_string(game.ago_ms / ms_per_minute) + " min ago; " + std::string(game.reason);
    if (!game.ruling.empty()) line += "; " + std::string(game.ruling);
    return protocol::json::visible_line(line) + '\n';
}

std::string text_of(const protocol::GameStory& told) {
    std::string text(told.story);
    if (!told.debug.empty()) text += "\nYour debug text:\n";
    for (const auto& debug : told.debug) {
        text += "  turn " + std::to_string(debug.turn) + ": " +
                protocol::json::visible_line(debug.text) + '\n';
    }
    for (const auto member : told.cut)
        text += "\nNot all is shown of: " + std::string(member) + '\n';
    return text;
}

}  // namespace

template <typename Wanted>
base::Result<Wanted, NotAnswered> Enquiry::next() {
    while (const auto line = connection_.read_line()) {
        auto message = protocol::decode_from_referee(*line, document_);
        if (auto* const wanted = std::get_if<Wanted>(&message)) return std::move(*wanted);
        if (const auto* const error = std::get_if<protocol::ErrorMessage>(&message))
            return base::failure(
                NotAnswered{std::string(error->code) + ": " + std::string(error->message)});
        if (const auto* const ping = std::get_if<protocol::Ping>(&message)) {
            out_.clear();
            protocol::encode(out_, protocol::Pong{ping->id});
            connection_.write(out_);
        }
    }
    return base::failure(NotAnswered{"the referee is gone"});
}

base::Result<void, NotAnswered> Enquiry::log_in(const BotInfo& info) {
    if (const auto hello = next<protocol::Hello>(); !hello) return base::failure(hello.error());
    protocol::Login login;
    login.name = options_.name;
    login.token = options_.token;
    login.password = options_.password;
    login.games.assign(info.games.begin(), info.games.end());
    login.purpose = protocol::Purpose::ask;
    out_.clear();
    protocol::encode(out_, login);
    connection_.write(out_);
    const auto welcome = next<protocol::Welcome>();
    if (!welcome) return base::failure(welcome.error());
    if (welcome->purpose == protocol::Purpose::ask) return {};
    out_.clear();
    protocol::encode(out_, protocol::Bye{});
    connection_.write(out_);
    return base::failure(NotAnswered{"this referee is older and answers no questions about games"});
}

base::Result<protocol::GameList, NotAnswered> Enquiry::games(const protocol::AskGames& question) {
    out_.clear();
    protocol::encode(out_, question);
    connection_.write(out_);
    return next<protocol::GameList>();
}

base::Result<protocol::GameStory, NotAnswered> Enquiry::game(std::string_view id) {
    out_.clear();
    protocol::encode(out_, protocol::AskGame{id});
    connection_.write(out_);
    return next<protocol::GameStory>();
}

base::Result<std::string, NotAnswered> answer_for_people(Connection& connection,
                                                         const Options& options,
                                                         const BotInfo& info) {
    Enquiry enquiry(connection, options);
    if (const auto done = enquiry.log_in(info); !done) return base::failure(done.error());
    if (!options.asked_game.empty()) {
        const auto told = enquiry.game(options.asked_game);
        if (!told) return base::failure(told.error());
        return text_of(*told);
    }
    const auto list = enquiry.games({});
    if (!list) return base::failure(list.error());
    std::string text;
    for (const auto& game : list->games) text += line_of(game);
    return text.empty() ? "no game of yours is over\n" : text;
}

}  // namespace kit
