#include "referee/run/roster.h"

#include <sys/random.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "protocol/json/assertion.h"

namespace referee::run {
namespace {

constexpr std::size_t token_bytes = 16;

// Takes as long for a wrong token as for a right one, so that time tells nothing about it.
bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
    }
    return difference == 0;
}

}  // namespace

std::string fresh_token() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<unsigned char, token_bytes> bytes{};
    REFEREE_ASSERT(getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    std::string token;
    for (const auto byte : bytes) {
        token += digits[byte >> 4U];
        token += digits[byte & 0x0FU];
    }
    return token;
}

std::string program_search_path() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    auto path = program.string() + ":" + (program / "../libexec/referee").lexically_normal().string();
    if (const char* inherited = std::getenv("PATH")) path += std::string(":").append(inherited);
    return path;
}

ConfigRoster::ConfigRoster(const config::Config& config) {
    for (const auto& bot : config.bots) {
        auto token = bot.launched() ? fresh_token() : bot.token;
        if (bot.launched()) launch_tokens_.emplace(bot.name, token);
        tokens_.emplace(bot.name, std::move(token));
    }
}

lobby::Roster::Verdict ConfigRoster::check(std::string_view name, std::string_view token) {
    const auto found = tokens_.find(name);
    if (found == tokens_.end()) return Verdict::unknown_name;
    const bool open = found->second.empty();
    return open || same(found->second, token) ? Verdict::welcome : Verdict::wrong_token;
}

}  // namespace referee::run
