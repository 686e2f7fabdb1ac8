#include "referee/report/ratings.h"

#include <algorithm>
#include <map>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/schedule.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/standings/match_result.h"
#include "referee/game/result/game_result.h"
#include "referee/report/standings_rows.h"

namespace referee::report {
namespace {

using formats::FormatKind;
using standings::Entrant;
using standings::MatchResult;

constexpr std::uint64_t purpose_of_rank_draws = 6;
// So many matches are gone through in all, so that large fields stay cheap, in so many draws.
constexpr std::size_t matches_gone_through_about = 1'000'000;
constexpr std::size_t draws_least = 50;
constexpr std::size_t draws_most = 1000;
constexpr double halves_per_point = 2;

std::size_t seats_most(const Ledger& ledger) {
    std::size_t most = 0;
    for (const auto& match : ledger.results) most = std::max(most, match.seats.size());
    return most;
}

// The matches that tell something new, in their order.
using Told = std::vector<const MatchResult*>;

// A match of two to which one didn't come, or that only an arbiter judged, has no game that could
// be a copy of others.
bool has_games(const MatchResult& match) {
    const bool nobody_played = match.seats.size() <= 2 && match.forfeit();
    const bool only_ruled = match.ruled && match.counted.empty();
    return !nobody_played && !only_ruled;
}

bool is_rated_by_pair(const MatchResult& match) {
    return match.seats.size() == 2 && !match.forfeit();
}

// In the formats that go on for long, and rate what plays now.
bool rates_programs_apart(const Ledger& ledger) {
    const auto kind = ledger.config.format.kind();
    return kind == FormatKind::ladder || kind == FormatKind::adaptive;
}

// Where bots change while a rating goes on, what a bot's former programs did is rated as another
// player's doing. By entrant: the newest version that played.
std::vector<std::uint32_t> newest_versions(const Ledger& ledger, const Told& told) {
    std::vector<std::uint32_t> newest(ledger.entries.size(), 0);
    if (!rates_programs_apart(ledger)) return newest;
    for (const auto* match : told) {
        for (std::size_t seat = 0; seat < match->seats.size() && is_rated_by_pair(*match); ++seat) {
            auto& version = newest[match->seats[seat]];
            version = std::max(version, match->version_of(seat));
        }
    }
    return newest;
}

rating::EloTable elo_of(const Ledger& ledger, const Told& told) {
    const auto newest = newest_versions(ledger, told);
    std::vector<rating::PairResult> pairs;
    std::vector<rating::Former> former;
    std::map<Entrant, std::size_t> players;  // of former programs, by entrant
    const auto player = [&](const MatchResult& match, std::size_t seat) {
        const auto entrant = match.seats[seat];
        if (match.version_of(seat) >= newest[entrant]) return entrant;
        const auto [found, is_new] =
            players.try_emplace(entrant, ledger.entries.size() + players.size());
        if (is_new) former.push_back({found->second, entrant});
        return found->second;
    };
    for (const auto* match : told) {
        if (!is_rated_by_pair(*match)) continue;
        pairs.push_back({player(*match, 0), player(*match, 1), standings::share_of(*match, 0)});
    }
    auto table = rating::elo_ratings(ledger.entries.size() + former.size(), pairs, former);
    for (const auto& one : former)
        table.ratings[one.of].matches += table.ratings[one.player].matches;
    table.ratings.resize(ledger.entries.size());
    return table;
}

void rate_pods(const Ledger& ledger, const Told& told, Ratings& ratings) {
    const bool is_ladder = ledger.config.format.kind() == FormatKind::ladder;
    ratings.skills.resize(ledger.entries.size());
    std::vector<std::uint32_t> newest(ledger.entries.size(), 0);
    for (const auto* match : told) {
        std::vector<rating::RatedSeat> placed;
        for (std::size_t seat = 0; seat < match->seats.size(); ++seat) {
            const auto entrant = match->seats[seat];
            if (!came(*match, seat)) continue;
            placed.push_back({entrant, match->placing[seat]});
            if (!is_ladder || match->version_of(seat) <= newest[entrant]) continue;
            newest[entrant] = match->version_of(seat);
            rating::renew(ratings.skills[entrant]);
        }
        if (placed.size() < 2) continue;
        rating::rate_match(ratings.skills, placed);
        for (const auto& player : placed) ++ratings.rated[player.player];
    }
}

// The entrants that are ranked, numbered without gaps.
class Ranked {
 public:
    explicit Ranked(const Ledger& ledger) {
        const auto fixed = unranked_of(ledger);
        for (Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
            const bool is_fixed = base::contains(fixed, entrant);
            number_.push_back(is_fixed ? nobody : count_++);
        }
    }
    std::size_t count() const { return count_; }
    bool has(Entrant entrant) const { return number_[entrant] != nobody; }
    std::size_t operator[](Entrant entrant) const { return number_[entrant]; }

