// The wall of games that go on, and the pages of bots.

#include <array>
#include <utility>

#include "protocol/json/document.h"
#include "referee/files/file.h"
#include "referee/watch/pages/pages.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/web_limits.h"
#include "referee/watch/web/web_page.h"

namespace referee::web {

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
        lines +=
            "<li>" + pages::link(bot_path(id, visitor.bot), id) + ": " +
            (rank ? "rank " + std::to_string(*rank) + " of " + std::to_string(data_of(id).ranked())
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
