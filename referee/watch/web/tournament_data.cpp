#include "referee/watch/web/tournament_data.h"

#include <algorithm>
#include <array>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/watch/web/request.h"

namespace referee::web {
namespace {

// Of a table that a browser has had, what changed since is told: of so many, some minutes.
constexpr std::size_t table_versions_known = 64;
// Matches on one page, as many as are read at a glance; and of a round that is shown whole.
constexpr std::size_t matches_of_page_max = 25;
constexpr std::size_t matches_of_round_max = 1000;

namespace json = protocol::json;

constexpr std::size_t version_digits = 12;

// Members of standings.json that a table's head has.
constexpr std::array<std::string_view, 11> head_members{
    "tournament", "game",    "format",    "finished",     "matches_played", "ended_early",
    "set_aside",  "arbiter", "certainty", "fide_pairing", "tie_breaks"};
constexpr std::array<std::string_view, 3> certainty_members{"cycles", "seats", "common_seeds"};
// Members of a bot's row, and of its rating, that the page shows beside tie-breaks.
constexpr std::array<std::string_view, 13> row_members{
    "rank", "name",          "house", "withdrawn",   "played",       "won",          "drawn",
    "lost", "ladder_rating", "share", "share_low95", "share_high95", "rank_interval"};
constexpr std::array<std::string_view, 4> rating_members{"elo", "elo_error95", "skill",
                                                         "skill_deviation"};

template <typename Names>
void write_those(json::Writer& writer, json::View object, const Names& names) {
    json::write_members(writer, object, [&names](const auto& member) {
        return base::contains(names, member.name);
    });
}

// "practice/12": 12; 0 where it is no match's id.
std::uint64_t number_of_match(std::string_view id) {
    const auto key = game_key(std::string(id) + ".1");
    return key ? key->match : 0;
}

}  // namespace

TournamentData::TournamentData(std::string_view standings, std::string_view pairings,
                               const TournamentData& before) {
    read_standings(standings, before);
    read_pairings(pairings);
}

void TournamentData::read_standings(std::string_view text, const TournamentData& before) {
    json::Document document;
    if (!document.parse(text) || !document.root().is_object()) return;
    const auto root = document.root();
    std::vector<std::string_view> tie_breaks;
    for (const auto name : root.find("tie_breaks").elements()) tie_breaks.push_back(name.text());
    tie_breaks_ = root.find("tie_breaks") ? root.find("tie_breaks").json_text() : "[]";
    json::Writer head(head_);
    head.begin_object();
    write_those(head, root, head_members);
    json::Writer certainty(certainty_);
    certainty.begin_object();
    write_those(certainty, root, certainty_members);
    certainty.end_object();
    std::map<std::string_view, const Row*> old;
    for (const auto& row : before.rows_) old.emplace(row.name, &row);
    version_ = before.version_ + 1;
    base::Hasher hasher;
    hasher.add(head_);
    std::size_t kept = 0;
    for (const auto bot : root.find("bots").elements()) {
        Row row;
        row.name = bot.find("name").text();
        row.whole = bot.json_text();
        ranked_ += bot.find("rank").integer() ? 1 : 0;
        json::Writer writer(row.text);
        writer.begin_object().member("at", rows_.size());
        for (const auto& [name, value] : bot.members()) {
            if (name == "rating") {
                writer.key("rating").begin_object();
                write_those(writer, value, rating_members);
                writer.end_object();
            } else if (base::contains(row_members, name) || base::contains(tie_breaks, name)) {
                writer.key(name);
                value.write(writer);
            }
        }
        writer.end_object();
        const auto found = old.find(row.name);
        kept += found == old.end() ? 0 : 1;
        const bool same = found != old.end() && found->second->text == row.text;
        row.changed = same ? found->second->changed : version_;
        hasher.add(row.text);
        rows_.push_back(std::move(row));
    }
    // Who has a row of a bot that is gone must forget it.
    if (kept == before.rows_.size()) tags_ = before.tags_;
    tags_.push_back(base::hex_of(hasher.finish()).substr(0, version_digits));
    if (tags_.size() > table_versions_known) tags_.pop_front();
}

void TournamentData::read_pairings(std::string_view text) {
    json::Document document;
    if (!document.parse(text)) return;
    for (const auto round : document.root().find("rounds").elements()) {
        const auto number =
            static_cast<std::uint32_t>(round.find("round").unsigned_integer().value_or(0));
        if (round.find("byes").size() > 0) byes_[number] = round.find("byes").json_text();
        for (const auto each : round.find("matches").elements()) {
            Match match;
            match.number = number_of_match(each.find("match").text());
            match.round = number;
            match.over = each.find("over").boolean().value_or(false);
            match.ruled = each.find("ruled").boolean().value_or(false);
            ruled_ += match.ruled ? 1 : 0;
            json::Writer writer(match.text);
            writer.begin_object().member("round", number);
            json::write_members(writer, each,
                                [](const auto& member) { return member.name != "board"; });
            writer.end_object();
            for (const auto seat : each.find("seats").elements())
                match.names.emplace_back(seat.find("name").text());
            for (const auto id : each.find("games").elements())
                if (auto key = game_key(id.text())) counted_.push_back(*std::move(key));
            for (const auto game : each.find("annulled").elements())
                if (auto key = game_key(game.find("game").text()))
                    annulled_[*std::move(key)] = game.find("reason").text();
            matches_.push_back(std::move(match));
        }
    }
    std::ranges::sort(matches_, {}, &Match::number);
    std::ranges::sort(counted_);
}

std::string TournamentData::table(std::string_view since) const {
    const auto known = std::ranges::find(tags_, since);
    const bool whole = since.empty() || known == tags_.end();
    const auto changed_behind =
        whole ? 0 : version_ - static_cast<std::uint64_t>(std::distance(known, tags_.end()) - 1);
    auto text =
        fmt::format("{},\"version\":\"{}\",\"annulled\":{},\"ruled\":{},\"whole\":{},\"bots\":[",
                    head_, tags_.back(), annulled_.size(), ruled_, whole ? "true" : "false");
    std::string_view comma;
    for (const auto& row : rows_) {
        if (row.changed <= changed_behind) continue;
        text.append(comma).append(row.text);
        comma = ",";
    }
    return text + "]}";
}

std::string TournamentData::matches(const MatchesAsked& asked, const ShownName& shown) const {
    const auto look = base::small(asked.look);
    const auto is_asked = [&](const Match& match) {
        if (asked.round != 0 && match.round != asked.round) return false;
        if (look.empty()) return true;
        return std::to_string(match.number) == look ||
               std::ranges::any_of(match.names, [&](const std::string& name) {
                   return base::small(shown(name)).find(look) != std::string::npos;
               });
    };
    const auto most = asked.round != 0 ? matches_of_round_max : matches_of_page_max;
    std::vector<const Match*> found;
    std::uint64_t total = 0;
    bool more = false;
    for (auto match = matches_.rbegin(); match != matches_.rend(); ++match) {
        if (!is_asked(*match)) continue;
        ++total;
        if (match->number >= asked.before) continue;
        more = found.size() == most;
        if (!more) found.push_back(&*match);
    }
    const auto oldest = found.empty() ? 0 : found.back()->number;
    if (asked.round != 0) std::ranges::reverse(found);
    return json::object_text([&](json::Writer& writer) {
        writer.member("total", total)
            .member("rounds", matches_.empty() ? std::uint32_t{0} : matches_.back().round);
        if (more) writer.member("older", oldest);
        writer.key("matches").begin_array();
        for (const auto* match : found) writer.raw(match->text);
        writer.end_array();
        if (const auto* const byes = base::find_in(byes_, asked.round))
            writer.key("byes").raw(*byes);
    });
}

std::string_view TournamentData::row_of(std::string_view bot) const {
    const auto found = std::ranges::find(rows_, bot, &Row::name);
    return found == rows_.end() ? std::string_view() : std::string_view(found->whole);
}

void TournamentData::each_match_of(std::string_view bot,
                                   const std::function<void(json::View match)>& call) const {
    json::Document document;
    for (const auto& match : matches_) {
        if (match.over && base::contains(match.names, bot) && document.parse(match.text))
            call(document.root());
    }
}

std::vector<std::string_view> TournamentData::first_rows(std::size_t most) const {
    std::vector<std::string_view> rows;
    for (std::size_t i = 0; i < rows_.size() && i < most; ++i) rows.push_back(rows_[i].text);
    return rows;
}

const TournamentData::Match* TournamentData::match_of(const GameKey& key) const {
    const auto found = std::ranges::lower_bound(matches_, key.match, {}, &Match::number);
    return found == matches_.end() || found->number != key.match ? nullptr : &*found;
}

std::vector<std::string> TournamentData::players_of(const GameKey& key) const {
    const auto* const match = match_of(key);
    return match == nullptr ? std::vector<std::string>() : match->names;
}

bool TournamentData::is_ruled(const GameKey& key) const {
    const auto* const match = match_of(key);
    return match != nullptr && match->ruled;
}

std::string csv_of_crosstable(std::string_view crosstable) {
    json::Document document;
    if (!document.parse(crosstable)) return {};
    const auto text_of = [](json::View cell) {
        return cell.is_null() ? "" : std::string(cell.string().value_or(cell.json_text()));
    };
    std::vector<std::string> cells{"no", "name"};
    for (const auto column : document.root().find("columns").elements())
        cells.push_back(text_of(column));
    cells.insert(cells.end(), {"points", "rank"});
    auto text = base::csv_line(cells);
    for (const auto bot : document.root().find("bots").elements()) {
        cells = {text_of(bot.find("number")), text_of(bot.find("name"))};
        for (const auto cell : bot.find("cells").elements()) cells.push_back(text_of(cell));
        cells.push_back(text_of(bot.find("points")));
        cells.push_back(text_of(bot.find("rank")));
        text += base::csv_line(cells);
    }
    return text;
}

}  // namespace referee::web
