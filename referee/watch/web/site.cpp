#include "referee/watch/web/site.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/string.hpp>
#include <filesystem>
#include <tuple>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"

namespace referee::web {
namespace {

// Games that a tournament's list names, the latest first.
constexpr std::size_t games_of_tournament_listed_max = 1000;
// Standings and the like: with a thousand bots, or after some hundred thousand matches.
constexpr std::size_t standings_bytes_max = 128 * 1024 * 1024;

namespace beast = boost::beast;
namespace json = protocol::json;

constexpr std::size_t tournaments_named_max = 20;  // where there is no such one

void write_state(json::Writer& writer, const TournamentNews& tournament,
                 const pseudonyms::NameMask& name_mask) {
    writer.member("state", tournament.state);
    if (!tournament.reason.empty()) writer.member("reason", name_mask.words(tournament.reason));
    if (!tournament.comes_next.empty())
        writer.member("comes_next", name_mask.words(tournament.comes_next));
    writer.member("round", tournament.round);
    if (tournament.rounds) writer.member("rounds", *tournament.rounds);
    writer.member("matches_played", tournament.matches_played);
}

void write_tournament(json::Writer& writer, const TournamentNews& tournament,
                      const pseudonyms::NameMask& name_mask) {
    writer.begin_object().member("id", tournament.id).member("game", tournament.game);
    write_state(writer, tournament, name_mask);
    writer.member("bots", tournament.bots).member("games_played", tournament.games_played);
    if (tournament.matches_total) writer.member("matches_total", *tournament.matches_total);
    writer.end_object();
}

// Without a port.
std::string_view host_part(std::string_view host) {
    if (host.starts_with('[')) {
        const auto end = host.find(']');
        const auto behind = end == std::string_view::npos ? "]" : host.substr(end + 1);
        return behind.empty() || behind.front() == ':' ? host.substr(1, end - 1)
                                                       : std::string_view();
    }
    return host.substr(0, host.find(':'));
}

// Adds the keys of the games whose replays lie in a folder.
void add_games_in(const std::string& folder, const std::string& tournament,
                  std::vector<GameKey>& keys) {
    for (const std::filesystem::path file : files::names_in(folder)) {
        auto name = file.stem().string();
        if (file.extension() != ".ndjson" || !name.starts_with(tournament + "_")) continue;
        name[tournament.size()] = '/';
        if (auto key = game_key(name)) keys.push_back(*std::move(key));
    }
}

Answer not_written_yet() {
    return error_answer(503, "not_written_yet",
                        "this is not written yet; expected another try in some seconds");
}

// A text of standings.json but for the seed: whoever knows it knows the boards of all games.
std::string without_seed(std::string_view standings) {
    json::Document document;
    if (!document.parse(standings)) return "null";
    return json::object_text([&document](json::Writer& writer) {
        json::write_members(writer, document.root(),
                            [](const auto& member) { return member.name != "seed"; });
    });
}

}  // namespace

Site::Site(SiteTerms terms, Dependencies dependencies)
    : terms_(std::move(terms)),
      dependencies_(std::move(dependencies)),
      sessions_(dependencies_.fresh),
      names_(terms_.names_secret),
      games_(dependencies_.loop, names_, registry_, terms_.delay),
      replays_(dependencies_.loop, dependencies_.files) {}

void Site::set_terms(SiteTerms terms) {
    terms_ = std::move(terms);
    games_.set_delay(terms_.delay);
    if (!names_.set_secret(terms_.names_secret)) return;
    // Who looks on loads the page again, with the names that are told now.
    replays_.forget_showings();
    wall_.begin_anew();
    games_.begin_anew(dependencies_.now());
}

// A path that has a game's id in it ends in a word; the id itself may have a slash.
const std::vector<Site::Route>& Site::routes() {
    static const std::vector<Route> all{
        {"GET", "/", Open::nothing, "", &Site::home_page},
        {"GET", "/t/", Open::text, "", &Site::tournament_page},
        {"GET", "/g/", Open::text, "", &Site::game_page},
        {"GET", "/wall", Open::nothing, "", &Site::wall_page},
        {"GET", "/wall/", Open::tournament, "", &Site::wall_page},
        {"GET", "/me", Open::nothing, "", &Site::my_page},
        {"GET", "/instructor", Open::nothing, "", &Site::instructor_page},
        {"GET", "/me/games/", Open::text, "", &Site::my_story_page},
        {"GET", "/page/", Open::text, "", &Site::part_of_page},
        {"GET", "/favicon.ico", Open::nothing, "", &Site::icon},
        {"GET", "/enter", Open::nothing, "", &Site::enter_by_ticket},
        {"POST", "/enter", Open::nothing, "", &Site::enter_by_token},
        {"POST", "/leave", Open::nothing, "", &Site::leave},
        {"GET", "/api/v1/tournaments", Open::nothing, "", &Site::list_tournaments},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/standings", &Site::json_file},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/table", &Site::table},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/matches", &Site::matches},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/certainty", &Site::certainty},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/crosstable", &Site::json_file},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/crosstable.csv", &Site::crosstable_csv},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/pairings", &Site::json_file},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/bot", &Site::bot},
        {"GET", "/api/v1/tournaments/", Open::tournament, "/games", &Site::games_of_tournament},
        {"GET", "/api/v1/events", Open::nothing, "", &Site::events},
        {"GET", "/api/v1/wall", Open::nothing, "", &Site::wall_events},
        {"GET", "/api/v1/games", Open::nothing, "", &Site::list_games},
        {"GET", "/api/v1/games/", Open::game, "/showing", &Site::showing},
        {"GET", "/api/v1/games/", Open::game, "/live", &Site::live},
        {"GET", "/api/v1/games/", Open::game, "/replay", &Site::replay},
        {"GET", "/api/v1/games/", Open::game, "/review", &Site::review},
        {"GET", "/api/v1/me", Open::nothing, "", &Site::who_am_i},
        {"GET", "/api/v1/me/games", Open::nothing, "", &Site::my_games},
        {"GET", "/api/v1/me/games/", Open::text, "/story", &Site::my_story},
        {"POST", "/api/v1/register", Open::nothing, "", &Site::register_name},
        {"POST", "/api/v1/token", Open::nothing, "", &Site::new_token},
        {"POST", "/api/v1/orders", Open::nothing, "", &Site::order},
    };
    return all;
}

