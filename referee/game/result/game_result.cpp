#include "referee/game/result/game_result.h"

#include <algorithm>
#include <charconv>

#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"

namespace referee {

std::string match_id(std::string_view tournament, std::uint64_t match) {
    return fmt::format("{}/{}", tournament, match);
}

std::string game_id(const GameKey& key) {
    auto id = fmt::format("{}.{}", match_id(key.tournament, key.match), key.number);
    if (key.attempt > 1) id += "~" + std::to_string(key.attempt);
    return id;
}

std::string file_name_of(const GameKey& key) {
    auto name = game_id(key);
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

namespace {

// Takes a number from the front of a text.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || number == 0) return false;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return true;
}

constexpr std::string_view said = "said: ";

constexpr std::array<base::Named<GameStatus>, 4> statuses{{
    {GameStatus::played, "played"},
    {GameStatus::forfeited, "forfeited"},
    {GameStatus::annulled, "annulled"},
    {GameStatus::interrupted, "interrupted"},
}};
static_assert(base::in_order(statuses));

namespace json = protocol::json;

}  // namespace

std::optional<GameKey> game_key(std::string_view id) {
    const auto slash = id.find('/');
    if (slash == std::string_view::npos || slash == 0) return std::nullopt;
    GameKey key;
    key.tournament = id.substr(0, slash);
    id.remove_prefix(slash + 1);
    if (!take_number(id, key.match) || !id.starts_with('.')) return std::nullopt;
    id.remove_prefix(1);
    if (!take_number(id, key.number)) return std::nullopt;
    if (id.empty()) return key;
    if (!id.starts_with('~')) return std::nullopt;
    id.remove_prefix(1);
    if (!take_number(id, key.attempt) || !id.empty()) return std::nullopt;
    return key;
}

std::string said_version(std::string_view version) {
    return version.empty() ? std::string() : std::string(said) + std::string(version);
}

bool is_said_version(std::string_view program) {
    return program.starts_with(said);
}

std::string_view name_of(GameStatus status) {
    return base::row_of(statuses, status).name;
}

std::optional<GameStatus> status_named(std::string_view name) {
    return base::value_named(statuses, name);
}

std::string told_by_rules(const engines::Game& rules, const GameResult& result,
                          engines::Seat seat) {
    if (result.status != GameStatus::played) return {};
    json::Document params;
    json::Document detail;
    if (!params.parse(result.params) || !detail.parse(result.outcome.detail)) return {};
    return rules.tell_end(params.root(), detail.root(), seat);
}

std::string told_of_best(const engines::Game& rules, const GameResult& result) {
    const auto& placing = result.outcome.placing;
    const auto best =
        static_cast<engines::Seat>(std::ranges::min_element(placing) - placing.begin());
    const auto words = told_by_rules(rules, result, best);
    if (words.empty()) return "ended by the game's rules";
    return result.bots.size() == 1 ? words : result.bots[best] + " " + words;
}

std::string message_without_quotes(std::string_view code, std::string_view message) {
    if (code == "malformed") return "what it sent has not the form of a move";
    if (code == "disconnected") message = message.substr(0, message.find(fault_words::said));
    if (code == "protocol") message = message.substr(0, message.find(": "));
    return std::string(message);
}

std::string told_verdict(const GameResult& result, engines::Seat seat) {
    const auto& [scores, placing, detail] = result.outcome;
    if (scores.size() == 1) return "scored " + scores[seat].text();
    auto all = scores[seat].text();
    for (engines::Seat other = 0; other < scores.size(); ++other)
        if (other != seat) all += " : " + scores[other].text();
    const auto place = placing[seat];
    if (place > 1 && scores.size() > 2)
        return fmt::format("place {} of {}, {}", place, scores.size(), all);
    const bool alone = std::count(placing.begin(), placing.end(), 1) == 1;
    return (place > 1 ? "lost " : alone ? "won " : "drew ") + all;
}

std::string told_end(const engines::Game& rules, const GameResult& result, engines::Seat seat) {
    if (result.status != GameStatus::played) return result.reason;
    const auto words = told_by_rules(rules, result, seat);
    return words.empty() ? result.reason : words;
}

}  // namespace referee
