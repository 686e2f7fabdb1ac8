#include "referee/tournament/tournaments.h"

#include <algorithm>
#include <map>
#include <optional>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/config/read_config.h"
#include "referee/tournament/contests/contest.h"

namespace referee::tournament {
namespace {

namespace json = protocol::json;

// How much of a config's member a message shows.
constexpr std::size_t shown_bytes_max = 120;

std::string shown(json::View value) {
    if (!value) return "not there";
    auto text = value.json_text();
    if (text.size() > shown_bytes_max) {
        text.resize(shown_bytes_max);
        text += " ...";
    }
    return text;
}

// The members that differ between the config with which a tournament began and today's config.
std::string differences(const std::string& then, const std::string& now) {
    json::Document old_document;
    json::Document new_document;
    if (!old_document.parse(then) || !new_document.parse(now)) return {};
    std::set<std::string> names;
    for (const auto [name, value] : old_document.root().members()) names.emplace(name);
    for (const auto [name, value] : new_document.root().members()) names.emplace(name);
    std::string text;
    for (const auto& name : names) {
        const auto was = shown(old_document.root().find(name));
        const auto is = shown(new_document.root().find(name));
        if (was != is)
            text += (text.empty() ? "" : "; ") + std::string("\"") + name + "\" was " + was +
                    " and is " + is;
    }
    return text;
}

std::vector<records::Record> begun(contests::Contest& contest,
                                   const config::TournamentConfig& tournament,
                                   const std::vector<config::BotConfig>& bots,
                                   const std::string& version) {
    return contest.begin(config::entries_of(tournament, bots), tournament.text, version);
}

// Applies the records to the tournaments of a config.
class PastOfTournaments {
 public:
    PastOfTournaments(const config::Config& config, OpenTournaments& open)
        : config_(config), open_(open) {
        for (std::size_t i = 0; i < config.tournaments.size(); ++i)
            places_.emplace(config.tournaments[i].id, i);
    }

    void apply(const records::Record& record) {
        open_.went_on = true;
        if (refused_) return;
        if (const auto* token = std::get_if<records::TokenRecord>(&record)) {
            open_.tokens.push_back(*token);
            return;
        }
        const auto& id = *records::tournament_of(record);
        const auto place = places_.find(id);
        if (place == places_.end()) {
            others_.insert(id);
            return;
        }
        // An archive may hold any id, also one that is no safe name of a folder. Only ids of the
        // config name folders here.
        if (const auto* game = std::get_if<records::GameRecord>(&record))
            open_.games.push_back(game->result.key);
        const auto& tournament = config_.tournaments[place->second];
        if (const auto* opening = std::get_if<records::OpeningRecord>(&record)) {
            const auto changed = differences(opening->config, tournament.text);
            if (!changed.empty()) {
                refused_ = "tournament " + id + " began with another config: " + changed +
                           ". Put that back, or give another folder for --out";
                return;
            }
        }
        if (const auto fits = open_.all[place->second].contest->apply(record); !fits)
            refused_ = "tournament " + id + ": " + fits.error();
    }

    base::Result<void, std::string> check(bool others_may_be) {
        if (refused_) return base::failure(*refused_);
        for (const auto& other : others_) {
            const auto text =
                "the store holds a tournament " + other + " that the config doesn't name";
            if (!others_may_be)
                return base::failure(text +
                                     ": that is another run's folder; give another one for --out");
            open_.notes.push_back(text + ": it stays as it is");
            open_.unnamed.insert(other);
        }
        for (std::size_t i = 0; i < open_.all.size() && !refused_; ++i) {
            if (const auto fits = open_.all[i].contest->drawable(); !fits)
                refused_ = "tournament " + config_.tournaments[i].id + ": " + fits.error();
        }
        for (std::size_t i = 0; i < open_.all.size() && !refused_; ++i)
            compare_field(config_.tournaments[i], *open_.all[i].contest);
        if (refused_) return base::failure(*refused_);
        return {};
    }

