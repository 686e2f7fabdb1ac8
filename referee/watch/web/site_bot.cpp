#include "referee/watch/web/site.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::web {
namespace {

// Games on a bot's page, whose replays are read for one look at it.
constexpr std::size_t bot_games_listed_max = 60;
constexpr std::size_t history_values_max = 400;  // of the plot of its rating

namespace json = protocol::json;

// By a bot's place and the best of the others'; 0 where there is no other.
std::string_view outcome_of(std::uint64_t mine, std::uint64_t other) {
    if (other == 0) return {};
    return mine < other ? "won" : mine == other ? "drawn" : "lost";
}

// A game of the bot as the standings have it.
struct StandingGame {
    json::View match;
    json::View game;

    std::string id() const { return std::string(game.find("game").text()); }
};

// The latest first.
std::vector<StandingGame> games_of(json::View row) {
    std::vector<StandingGame> games;
    for (const auto match : row.find("matches").elements())
        for (const auto game : match.find("games").elements()) games.push_back({match, game});
    std::ranges::reverse(games);
    return games;
}

// What a bot's matches that are over come to, one after the other.
class MatchSums {
 public:
    explicit MatchSums(std::string_view bot) : bot_(bot) {}

    void add(json::View match) {
        std::uint64_t mine = 0;
        std::uint64_t best = 0;
        for (const auto seat : match.find("seats").elements()) {
            const auto place = seat.find("place").unsigned_integer().value_or(0);
            if (seat.find("name").string() == bot_) {
                mine = place;
                if (const auto rating = seat.find("rating").number()) {
                    rated_ = true;
                    values_.push_back(*rating);
                } else {
                    points_ += seat.find("points").number().value_or(0);
                    values_.push_back(points_);
                }
            } else if (best == 0 || place < best) {
                best = place;
            }
        }
        outcomes_.emplace(match.find("match").text(), outcome_of(mine, best));
        for (const auto seat : match.find("seats").elements()) {
            const auto name = seat.find("name").text();
            if (name == bot_) continue;
            auto& met = met_[std::string(name)];
            const auto outcome =
                outcome_of(mine, seat.find("place").unsigned_integer().value_or(0));
            ++(outcome == "won" ? met.won : outcome == "lost" ? met.lost : met.drawn);
        }
    }
    std::string_view outcome(std::string_view match) const {
        const auto* const found = base::find_in(outcomes_, match);
        return found == nullptr ? std::string_view() : *found;
    }
    void write_against(json::Writer& writer) const {
        writer.begin_array();
        for (const auto& [name, met] : met_)
            writer.begin_object()
                .member("name", name)
                .member("won", met.won)
                .member("drawn", met.drawn)
                .member("lost", met.lost)
                .end_object();
        writer.end_array();
    }
    // Of many values some, the last among them.
    void write_history(json::Writer& writer) const {
        writer.begin_object().member("of", rated_ ? "rating" : "points").key("values");
        writer.begin_array();
        const auto step = 1 + values_.size() / history_values_max;
        for (auto i = values_.empty() ? 0 : (values_.size() - 1) % step; i < values_.size();
             i += step)
            writer.real(values_[i]);
        writer.end_array().end_object();
    }

