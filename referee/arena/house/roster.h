#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "referee/arena/house/tokens.h"
#include "referee/config/config.h"
#include "referee/connections/lobby/lobby.h"
#include "referee/memory/journal/journal.h"

namespace referee::house {

// Lets bots in. A bot that the config names comes with its token there; a launched bot with the
// token that was made for this run; a name that was given a token later with that one. Where the
// config has a class password, new names are registered for bots that know it.
class ConfigRoster final : public lobby::Roster {
 public:
    // Must write the record down. When it is written, know() and the lobby must be told.
    using OnRegister = std::function<void(const journal::TokenRecord&)>;

    // The tokens outlive it.
    ConfigRoster(const config::Config& config, Tokens& tokens, OnRegister on_register);
    Verdict check(const protocol::Login& login) override;

    // The config was read again. Bots that it doesn't name any more are not let in any more.
    void set_config(const config::Config& config);
    // A token that has been written down.
    void know(const journal::TokenRecord& record);
    // A registration could not be written down.
    void forget(const std::string& bot) { pending_.erase(bot); }

    bool knows(std::string_view name) const override {
        return tokens_.contains(name) || hashes_.contains(name);
    }
    // Of the launched bots, by name.
    const std::map<std::string, std::string>& launch_tokens() const { return launch_tokens_; }

 private:
    Verdict newcomer(const protocol::Login& login);

    Tokens& make_;
    std::map<std::string, std::string, std::less<>> tokens_;  // of the config
    std::map<std::string, std::string, std::less<>> hashes_;  // of the store
    std::map<std::string, std::string> launch_tokens_;
    std::set<std::string, std::less<>> pending_;
    std::string class_password_;
    OnRegister on_register_;
};

}  // namespace referee::house
