#include <algorithm>
#include <utility>

#include "referee/limits.h"
#include "referee/net/lobby/address_network.h"
#include "referee/net/lobby/lobby.h"

// Those who prove who they are, or register a name, and are no connection of the lobby's.

namespace referee::lobby {

using protocol::ErrorCode;

namespace {

// Valid as long as the visit is.
template <typename Visit>
protocol::Login login_of_visit(const Visit& visit) {
    protocol::Login login;
    login.name = visit.name;
    login.token = visit.token;
    login.password = visit.password;
    login.purpose = visit.purpose;
    return login;
}

}  // namespace

void Lobby::hear(const protocol::Login& login, const std::string& address, OnHeard on_heard) {
    Visit visit{.name = std::string(login.name),
                .token = std::string(login.token),
                .password = std::string(login.password),
                .purpose = login.purpose,
                .address = address,
                .on_heard = std::move(on_heard),
                .tried = try_from(network_of(address), login),
                .place = nullptr};
    const auto wait = std::max(guesses_.wait_of(visit.tried), strangers_time_.wait());
    if (wait <= Duration::zero()) return judge_visit(std::move(visit));
    visit.place = guesses_.take_place(visit.tried);
    if (visit.place == nullptr) {
        visit.on_heard({false, ErrorCode::too_many_tries,
                        "too many logins from your address wait for an answer, because " +
                            visit.tried.secret +
                            " or another secret was told wrongly again and again; expected "
                            "another try in some seconds, and none before"});
        return;
    }
    const auto id = ++last_visit_;
    visit.timer = timers_.schedule(timers_.now() + wait, [this, id] { judge_visit_later(id); });
    visits_.emplace(id, std::move(visit));
}

void Lobby::judge_visit_later(std::uint64_t id) {
    auto visit = std::move(visits_.extract(id).mapped());
    visit.place = nullptr;
    judge_visit(std::move(visit));
}

void Lobby::judge_visit(Visit visit) {
    const auto piece = strangers_time_.begin(visit.tried.network);
    const auto login = login_of_visit(visit);
    auto answer = roster_.check(login, visit.address);
    const auto verdict = answer.verdict;
    using Verdict = LoginRoster::Verdict;
    if (verdict == Verdict::wrong_token || verdict == Verdict::wrong_password) {
        guesses_.was_wrong(visit.tried);
    } else if (verdict == Verdict::welcome || verdict == Verdict::pending) {
        guesses_.was_right(visit.tried);
    }
    if (verdict == Verdict::pending) {
        const auto added = visits_registering_.try_emplace(visit.name, visit);
        if (!added.second)
            visit.on_heard({false, ErrorCode::already_connected,
                            "this name is being registered by somebody else at this moment"});
        return;
    }
    visit.on_heard(verdict == Verdict::welcome ? Heard{true, {}, {}}
                                               : refusal_of_visit(login, std::move(answer)));
}

void Lobby::settle_visit(std::string_view name) {
    const auto found = visits_registering_.find(name);
    if (found == visits_registering_.end()) return;
    judge_visit(std::move(visits_registering_.extract(found).mapped()));
}

Heard Lobby::refusal_of_visit(const protocol::Login& login, LoginRoster::Answer answer) {
    using Verdict = LoginRoster::Verdict;
    const auto verdict = answer.verdict;
    if (verdict == Verdict::refused)
        return {false, answer.refusal.code, std::move(answer.refusal.message)};
    if (verdict == Verdict::wrong_token)
        return {false, ErrorCode::wrong_token,
                "the token is not the one that belongs to this name; expected the one that the "
                "bot logs in with"};
    if (verdict == Verdict::wrong_password)
        return {false, ErrorCode::wrong_password,
                "that is not the class password; expected the one that the instructor gave"};
    if (verdict == Verdict::token_needed)
        return {false, ErrorCode::token_needed,
                "expected a token of at least " +
                    std::to_string(limits::registered_token_bytes_min) +
                    " bytes, which the name will belong to; it has " +
                    std::to_string(login.token.size())};
    return {false, ErrorCode::unknown_name,
            "no bot of this name is known here; expected the name as the bot logs in, letter for "
            "letter"};
}

}  // namespace referee::lobby
