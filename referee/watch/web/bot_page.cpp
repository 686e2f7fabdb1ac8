#include "referee/watch/web/site.h"

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/watch/pages/pages.h"

namespace referee::web {
namespace {

namespace json = protocol::json;

// The faults of one seat, as a JSON array.
std::string faults_of(json::View faults, std::uint64_t seat, std::uint64_t& total) {
    std::string text;
    json::Writer writer(text);
    writer.begin_array();
    for (const auto fault : faults.elements()) {
        if (fault.find("seat").unsigned_integer() != seat) continue;
        ++total;
        fault.write(writer);
    }
    writer.end_array();
    return text;
}

// By a bot's place and the best of the others'; 0 where there is no other.
std::string_view outcome_of(std::uint64_t mine, std::uint64_t other) {
    if (other == 0) return {};
    return mine < other ? "won" : mine == other ? "drawn" : "lost";
}

// A game of the bot as the standings have it.
struct StandingGame {
    json::View match;
    json::View game;

    std::string id() const { return std::string(game.find("game").string().value_or("")); }
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
        outcomes_.emplace(match.find("match").string().value_or(""), outcome_of(mine, best));
        for (const auto seat : match.find("seats").elements()) {
            const auto name = seat.find("name").string().value_or("");
            if (name == bot_) continue;
            auto& met = met_[std::string(name)];
            const auto outcome =
                outcome_of(mine, seat.find("place").unsigned_integer().value_or(0));
            ++(outcome == "won" ? met.won : outcome == "lost" ? met.lost : met.drawn);
        }
    }
    std::string_view outcome(std::string_view match) const {
        const auto found = outcomes_.find(match);
        return found == outcomes_.end() ? std::string_view() : found->second;
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
        const auto step = 1 + values_.size() / limits::history_values_max;
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

// Nothing where the replay can't be read.
std::optional<GameSummary> summary_of(std::string_view replay) {
    json::Document setup;
    json::Document end;
    const auto first = replay.substr(0, replay.find('\n'));
    if (!setup.parse(first)) return std::nullopt;
    if (!end.parse(end_of(replay))) return std::nullopt;
    const auto result = end.root().find("result");
    if (!result.is_object()) return std::nullopt;
    GameSummary summary;
    summary.turns = result.find("turns").unsigned_integer().value_or(0);
    const auto clock = setup.root().find("clock");
    summary.clock = clock.find("kind").string().value_or("");
    summary.budget_us = clock.find("budget_us").unsigned_integer().value_or(0);
    const auto used = result.find("used_us");
    for (const auto bot : setup.root().find("bots").elements()) {
        const auto number = summary.seats.size();
        GameSummary::Seat seat;
        seat.bot = bot.string().value_or("");
        seat.used_us = used.at(number).unsigned_integer().value_or(0);
        seat.faults = faults_of(end.root().find("faults"), number, seat.faults_total);
        summary.seats.push_back(std::move(seat));
    }
    return summary;
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
        const auto outcome = sums.outcome(match.find("match").string().value_or(""));
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

// The wall of games that go on, and the pages of bots.

using pages::escaped;

// Where the bot stands in each tournament, and whether it was taken out of it.
std::string Site::own_places(const Visitor& visitor) {
    std::string lines;
    for (const auto& [id, news] : tournaments_) {
        protocol::json::Document document;
        if (!document.parse(data_of(id).row_of(visitor.bot))) continue;
        const auto row = document.root();
        const auto rank = row.find("rank").integer();
        const auto withdrawn = row.find("withdrawn").string();
        lines += "<li>" + pages::link(bot_path(id, visitor.bot), id) + ": " +
                 (rank ? fmt::format("rank {} of {}", *rank, data_of(id).ranked())
                       : "a house bot, which has no rank");
        if (withdrawn)
            lines += ", <strong class=\"fault\">withdrawn</strong>: " +
                     escaped(name_mask_for(id, visitor).words(*withdrawn));
        lines += "</li>\n";
    }
    return lines.empty() ? lines : "<ul class=\"plain\">\n" + lines + "</ul>\n";
}

std::string Site::own_games(std::string_view list) {
    constexpr std::array<std::string_view, 7> heads{
        "Game", "Bots", "Place", "Score", "Faults", "What happened", "How it ended"};
    protocol::json::Document document;
    if (!document.parse(list)) return {};
    std::map<std::string, std::string> all_rows;  // by tournament
    for (const auto game : document.root().find("games").elements()) {
        const std::string id(game.find("game_id").string().value_or(""));
        std::string bots;
        for (const auto name : game.find("names").elements())
            bots.append(bots.empty() ? "<bdi>" : ", <bdi>")
                .append(escaped(name.string().value_or("")))
                .append("</bdi>");
        const auto place = game.find("place").integer();
        const auto score = game.find("score");
        // A phone shows each game as some lines, with its heads in them.
        const std::array<std::string, heads.size()> cells{
            game_link(id),
            bots,
            place ? std::to_string(*place) : "",
            !score || score.is_null() ? "" : escaped(score.json_text()),
            std::to_string(game.find("faults").integer().value_or(0)),
            pages::link("/me/games/" + in_url(id), "story"),
            escaped(game.find("reason").string().value_or(""))};
        auto& rows = all_rows[std::string(game.find("tournament").string().value_or(""))];
        rows += "<tr class=\"mine\">";
        for (std::size_t i = 0; i < heads.size(); ++i)
            rows.append("<td data-head=\"").append(heads[i]).append("\">" + cells[i] + "</td>");
        rows += "</tr>\n";
    }
    if (all_rows.empty()) return "<p>No game of this bot is over yet.</p>\n";
    std::string tables;
    for (const auto& [tournament, rows] : all_rows)
        tables += "<h2>" + escaped(tournament) + "</h2>\n" +
                  pages::table_html("Games of " + tournament, {heads.begin(), heads.end()}, rows);
    return tables;
}

LiveGame* Site::followed(const std::string& game_id) {
    const auto found = live_.find(game_id);
    return found == live_.end() ? nullptr : &found->second;
}

LiveGame* Site::newest_game(const std::function<bool(const std::string&)>& is_shown) {
    const GameNews* newest = nullptr;
    for (const auto& [id, game] : games_) {
        if (newest != nullptr && game.order < newest->order) continue;
        if (!is_shown(id) && !is_secret(game.game, game.bots, {})) newest = &game;
    }
    return newest == nullptr ? nullptr : watch(newest->id);
}

GameTold Site::told_of(const std::string& tournament, const std::string& id,
                       const Visitor& visitor) const {
    const auto key = game_key(id);
    if (!key || is_held(id) || goes_on(id)) return {};
    const auto* const kept = summaries_.find(id);
    if (kept == nullptr) return {nullptr, true};
    std::vector<std::string> bots;
    for (const auto& seat : kept->seats) bots.push_back(seat.bot);
    const auto& game = tournaments_.find(tournament)->second.game;
    if (is_secret(game, bots, visitor)) return {};
    return {kept, false};
}

void Site::gather_summaries(std::vector<std::string> ids, const std::function<void()>& then) {
    while (!ids.empty()) {
        const auto id = std::move(ids.back());
        ids.pop_back();
        const auto key = game_key(id);
        if (!key || is_held(id) || goes_on(id) || summaries_.find(id) != nullptr) continue;
        const auto file =
            files::read_named_file(dependencies_.files.replay_file(*key), limits::replay_bytes_max);
        if (file && !file->empty()) {
            if (auto made = summary_of(*file)) summaries_.touch(id) = *std::move(made);
            continue;
        }
        if (questions_ >= limits::questions_waiting_max) break;
        ++questions_;
        return dependencies_.loop.replay_of(
            *key, [this, id, ids = std::move(ids), then](const WebOutcome& outcome) mutable {
                --questions_;
                if (auto made = outcome.done ? summary_of(outcome.text) : std::nullopt)
                    summaries_.touch(id) = *std::move(made);
                gather_summaries(std::move(ids), then);
            });
    }
    then();
}

std::string Site::known_bot(const Asked& asked, std::string_view name) {
    const auto* const data = table_data_of(asked);
    if (data == nullptr) return {};
    auto known = name_mask_for(asked.id, asked.visitor).behind(name);
    if (!known.empty() && !data->row_of(known).empty()) return known;
    asked.refuse(404, "no_such_bot",
                 "expected the name of a bot that stands in the standings, such as ?name=ada");
    return {};
}

void Site::bot(const Asked& asked) {
    const auto called = form_field(asked.request.query, "name");
    const auto known = known_bot(asked, called);
    if (known.empty()) return;
    constexpr auto most = limits::bot_games_listed_max;
    gather_summaries(latest_games(data_of(asked.id), known, most), [this, asked, called] {
        // The standings may be others by now.
        const auto bot = known_bot(asked, called);
        if (bot.empty()) return;
        const auto told = bot_json(
            asked.id, bot, data_of(asked.id), most,
            [&](const std::string& game) { return told_of(asked.id, game, asked.visitor); });
        asked.reply(json_answer(name_mask_for(asked.id, asked.visitor).json(told)));
    });
}

}  // namespace referee::web
