#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/timers.h"
#include "referee/roster/names/looks.h"
#include "referee/store/records/records.h"
#include "referee/tournament/token.h"

namespace referee::tournament {

// How many names were registered from each address within the last hour: from each network, as
// lobby::network_of() says.
class RegistrationRate {
 public:
    void note(const std::string& address, Instant now);
    // How long the address waits before it may register another name, where one may register
    // `per_hour`; zero: it may now. Requires: per_hour > 0.
    Duration wait(const std::string& address, Instant now, std::uint32_t per_hour) const;

 private:
    std::map<std::string, std::deque<Instant>> times_;  // of the last hour, by network
};

// Lets bots in. A bot that the config names comes with its token there; a launched bot with the
// token that was made for this run; a name that was given a token later with that one; a student of
// the class's roster with the token that stands there. Where the config has a class password, new
// names are registered for bots that know it: as many as the config allows, from one address as
// many an hour as it allows, none that looks like a known one, and those of the roster alone where
// there is one.
class ConfigRoster final : public lobby::LoginRoster {
 public:
    // Must write the record down. When it is written, know() and the lobby must be told.
    using OnRegister = std::function<void(const records::TokenRecord&)>;

    // The tokens and the timers outlive it.
    ConfigRoster(const config::Config& config, Tokens& tokens, const loop::Timers& timers,
                 OnRegister on_register);
    Answer check(const protocol::Login& login, const std::string& address) override;

    // The config was read again. Bots that it doesn't name any more are not let in any more.
    void set_config(const config::Config& config);
    // A token that has been written down.
    void know(const records::TokenRecord& record);

    bool knows(std::string_view name) const override;
    // A known name that people take for this one; empty where there is none.
    std::string like(std::string_view name) const { return looks_.like(name); }
    std::string near(std::string_view name) const override;
    std::optional<bool> is_token_of(std::string_view name, std::string_view token) const override;
    // A program that was handed in is launched in that name from now on, with a token of its own
    // among launch_tokens(): nobody else plays as it. Or not any more.
    void launch_for(const std::string& bot);
    void launch_no_more(const std::string& bot);

    // Whether anybody may come in that name: it has no token.
    bool is_open(std::string_view name) const;
    // A name that was not let in, and why.
    struct TurnedAway {
        std::string name;
        std::string why;
    };
    // The last ones of this run, the newest first: each once, and none that came in since.
    const std::deque<TurnedAway>& turned_away() const { return turned_away_; }
    // Whether it may not play, because it waits for the instructor or was refused.
    bool is_kept_out(std::string_view name) const;
    const RegisteredNames& registered() const { return registered_; }
    // Of the launched bots, by name.
    const std::map<std::string, std::string>& launch_tokens() const { return launch_tokens_; }

 private:
    // For the instructor; empty where it is welcome, or told elsewhere, or a stranger's name.
    std::string why_turned_away(const Answer& answer, const protocol::Login& login) const;
    Answer judge(const protocol::Login& login, const std::string& address);
    Answer newcomer(const protocol::Login& login, const std::string& address);
    const RegisteredNames::Name* registered_as(std::string_view name) const;
    // Whether the name is let in by that token, which one of those who may have it says: whoever
    // registered it, the config, the roster. Nothing where none of them has the name.
    std::optional<bool> lets_in(std::string_view name, std::string_view token) const;
    bool is_handed_in(const protocol::Login& login) const;
    const roster::Student* student_with_token(std::string_view name) const;
    std::optional<Refusal> objection_to_purpose(const protocol::Login& login) const;
    std::optional<Refusal> objection_to_standing(const RegisteredNames::Name& name) const;
    std::optional<Refusal> objection_to_newcomer(const protocol::Login& login,
                                                 const std::string& address) const;
    std::optional<Refusal> objection_to_look(std::string_view name) const;
    void look_again();
    // Registered ones, those of the config and of the roster.
    std::vector<std::string> known_names() const;

    Tokens& token_methods_;
    const loop::Timers& timers_;
    std::map<std::string, std::string, std::less<>> tokens_;  // of the config
    RegisteredNames registered_;                              // of the store
    std::map<std::string, std::string> launch_tokens_;
    // Bots for which programs that were handed in are launched, or were: whether one is now.
    std::map<std::string, bool, std::less<>> handed_in_;
    std::set<std::string, std::less<>> pending_;  // being written
    std::deque<TurnedAway> turned_away_;
    RegistrationRate rate_;
    names::KnownLooks looks_;
    config::RegistrationConfig terms_;
    OnRegister on_register_;
};

}  // namespace referee::tournament
