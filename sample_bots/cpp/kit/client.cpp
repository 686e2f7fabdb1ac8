#include "sample_bots/cpp/kit/client.h"

#include <algorithm>
#include <cstdio>

namespace kit {
namespace {

constexpr std::string_view client_name = "C++ kit 1";

void trace(char direction, std::string_view line) {
    std::fprintf(stderr, "%c %.*s\n", direction, static_cast<int>(line.size()), line.data());
}

// A budget of wall time is a limit, and so is the hard one, where they are told.
std::int64_t wall_limit_us(const protocol::ClockTerms& clock, std::int64_t budget_us) {
    const auto hard = clock.hard_limit_us;
    if (clock.measure != protocol::Measure::wall || budget_us <= 0) return hard;
    return hard > 0 ? std::min(budget_us, hard) : budget_us;
}

}  // namespace

Ending Client::play(Connection& connection) {
    welcomed_ = false;
    goodbye_.clear();
    for (auto& [id, game] : games_) game.resumed = false;
    while (goodbye_.empty()) {
        const auto line = connection.read_line();
        if (!line) break;
        if (options_.trace) trace('<', *line);
        out_.clear();
        const auto message = protocol::decode_from_referee(*line, document_);
        std::visit([this](const auto& known) { handle(known); }, message);
        if (out_.empty()) continue;
        if (options_.trace) trace('>', std::string_view(out_).substr(0, out_.size() - 1));
        if (!connection.write(out_)) break;
    }
    if (goodbye_.empty()) return Ending::lost;
    const bool wanted = goodbye_ != name_of(protocol::ByeReason::refused) &&
                        goodbye_ != name_of(protocol::ByeReason::replaced);
    return wanted ? Ending::finished : Ending::refused;
}

void Client::handle(const protocol::Hello& hello) {
    if (hello.protocol != protocol::protocol_version) {
        say("hello", "the referee speaks protocol " + std::to_string(hello.protocol) +
                         "; this bot speaks " + std::to_string(protocol::protocol_version));
    }
    protocol::Login login;
    login.name = options_.name;
    login.token = options_.token;
    login.password = options_.password;
    login.client = client_name;
    login.version = options_.version;
    login.games.assign(info_.games.begin(), info_.games.end());
    login.parallel = options_.parallel;
    login.state = options_.delta ? protocol::StateForm::delta : protocol::StateForm::full;
    protocol::encode(out_, login);
}

void Client::handle(const protocol::Welcome& /*as asked for*/) {
    welcomed_ = true;
}

void Client::handle(const protocol::Start& start) {
    // A game that was on before the connection was lost, and isn't resumed, is over by now.
    if (!start.resumed)
        std::erase_if(games_, [](const auto& game) { return !game.second.resumed; });
    auto& game = games_[std::string(start.game_id)];
    if (!start.resumed) game.player = nullptr;
    game.resumed = true;
    game.clock = start.clock;
    if (options_.delta) {
        game.state = std::make_unique<PatchedState>();
        game.state->replace(start.state.view());
    }
    if (!game.player) {
        GameStart told;
        told.game_id = start.game_id;
        told.game = start.game;
        told.seat = static_cast<std::size_t>(start.seat);
        told.names.assign(start.names.begin(), start.names.end());
        told.params = start.params.view();
        told.state = start.state.view();
        game.player = make_player_(told);
    }
    protocol::encode(out_, protocol::Ready{start.game_id});
}

json::View Client::state_of(Game& game, const protocol::Turn& turn) {
    if (!game.state) return turn.state.view();
    if (turn.state) {
        game.state->replace(turn.state.view());
    } else if (!game.state->patch(turn.delta.view())) {
        say("turn", "the change does not fit the state that it should change");
    }
    return game.state->view();
}

void Client::handle(const protocol::Turn& turn) {
    const auto found = games_.find(turn.game_id);
    if (found == games_.end() || !found->second.player) return;
    auto& game = found->second;
    move_ = game.player->move({turn.turn, turn.budget_us, state_of(game, turn),
                               wall_limit_us(game.clock, turn.budget_us)});
    // JSON text may be laid out over lines; a message may not.
    std::replace_if(
        move_.begin(), move_.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    protocol::Move move;
    move.game_id = turn.game_id;
    move.turn = turn.turn;
    move.move = move_;
    const auto debug = game.player->debug();
    move.debug = debug;
    protocol::encode(out_, move);
}

void Client::handle(const protocol::Fault& fault) {
    say("fault " + std::string(name_of(fault.code)) + " in turn " + std::to_string(fault.turn),
        fault.message);
}

void Client::handle(const protocol::Note& note) {
    say("note " + std::string(note.code), note.message);
}

void Client::handle(const protocol::End& end) {
    const auto found = games_.find(end.game_id);
    if (found == games_.end()) return;
    if (found->second.player) found->second.player->end(document_.root());
    games_.erase(found);
}

void Client::handle(const protocol::Ping& ping) {
    protocol::encode(out_, protocol::Pong{ping.id});
}

void Client::handle(const protocol::Bye& bye) {
    goodbye_ = bye.reason.empty() ? name_of(protocol::ByeReason::finished) : bye.reason;
    if (!bye.message.empty()) say("goodbye", bye.message);
}

void Client::handle(const protocol::ErrorMessage& error) {
    say("error " + std::string(error.code), error.message);
}

void Client::handle(const protocol::ProtocolError& error) {
    say("a message that we don't understand", error.message);
}

void Client::say(std::string_view about, std::string_view message) const {
    std::fprintf(stderr, "%s: %.*s: %.*s\n", options_.name.c_str(), static_cast<int>(about.size()),
                 about.data(), static_cast<int>(message.size()), message.data());
}

}  // namespace kit