// Any page that a browser has open may send requests to any host. So a name that its owner has
// made to mean this machine's address is not taken for ours.
bool Site::host_is_ours(std::string_view host) const {
    const auto name = host_part(host);
    if (name.empty()) return false;
    boost::system::error_code error;
    boost::asio::ip::make_address(std::string(name), error);
    const auto is_named = [name](std::string_view one) { return beast::iequals(name, one); };
    return !error || is_named("localhost") || std::ranges::any_of(terms_.hosts, is_named);
}

bool Site::origin_is_ours(const Request& request) const {
    if (!request.fetch_site.empty()) return request.fetch_site == "same-origin";
    return request.origin == (terms_.secure || request.tls ? "https://" : "http://") + request.host;
}

bool Site::is_refused(const Request& request, const Reply& reply) const {
    if (!host_is_ours(request.host)) {
        reply(error_answer(
            421, "wrong_host",
            "expected a request to this machine by its address or its name, such as the address in "
            "the daemon's log; \"listen.web.url\" in the config names another"));
        return true;
    }
    if (request.method != "POST" || origin_is_ours(request)) return false;
    reply(error_answer(403, "wrong_origin",
                       "expected a request that a page of this site makes: with Sec-Fetch-Site: "
                       "same-origin, or Origin: the site's own"));
    return true;
}