 private:
    struct Met {
        std::uint64_t won = 0, drawn = 0, lost = 0;
    };
    std::string bot_;
    bool rated_ = false;
    double points_ = 0;
    std::vector<double> values_;
    std::map<std::string, Met> met_;
    std::map<std::string, std::string_view, std::less<>> outcomes_;  // by match
};

void write_summary(json::Writer& writer, const GameSummary& summary, std::string_view bot) {
    for (const auto& seat : summary.seats) {
        if (seat.bot != bot) continue;
        writer.member("turns", summary.turns).member("used_us", seat.used_us);
        if (summary.budget_us > 0)
            writer.member("clock", summary.clock).member("budget_us", summary.budget_us);
        writer.key("faults").raw(seat.faults);
        writer.member("faults_total", seat.faults_total);
        return;
    }
}

// The ids of a bot's games as the standings have them, the latest first, at most so many. Empty
// where the bot has no place there.
std::vector<std::string> latest_games(const TournamentData& data, std::string_view bot,
                                      std::size_t most) {
    json::Document document;
    if (!document.parse(data.row_of(bot))) return {};
    std::vector<std::string> ids;
    for (const auto& played : games_of(document.root()))
        if (ids.size() < most) ids.push_back(played.id());
    return ids;
}

// The bot's page as JSON, "bot" in configs/schemas/web.json. Requires: the standings have the bot.
std::string bot_json(std::string_view tournament, std::string_view bot, const TournamentData& data,
                     std::size_t games_most,
                     const std::function<GameTold(const std::string& game_id)>& told_of) {
    json::Document document;
    const auto parsed = document.parse(data.row_of(bot));
    REFEREE_ASSERT(parsed.has_value());
    MatchSums sums(bot);
    data.each_match_of(bot, [&sums](json::View match) { sums.add(match); });
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("tournament", tournament);
    writer.key("tie_breaks").raw(data.tie_breaks()).key("standing").begin_object();
    json::write_members(writer, document.root(), [](const auto& member) {
        return member.name != "matches" && member.name != "byes";
    });
    sums.write_against(writer.end_object().key("against"));
    sums.write_history(writer.key("history"));
    writer.key("games").begin_array();
    const auto games = games_of(document.root());
    for (std::size_t i = 0; i < games.size() && i < games_most; ++i) {
        const auto& [match, game] = games[i];
        writer.begin_object().member("game", games[i].id());
        match.find("opponents").write(writer.key("opponents"));
        writer.member("place", match.find("place").unsigned_integer().value_or(0));
        game.find("score").write(writer.key("score"));
        const auto outcome = sums.outcome(match.find("match").text());
        if (!outcome.empty()) writer.member("outcome", outcome);
        const auto told = told_of(games[i].id());
        if (told.summary != nullptr) write_summary(writer, *told.summary, bot);
        if (told.gone) writer.member("kept", false);
        writer.end_object();
    }
    writer.end_array().member("games_total", games.size()).end_object();
    return text;
}

}  // namespace

GameTold Site::told_of(const std::string& tournament, const std::string& id,
                       const Visitor& visitor) const {
    const auto key = game_key(id);
    if (!key || !games_.is_over_and_shown(id)) return {};
    const auto* const kept = replays_.summary(id);
    if (kept == nullptr) return {nullptr, true};
    std::vector<std::string> bots;
    for (const auto& seat : kept->seats) bots.push_back(seat.bot);
    const auto& game = tournaments_.find(tournament)->second.game;
    if (is_secret(game, bots, visitor)) return {};
    return {kept, false};
}

std::string Site::known_bot(const Asked& asked, std::string_view name) {
    const auto* const data = table_data_of(asked);
    if (data == nullptr) return {};
    auto known = names_.mask_for(asked.id, asked.visitor).behind(name);
    if (!known.empty() && !data->row_of(known).empty()) return known;
    asked.refuse(404, "no_such_bot",
                 "expected the name of a bot that stands in the standings, such as ?name=ada");
    return {};
}

void Site::bot(const Asked& asked) {
    const auto called = form_field(asked.request.query, "name");
    const auto known = known_bot(asked, called);
    if (known.empty()) return;
    constexpr auto most = bot_games_listed_max;
    const auto is_shown = [this](const std::string& id) { return games_.is_over_and_shown(id); };
    const auto ids = latest_games(data_of(asked.id), known, most);
    replays_.gather_summaries(ids, is_shown, [this, asked, called] {
        // The standings may be others by now.
        const auto bot = known_bot(asked, called);
        if (bot.empty()) return;
        const auto told = bot_json(
            asked.id, bot, data_of(asked.id), most,
            [&](const std::string& game) { return told_of(asked.id, game, asked.visitor); });
        asked.reply(json_answer(names_.mask_for(asked.id, asked.visitor).json(told, {bot})));
    });
}

}  // namespace referee::web