 private:
    static constexpr std::size_t nobody = SIZE_MAX;
    std::vector<std::size_t> number_;
    std::size_t count_ = 0;
};

std::vector<rating::RatedMatchPoints> by_match(const Told& told, const Ranked& ranked) {
    std::vector<rating::RatedMatchPoints> points;
    for (const auto* match : told) {
        rating::RatedMatchPoints one;
        for (std::size_t seat = 0; seat < match->seats.size(); ++seat) {
            if (!ranked.has(match->seats[seat]) || !came(*match, seat)) continue;
            one.players.push_back(ranked[match->seats[seat]]);
            one.points.push_back(static_cast<double>(match->points[seat].in_halves()) /
                                 halves_per_point);
        }
        if (!one.players.empty()) points.push_back(std::move(one));
    }
    return points;
}

std::vector<rating::RatedMatchPoints> by_game(const Ledger& ledger, const Ranked& ranked) {
    std::vector<rating::RatedMatchPoints> points;
    for (const auto& game :
         listed_games(ledger, [&](Entrant entrant) { return ranked.has(entrant); })) {
        auto& one = points.emplace_back();
        for (const auto& [entrant, halves] : game) {
            one.players.push_back(ranked[entrant]);
            one.points.push_back(halves);
        }
    }
    return points;
}

void draw_ranks(const Ledger& ledger, const Told& told, Ratings& ratings) {
    const auto kind = ledger.config.format.kind();
    if (ledger.places || kind == FormatKind::knockout || kind == FormatKind::stages) return;
    const Ranked ranked(ledger);
    const auto drawn =
        kind == FormatKind::leaderboard ? by_game(ledger, ranked) : by_match(told, ranked);
    if (drawn.empty() || ranked.count() == 0) return;
    ratings.drawn_from = drawn.size();
    std::size_t places = 0;
    for (const auto& one : drawn) places += one.players.size();
    if (places < matches_a_bot_min * ranked.count()) return;
    ratings.draws = std::clamp(matches_gone_through_about / drawn.size(), draws_least, draws_most);
    const auto seed = rating::derived_seed(ledger.config.seed, purpose_of_rank_draws);
    const auto found = rating::rank_intervals(ranked.count(), drawn, seed, ratings.draws);
    rating::RankIntervals by_entrant;
    for (Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
        const bool has = ranked.has(entrant);
        by_entrant.intervals.push_back(has ? found.intervals[ranked[entrant]]
                                           : rating::RankInterval{0, 0});
        by_entrant.first_share.push_back(has ? found.first_share[ranked[entrant]] : 0);
    }
    ratings.ranks = std::move(by_entrant);
}

// Who mends a bug three times in a row does no harm.
constexpr std::uint64_t changes_told_least = 4;
// A program that plays fewer matches than that before the next one comes tells nothing.
constexpr std::uint64_t matches_of_program_least = 4;

struct Played {
    ProgramChange change;
    std::uint32_t first = 0;  // versions, as they came: matches may end in another order
    std::uint32_t last = 0;
    std::set<std::string> all;
};

std::string what_becomes_of_former(const Ledger& ledger) {
    switch (ledger.config.format.kind()) {
        case FormatKind::ladder:
            return "what the one before played is a start for its ratings, and no more";
        case FormatKind::adaptive:
            return "matches of the one before keep their points, and tell nothing of its share and "
                   "rating";
        case FormatKind::round_robin:
        case FormatKind::leaderboard:
        case FormatKind::gauntlet:
            return "its place and ratings are of both; the order rerun --changed plays the "
                   "matches of the one before again";
        case FormatKind::swiss:
        case FormatKind::knockout:
        case FormatKind::stages:
            break;
    }
    return "its place and ratings are of both";
}

}  // namespace

std::vector<ListedGame> listed_games(const Ledger& ledger,
                                     const std::function<bool(Entrant)>& counts) {
    struct Listed {
        ListedGame game;
        std::set<std::string> fingerprints;
    };
    std::map<std::uint32_t, Listed> listed;
    for (const auto& match : ledger.results) {
        const auto seats = match.seats.size();
        for (const auto& played : match.counted) {
            auto& [game, fingerprints] =
                listed[ledger.config.match.solo
                           ? (played.number - 1) / static_cast<std::uint32_t>(seats)
                           : played.number];
            for (std::size_t seat = 0; seat < seats; ++seat) {
                const auto& score = played.scores[seat];
                if (!score || !counts(match.seats[seat]) || !came(match, seat)) continue;
                game.emplace_back(match.seats[seat], static_cast<double>(score->in_halves()));
                fingerprints.insert(played.fingerprint.text());
            }
        }
    }
    standings::NewGames new_games;
    std::vector<ListedGame> games;
    for (auto& [number, one] : listed)
        if (!one.game.empty() && new_games.is_new(one.fingerprints))
            games.push_back(std::move(one.game));
    return games;
}

Ratings ratings_of(const Ledger& ledger) {
    Ratings ratings;
    ratings.rated.assign(ledger.entries.size(), 0);
    Told told;
    const auto is_new = standings::new_matches(ledger.results);
    for (std::size_t i = 0; i < is_new.size(); ++i) {
        const auto& match = ledger.results[i];
        if (is_new[i]) told.push_back(&match);
        if (!has_games(match)) continue;
        ++ratings.matches;
        ratings.distinct += is_new[i] ? 1 : 0;
    }
    ratings.gameless = ledger.results.size() - ratings.matches;
    const auto most = seats_most(ledger);
    if (most == 2) {
        ratings.elo = elo_of(ledger, told);
        for (std::size_t i = 0; i < ledger.entries.size(); ++i)
            ratings.rated[i] = ratings.elo->ratings[i].matches;
    } else if (most > 2) {
        rate_pods(ledger, told, ratings);
    }
    draw_ranks(ledger, told, ratings);
    if (const auto* bounds = formats::sequential_test(ledger.config.format))
        ratings.sprt = formats::gauntlet_state(*bounds, ledger.results);
    ratings.adaptive = ledger.adaptive;
    return ratings;
}

bool ProgramChange::is_restless() const {
    return changes >= changes_told_least && matches < changes * matches_of_program_least;
}

std::vector<ProgramChange> program_changes(const Ledger& ledger) {
    std::map<standings::Entrant, Played> played;
    for (const auto& match : ledger.results) {
        for (std::size_t seat = 0; seat < match.programs.size(); ++seat) {
            const auto& program = match.programs[seat];
            if (program.empty()) continue;
            const auto version = match.version_of(seat);
            auto& its = played[match.seats[seat]];
            its.change.entrant = match.seats[seat];
            its.all.insert(program);
            if (++its.change.matches == 1 || version > its.last) {
                if (its.change.matches == 1) its.first = version;
                its.last = version;
                its.change.since = match.match;
                its.change.matches_since = 0;
            }
            its.first = std::min(its.first, version);
            if (version == its.last) ++its.change.matches_since;
        }
    }
    std::vector<ProgramChange> found;
    for (auto& [entrant, its] : played) {
        its.change.programs = its.all.size();
        its.change.changes = its.last - its.first;
        if (its.change.changes > 0) found.push_back(its.change);
    }
    return found;
}

std::vector<std::string> program_sentences(const Ledger& ledger) {
    std::vector<std::string> sentences;
    for (const auto& change : program_changes(ledger)) {
        const auto& name = ledger.name(change.entrant);
        if (change.is_restless()) {
            sentences.push_back(
                fmt::format("Warning: the program of {} changed {} times in {} matches, or it says "
                            "so: no figure of it is of one program.",
                            name, change.changes, change.matches));
            continue;
        }
        sentences.push_back(
            fmt::format("Another program plays for {} since match {}, in {} of its {} matches: {}.",
                        name, match_id(ledger.config.id, change.since), change.matches_since,
                        change.matches, what_becomes_of_former(ledger)));
    }
    return sentences;
}

void write_program_changes(protocol::json::Writer& writer, const Ledger& ledger) {
    const auto changes = program_changes(ledger);
    if (changes.empty()) return;
    writer.key("program_changes").begin_array();
    for (const auto& change : changes)
        writer.begin_object()
            .member("bot", ledger.name(change.entrant))
            .member("programs", change.programs)
            .member("changes", change.changes)
            .member("since", match_id(ledger.config.id, change.since))
            .member("matches_since", change.matches_since)
            .member("matches", change.matches)
            .member("restless", change.is_restless())
            .end_object();
    writer.end_array();
}

}  // namespace referee::report