void Site::answer(const Request& request, Reply reply) {
    const bool is_page = request.method == "GET" && !request.path.starts_with("/api/") &&
                         !request.path.starts_with("/page/") && request.path != "/favicon.ico";
    if (is_page) {
        reply = [reply = std::move(reply)](Answer answer) {
            const bool is_error = answer.status >= http_errors_begin;
            reply(is_error ? page_of_error(std::move(answer)) : std::move(answer));
        };
    }
    if (is_refused(request, reply)) return;
    const std::string_view method(request.method);
    std::string_view allowed;
    for (const auto& route : routes()) {
        std::string_view rest(request.path);
        if (!rest.starts_with(route.begin)) continue;
        rest.remove_prefix(route.begin.size());
        const bool fits =
            route.open == Open::nothing ? rest.empty() : rest.size() > route.end.size();
        if (!fits || !rest.ends_with(route.end)) continue;
        if (route.method != method) {
            allowed = route.method;
            continue;
        }
        rest.remove_suffix(route.end.size());
        Asked asked{request, std::string(rest), visitor_of(request), std::move(reply)};
        if (is_found(route.open, asked)) (this->*route.handler)(asked);
        return;
    }
    if (allowed.empty())
        return reply(error_answer(404, "no_such_page",
                                  "nothing is at this path; expected one such as /, a game's "
                                  "/g/friday/12.1 or /api/v1/tournaments"));
    auto answer =
        error_answer(405, "wrong_method", "expected " + std::string(allowed) + " at this path");
    answer.headers.emplace_back("Allow", allowed);
    reply(std::move(answer));
}

bool Site::is_found(Open open, Asked& asked) {
    if (open != Open::game && open != Open::tournament) return true;
    if (open == Open::game) {
        asked.game = game_key(asked.id).value_or(GameKey{});
        asked.id = game_id(asked.game);  // by which it is held back, however it was spelt
    }
    const auto& tournament = open == Open::game ? asked.game.tournament : asked.id;
    const bool found = tournaments_.contains(tournament);
    if (found) asked.names = names_.mask_for(tournament, asked.visitor);
    if (!found) asked.reply(open == Open::game ? no_such_game() : no_such_tournament());
    return found;
}

Answer Site::no_such_tournament() const {
    std::vector<std::string> ids;
    for (const auto& [id, tournament] : tournaments_) ids.push_back(id);
    return error_answer(404, "no_such_tournament",
                        "there is no such tournament; expected the id of a tournament" +
                            (ids.empty() ? ", and there is none"
                                         : ": " + base::first_of(ids, tournaments_named_max)));
}

Visitor Site::visitor_of(const Request& request) const {
    return sessions_.visitor(session_of(request), dependencies_.now());
}

void Site::tournament(TournamentNews news) {
    if (const auto names = std::move(news.names)) names_.learn(*names);
    auto& known = tournaments_[news.id];
    const auto told = [](const TournamentNews& of) {
        return std::tie(of.state, of.reason, of.comes_next);
    };
    const bool tells_more = told(known) != told(news);
    known = std::move(news);
    if (tells_more) tell_standings(known.id);
}

void Site::standings(const std::string& tournament) {
    kept_data_[tournament].stale = true;
    tell_standings(tournament);
}

void Site::tell_standings(const std::string& tournament) {
    tell_all(event_of("standings", "tournament", tournament));
}

void Site::tell_all(const Piece& piece, bool of_game) {
    for (const auto& listener : listeners_) {
        if (!of_game || listener.of_games) listener.spectator->push(piece);
    }
    std::erase_if(listeners_, [](const auto& one) { return one.spectator->gone(); });
}

void Site::list_tournaments(const Asked& asked) {
    asked.reply(json_answer(json::object_text([&](json::Writer& writer) {
        writer.member("title", terms_.title).key("tournaments").begin_array();
        for (const auto& [id, tournament] : tournaments_)
            write_tournament(writer, tournament, names_.mask_for(id, asked.visitor));
        writer.end_array();
    })));
}

std::string Site::text_of_file(const std::string& tournament, std::string_view name) const {
    const auto file = dependencies_.files.folder_of(tournament) + "/" + std::string(name);
    return files::read_named_file(file, standings_bytes_max).value_or("");
}

