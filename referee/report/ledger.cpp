#include "referee/report/ledger.h"

#include <algorithm>
#include <set>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/report/ratings.h"
#include "referee/tournament/contests/arbiter.h"

namespace referee::report {
namespace {

std::string why(const std::string& reason, const std::string& by) {
    // Somebody typed them: a line feed would forge a line.
    return (reason.empty() ? std::string() : ": " + base::visible_line(reason)) +
           (by.empty() ? std::string() : " (" + base::visible_line(by) + ")");
}

std::string rounds_text(std::uint32_t first, std::uint32_t last) {
    if (first == last) return "in round " + std::to_string(first);
    if (last == UINT32_MAX) return fmt::format("from round {} on", first);
    return fmt::format("in rounds {} to {}", first, last);
}

bool sits(const Ledger& ledger, const std::vector<standings::Entrant>& seats,
          const std::vector<std::string>& bots) {
    return std::equal(
        seats.begin(), seats.end(), bots.begin(), bots.end(),
        [&](const auto entrant, const auto& bot) { return ledger.name(entrant) == bot; });
}

std::string ruling_sentence(const Ledger& ledger, const formats::MatchResult& match,
                            const records::RulingRecord& ruling) {
    std::string places;
    for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
        places += fmt::format("{}{} {}", places.empty() ? "" : ", ", ledger.name(match.seats[seat]),
                              match.placing[seat]);
    return "the result of " + match_id(ledger.config.id, match.match) + " is set, by places " +
           places + why(ruling.reason, ruling.by);
}

std::string pairs_sentence(const records::ForbiddenPairsRecord& pairs) {
    return base::joined(pairs.bots) +
           (pairs.order == records::PairOrder::forbidden ? " don't meet " : " may meet again ") +
           rounds_text(pairs.first_round, pairs.last_round) + why(pairs.reason, pairs.by);
}

std::string bye_sentence(const records::RequestedByeRecord& bye) {
    const auto round = std::to_string(bye.round);
    if (bye.order == records::ByeOrder::taken_back)
        return bye.bot + " plays round " + round + " after all" + why(bye.reason, bye.by);
    return bye.bot + " sits round " + round + " out for " +
           (bye.order == records::ByeOrder::half_point ? "a draw's points" : "nothing") +
           why(bye.reason, bye.by);
}

bool is_lift(const records::ForbiddenPairsRecord& pairs) {
    return pairs.order == records::PairOrder::lifted;
}

// Orders of which anything holds: no pair that was allowed again wholly, and no lift where nothing
// is left of what it was taken from, unless the config forbade it.
std::vector<records::ForbiddenPairsRecord> standing_pairs(const Ledger& ledger) {
    const auto& all = ledger.arbiter->forbidden;
    std::vector<formats::ForbiddenPairs> before;  // by the config, and by orders that stand
    if (const auto* swiss = ledger.config.format.as<formats::SwissOptions>(); swiss != nullptr)
        before = swiss->forbidden_pairs;
    std::vector<records::ForbiddenPairsRecord> standing;
    for (auto order = all.begin(); order != all.end(); ++order) {
        const auto pairs = contests::pairs_of(*order);
        if (is_lift(*order)) {
            auto rest = before;
            formats::lift(rest, pairs);
            if (rest != before) standing.push_back(*order);
            continue;
        }
        std::vector<formats::ForbiddenPairs> rest{pairs};
        for (auto later = order + 1; later != all.end(); ++later)
            if (is_lift(*later)) formats::lift(rest, contests::pairs_of(*later));
        if (rest.empty()) continue;
        before.push_back(pairs);
        standing.push_back(*order);
    }
    return standing;
}

// The last word on each round of a bot. That it plays after all is told only where the config had
// it sit out.
std::vector<records::RequestedByeRecord> standing_byes(const Ledger& ledger) {
    const auto& all = ledger.arbiter->byes;
    const auto in_config = [&ledger](const records::RequestedByeRecord& bye) {
        return std::ranges::any_of(ledger.entries, [&](const auto& entry) {
            return entry.name == bye.bot && entry.bye_asked_for(bye.round);
        });
    };
    std::vector<records::RequestedByeRecord> standing;
    for (auto bye = all.begin(); bye != all.end(); ++bye) {
        const bool last = std::none_of(bye + 1, all.end(), [&](const auto& later) {
            return later.bot == bye->bot && later.round == bye->round;
        });
        if (last && (bye->order != records::ByeOrder::taken_back || in_config(*bye)))
            standing.push_back(*bye);
    }
    return standing;
}

// A bot that was left over more than once, as FIDE's rules don't allow; empty: none.
std::string left_over_again(const Ledger& ledger) {
    std::set<standings::Entrant> once;
    for (const auto& bye : ledger.byes) {
        if (bye.kind == standings::ByeKind::pairing && !once.insert(bye.entrant).second)
            return ledger.name(bye.entrant);
    }
    return {};
}

// Whether anything of that round is drawn.
bool is_drawn(const Ledger& ledger, std::uint32_t round) {
    const auto of_round = [round](const auto& one) { return one.round >= round; };
    return std::ranges::any_of(ledger.open, of_round) ||
           std::ranges::any_of(ledger.results, of_round);
}

bool is_kept(const Ledger& ledger, const records::HandPairingRecord& pairing) {
    const auto has = [&](const auto& match) {
        return match.round == pairing.round && sits(ledger, match.seats, pairing.bots);
    };
    return std::ranges::any_of(ledger.open, has) || std::ranges::any_of(ledger.results, has);
}

// What stands of the matches that were set by hand, in the order of the rounds.
std::vector<records::HandPairingRecord> standing_by_hand(const Ledger& ledger) {
    std::set<std::uint32_t> rounds;
    for (const auto& pairing : ledger.arbiter->by_hand) rounds.insert(pairing.round);
    std::vector<records::HandPairingRecord> standing;
    for (const auto round : rounds) {
        const auto of_round = ledger.arbiter->by_hand_in(round);
        standing.insert(standing.end(), of_round.begin(), of_round.end());
    }
    return standing;
}

std::string hand_sentence(const Ledger& ledger, const records::HandPairingRecord& pairing) {
    const bool lapsed = is_drawn(ledger, pairing.round) && !is_kept(ledger, pairing);
    return fmt::format(
        "{} and {}{}{}{}", pairing.bots[0], pairing.bots[1],
        lapsed ? " could not be paired by hand in round " : " are paired by hand in round ",
        pairing.round, why(pairing.reason, pairing.by));
}

using Annulled = contests::AnnulledGames;

// Of one match, in their order.
std::vector<const Annulled::value_type*> of_match(const Ledger& ledger, std::uint64_t match) {
    std::vector<const Annulled::value_type*> found;
    if (ledger.annulled == nullptr) return found;
    auto at = ledger.annulled->lower_bound({ledger.config.id, match, 0, 0});
    for (; at != ledger.annulled->end() && at->first.match == match; ++at) found.push_back(&*at);
    return found;
}

void write_all(protocol::json::Writer& writer,
               const std::vector<const Annulled::value_type*>& annulled) {
    if (annulled.empty()) return;
    writer.key("annulled").begin_array();
    for (const auto* one : annulled)
        writer.begin_object()
            .member("game", game_id(one->first))
            .member("reason", one->second)
            .end_object();
    writer.end_array();
}

}  // namespace

bool is_by_hand(const Ledger& ledger, const formats::Pairing& drawn) {
    if (ledger.arbiter == nullptr) return false;
    const auto set = ledger.arbiter->by_hand_in(drawn.round);
    return std::ranges::any_of(
        set, [&](const auto& pairing) { return sits(ledger, drawn.seats, pairing.bots); });
}

std::string no_fide_pairing(const Ledger& ledger) {
    const auto* swiss = ledger.config.format.as<formats::SwissOptions>();
    if (swiss != nullptr && !swiss->colours)
        return "who meets whom doesn't depend on the seats that they had";
    if (const auto bot = left_over_again(ledger); swiss != nullptr && !bot.empty())
        return bot + " was left over a second time: everybody who could be had been left over";
    if (ledger.arbiter == nullptr) return {};
    const auto standing = standing_by_hand(ledger);
    const bool kept = std::ranges::any_of(
        standing, [&](const auto& pairing) { return is_kept(ledger, pairing); });
    return kept ? "matches were set by hand" : std::string();
}

std::vector<std::string> arbiter_sentences(const Ledger& ledger) {
    std::vector<std::string> sentences;
    if (ledger.annulled != nullptr && !ledger.annulled->empty())
        sentences.push_back(base::counted(ledger.annulled->size(), "game was", "games were") +
                            " annulled: pairings.txt and the matches' page tell which and why");
    if (ledger.arbiter == nullptr) return sentences;
    for (const auto& match : ledger.results) {
        const auto* ruling = match.ruled ? ledger.arbiter->ruling_of(match.match) : nullptr;
        if (ruling != nullptr) sentences.push_back(ruling_sentence(ledger, match, *ruling));
    }
    for (const auto& pairs : standing_pairs(ledger)) sentences.push_back(pairs_sentence(pairs));
    for (const auto& bye : standing_byes(ledger)) sentences.push_back(bye_sentence(bye));
    for (const auto& pairing : standing_by_hand(ledger))
        sentences.push_back(hand_sentence(ledger, pairing));
    return sentences;
}

void write_annulled(protocol::json::Writer& writer, const Ledger& ledger, std::uint64_t match) {
    write_all(writer, of_match(ledger, match));
}

void write_annulled_of(protocol::json::Writer& writer, const Ledger& ledger,
                       standings::Entrant entrant) {
    if (ledger.annulled == nullptr || ledger.annulled->empty()) return;
    std::set<std::uint64_t> matches;
    const auto add = [&](const auto& match) {
        if (base::contains(match.seats, entrant)) matches.insert(match.match);
    };
    for (const auto& match : ledger.results) add(match);
    for (const auto& match : ledger.open) add(match);
    std::vector<const Annulled::value_type*> all;
    for (const auto match : matches)
        for (const auto* annulled : of_match(ledger, match)) all.push_back(annulled);
    write_all(writer, all);
}

std::vector<std::string> annulled_sentences(const Ledger& ledger, std::uint64_t match) {
    std::vector<std::string> sentences;
    // Somebody typed the reason: a line feed would forge a line.
    for (const auto* annulled : of_match(ledger, match))
        sentences.push_back("game " + game_id(annulled->first) +
                            " does not count, by order: " + base::visible_line(annulled->second));
    return sentences;
}

Ledger ledger_of(const contests::ContestSnapshot& contest) {
    Ledger ledger;
    ledger.config = *contest.config;
    ledger.entries = *contest.entries;
    ledger.late_entries = contest.late_entries;
    ledger.rounds_planned = contest.rounds_planned;
    ledger.config.format = formats::for_field(ledger.config.format, ledger.entries);
    auto results = contest.split_results();
    ledger.results = std::move(results.counted);
    ledger.dropped = std::move(results.dropped);
    ledger.open = contest.open;
    ledger.byes = contest.byes;
    ledger.places = contest.places();
    if (contest.schedule != nullptr) ledger.figures = contest.schedule->figures();
    ledger.set_aside = contest.set_aside;
    for (const auto& [entrant, reason] : *contest.left_early)
        ledger.withdrawn.emplace(entrant, base::visible_line(reason));
    ledger.arbiter = contest.arbiter;
    ledger.annulled = contest.annulled;
    ledger.matches_played = contest.matches_played;
    ledger.finished = contest.over;
    ledger.ended_early = contest.ended_early;
    look_again(ledger);
    return ledger;
}

}  // namespace referee::report