 private:
    // The field must be that of the config, in its order; bots that are new there can be let in.
    // The field of a ladder is whatever bots came, in the order of their arrival.
    void compare_field(const config::TournamentConfig& tournament,
                       const contests::Contest& contest) {
        const bool open = formats::traits_of(tournament.format).open_field;
        if (!contest.begun() || tournament.field_from || open) return;
        const auto planned = config::entries_of(tournament, config_.bots);
        for (std::size_t i = 0; i < tournament.bots.size(); ++i) {
            const auto& name = config_.bots[tournament.bots[i]].name;
            if (i < contest.entrants() && contest.name(i) == name) {
                compare_rounds(tournament, contest.entry(i), planned[i]);
                continue;
            }
            const auto there = contest.entrant_named(name);
            if (there || (i < contest.entrants() && contest.entry(i).first_round == 1 &&
                          i < field_at_first(contest))) {
                refused_ = fmt::format(
                    "tournament {} began with {} as bot {} of its list, and the config has {} "
                    "there; keep the list as it was, new bots at its end",
                    tournament.id, contest.name(std::min(i, contest.entrants() - 1)), i + 1, name);
                return;
            }
            open_.notes.push_back("bot " + name + " was not there when tournament " +
                                  tournament.id + " began: `referee ctl admit " + tournament.id +
                                  " " + base::shell_word(name) +
                                  "` lets it in, where the format takes late entries");
        }
    }
    // These can't change: rounds that a bot sits out are drawn already, or planned for.
    void compare_rounds(const config::TournamentConfig& tournament, const formats::Entry& began,
                        const formats::Entry& now) {
        if (began.first_round == now.first_round && began.half_point_byes == now.half_point_byes &&
            began.zero_point_byes == now.zero_point_byes)
            return;
        refused_ = "tournament " + tournament.id + " began with other rounds for " + began.name +
                   " than the config gives it now; put that back; what comes up later is for "
                   "the orders withdraw and bye";
    }
    static std::size_t field_at_first(const contests::Contest& contest) {
        std::size_t count = 0;
        while (count < contest.entrants() && contest.entry(count).first_round == 1) ++count;
        return count;
    }

    const config::Config& config_;
    OpenTournaments& open_;
    std::map<std::string, std::size_t> places_;
    std::set<std::string> others_;
    std::optional<std::string> refused_;
};

base::Result<OpenTournament, std::string> not_begun(const config::TournamentConfig& tournament) {
    auto registry = config::registry_for(tournament);
    if (!registry) return base::failure(registry.error().message);
    OpenTournament open;
    open.registry = *std::move(registry);
    open.contest =
        std::make_unique<contests::Contest>(tournament, *open.registry->find(tournament.game));
    return open;
}

}  // namespace

base::Result<OpenTournament, std::string> open_tournament(
    const config::TournamentConfig& tournament, const std::vector<config::BotConfig>& bots,
    const std::string& version) {
    auto open = not_begun(tournament);
    if (open && !tournament.starts_by_order)
        open->opening = begun(*open->contest, tournament, bots, version);
    return open;
}

base::Result<OpenTournaments, std::string> open_tournaments(const config::Config& config,
                                                            const std::string& version,
                                                            bool others_may_be, const Past& past) {
    OpenTournaments open;
    for (const auto& tournament : config.tournaments) {
        auto one = not_begun(tournament);
        if (!one) return base::failure(std::move(one.error()));
        open.all.push_back(std::move(*one));
    }
    PastOfTournaments tournaments(config, open);
    const auto read = past([&](const records::Record& record) { tournaments.apply(record); });
    if (!read) return base::failure(read.error());
    if (auto checked = tournaments.check(others_may_be); !checked)
        return base::failure(std::move(checked.error()));
    for (std::size_t i = 0; i < open.all.size(); ++i) {
        auto& one = open.all[i];
        const auto& tournament = config.tournaments[i];
        if (!one.contest->begun() && !tournament.starts_by_order)
            one.opening = begun(*one.contest, tournament, config.bots, version);
    }
    return open;
}

}  // namespace referee::tournament