std::string Site::file_of_tournament(const Asked& asked, std::string_view name) const {
    auto text = text_of_file(asked.id, name);
    if (text.empty()) asked.reply(not_written_yet());
    return text;
}

// The file that is called as the path's last word.
void Site::json_file(const Asked& asked) {
    const auto& path = asked.request.path;
    const auto name = path.substr(path.rfind('/') + 1);
    auto text = file_of_tournament(asked, name + ".json");
    if (name == "standings" && !text.empty()) text = without_seed(text);
    if (!text.empty()) asked.reply(json_answer(asked.names.json(text)));
}

void Site::crosstable_csv(const Asked& asked) {
    const auto text = file_of_tournament(asked, "crosstable.json");
    if (!text.empty())
        asked.reply(
            text_answer("text/csv; charset=utf-8", csv_of_crosstable(asked.names.json(text))));
}

const TournamentData& Site::data_of(const std::string& tournament) {
    auto& kept = kept_data_[tournament];
    if (std::exchange(kept.stale, false))
        kept.data = TournamentData(text_of_file(tournament, "standings.json"),
                                   text_of_file(tournament, "pairings.json"), kept.data);
    return kept.data;
}

const TournamentData* Site::table_data_of(const Asked& asked) {
    const auto& data = data_of(asked.id);
    if (data.has_table()) return &data;
    asked.reply(not_written_yet());
    // The next one who asks looks again.
    kept_data_.erase(asked.id);
    return nullptr;
}

void Site::table(const Asked& asked) {
    const auto* const data = table_data_of(asked);
    if (data == nullptr) return;
    const auto since = asked.request.query.find("since");
    // Pseudonyms may change when a new bot comes.
    const bool all = since == asked.request.query.end() || asked.names.hides();
    const auto state = json::object_text([&](json::Writer& writer) {
        write_state(writer, tournaments_.find(asked.id)->second, {});
    });
    auto text = data->table(all ? std::string_view() : since->second);
    text.insert(text.size() - 1, ",\"now\":" + state);
    asked.reply(json_answer(asked.names.json(text)));
}

void Site::matches(const Asked& asked) {
    const auto* const data = table_data_of(asked);
    if (data == nullptr) return;
    TournamentData::MatchesAsked wanted;
    for (const auto& [name, value] : asked.request.query) {
        const auto number = base::whole_number<std::size_t>(value);
        if (name == "look") {
            wanted.look = value;
        } else if (name == "before" && number) {
            wanted.before = *number;
        } else if (name == "round" && number && *number <= UINT32_MAX) {
            wanted.round = static_cast<std::uint32_t>(*number);
        } else {
            return asked.refuse(400, "wrong_query",
                                "expected before= and a match's number, round= and a round's, or "
                                "look= and a part of a name, such as ?before=120&look=ada");
        }
    }
    const auto shown = [&asked](std::string_view name) { return asked.names.name(name); };
    asked.reply(json_answer(asked.names.json(data->matches(wanted, shown))));
}

void Site::certainty(const Asked& asked) {
    const auto* const data = table_data_of(asked);
    if (data != nullptr) asked.reply(json_answer(asked.names.json(data->certainty())));
}

void Site::games_of_tournament(const Asked& asked) {
    auto keys = data_of(asked.id).counted();
    add_games_in(dependencies_.files.folder_of(asked.id) + "/games", asked.id, keys);
    std::erase_if(keys,
                  [this](const GameKey& key) { return !games_.is_over_and_shown(game_id(key)); });
    std::sort(keys.rbegin(), keys.rend());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    asked.reply(json_answer(json::object_text([&keys](json::Writer& writer) {
        writer.key("games").begin_array();
        for (std::size_t i = 0; i < keys.size() && i < games_of_tournament_listed_max; ++i)
            writer.begin_object().member("game_id", game_id(keys[i])).end_object();
        writer.end_array().member("total", keys.size());
    })));
}

}  // namespace referee::web
