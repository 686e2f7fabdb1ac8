#pragma once

#include <map>
#include <string>

#include "referee/config/config.h"
#include "referee/lobby/lobby.h"

namespace referee::run {

// Lets in the bots that the config names, each with its token; launched bots with the token that
// was made for this run.
class ConfigRoster final : public lobby::Roster {
 public:
    explicit ConfigRoster(const config::Config& config);
    Verdict check(std::string_view name, std::string_view token) override;

    // Of the launched bots, by name.
    const std::map<std::string, std::string>& launch_tokens() const { return launch_tokens_; }

 private:
    std::map<std::string, std::string, std::less<>> tokens_;
    std::map<std::string, std::string> launch_tokens_;
};

// A token that can't be guessed: 128 random bits from the kernel, as text.
std::string fresh_token();

// Where launched programs are looked for: beside the referee, in its libexec folder, in the PATH.
std::string program_search_path();

}  // namespace referee::run
