#include "referee/arena/house/roster.h"

#include "protocol/base/secret.h"
#include "referee/limits.h"

namespace referee::house {

ConfigRoster::ConfigRoster(const config::Config& config, Tokens& tokens, OnRegister on_register)
    : make_(tokens), on_register_(std::move(on_register)) {
    set_config(config);
}

void ConfigRoster::set_config(const config::Config& config) {
    tokens_.clear();
    class_password_ = config.class_password;
    for (const auto& bot : config.bots) {
        auto token = bot.token;
        if (bot.launched())
            token = launch_tokens_.try_emplace(bot.name, make_.fresh()).first->second;
        tokens_.emplace(bot.name, std::move(token));
    }
}

void ConfigRoster::know(const journal::TokenRecord& record) {
    pending_.erase(record.bot);
    if (record.hash.empty()) {
        hashes_.erase(record.bot);
    } else {
        hashes_[record.bot] = record.hash;
    }
}

lobby::Roster::Verdict ConfigRoster::check(const protocol::Login& login) {
    const bool launched = launch_tokens_.contains(std::string(login.name));
    if (const auto given = hashes_.find(login.name); given != hashes_.end() && !launched) {
        return make_.matches(login.token, given->second) ? Verdict::welcome : Verdict::wrong_token;
    }
    const auto found = tokens_.find(login.name);
    if (found == tokens_.end()) return newcomer(login);
    const bool open = found->second.empty();
    return open || base::same_secret(found->second, login.token) ? Verdict::welcome
                                                                 : Verdict::wrong_token;
}

lobby::Roster::Verdict ConfigRoster::newcomer(const protocol::Login& login) {
    if (class_password_.empty() || hashes_.size() + pending_.size() >= limits::registered_names_max)
        return Verdict::unknown_name;
    if (!base::same_secret(class_password_, login.password)) return Verdict::wrong_password;
    if (login.token.size() < limits::registered_token_bytes_min) return Verdict::token_needed;
    // On a second login of the name, the lobby answers that the name is being registered.
    if (pending_.emplace(login.name).second)
        on_register_({std::string(login.name), make_.hash_of(login.token), "registered"});
    return Verdict::pending;
}

}  // namespace referee::house
