// The rules that look at how games went (faults, wins, members of the outcome, the test, the place)
// and at runs: which inputs were answered rightly.

#include "referee/grading/verdict/rules.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/game/play/play.h"
#include "referee/grading/verdict/pass_probability.h"
#include "referee/grading/verdict/phrases.h"

namespace referee::verdict {

namespace {

// `words`: what stands behind the game's name.
AdvicePlace place_in(const PlayedGame& game, const std::string& words = {}, std::int64_t turn = 0) {
    return {game.id, game.map, in_game(game) + words, turn};
}

AdviceLine told(const PlayedGame& game, const Fault& fault) {
    const auto when =
        fault.turn == 0 ? std::string(", before turn 1") : ", turn " + std::to_string(fault.turn);
    return {place_in(game, when, fault.turn), ": " + fault.message};
}

// The fault that decided the game, or the first of many.
AdviceLine first_wrong(const PlayedGame& game) {
    const auto last = std::ranges::find(game.faults, Consequence::forfeit, &Fault::consequence);
    if (last != game.faults.end()) return told(game, *last);
    const auto& first = game.faults.front();
    const bool kept_all = game.faults.size() < play::faults_kept_max;
    if (first.turn == 0 || (game.wrong <= 1 && kept_all)) return told(game, first);
    const auto when = fmt::format(
        " (wrong in {}, first in turn {})",
        kept_all ? fmt::format("{} of its {}", game.wrong, base::counted(game.asked, "turn"))
                 : "at least " + base::counted(game.wrong, "turn"),
        first.turn);
    return {place_in(game, when, first.turn), ": " + first.message};
}

// Whether what went wrong cost a few turns, and the game went on.
bool is_small(const PlayedGame& game) {
    const bool goes_on = game.faults.back().turn < game.turns;
    return game.moved && goes_on && !game.forfeited && !game.costs_pieces &&
           game.wrong * 2 < game.asked;
}

std::string in_percent(double share) {
    constexpr double whole = 100;
    return number(share * whole) + '%';
}

// "and 2 are needed".
std::string needed(std::size_t least) {
    return fmt::format("and {}{}", least, least == 1 ? " is needed" : " are needed");
}

// With what these games show, which stand first.
Finding shown_by(Finding finding, const std::vector<const PlayedGame*>& lost,
                 const Judged& judged) {
    for (const auto* game : lost) advise(finding, *game, end_of(*game));
    finding.games = ids_of(lost, judged.games);
    return finding;
}

// Games in which `good` doesn't hold.
template <typename Good>
std::vector<const PlayedGame*> games_without(const Judged& judged, Good good) {
    std::vector<const PlayedGame*> without;
    std::copy_if(judged.games.begin(), judged.games.end(), std::back_inserter(without),
                 [&](const PlayedGame* game) { return !good(*game); });
    return without;
}

std::vector<const PlayedGame*> not_won(const Judged& judged) {
    return games_without(judged, [](const PlayedGame& game) { return game.won(); });
}

// "; by the tournament's standings (which go by points first, and it has 4) ann (12), bob (9) and
// 2 more stand above it": of those that many.
std::string those_above(const TournamentPlaces& places, const Placed& own, std::size_t told_max) {
    const auto first = std::ranges::find(places.placed, own.place, &Placed::place);
    const auto above = static_cast<std::size_t>(first - places.placed.begin());
    if (above == 0) return {};
    std::vector<std::string> names;
    for (const auto& [place, name, figure] :
         std::span(places.placed).first(std::min(above, told_max)))
        names.push_back(name + (figure.empty() ? figure : " (" + figure + ')'));
    if (above > told_max) names.push_back(std::to_string(above - told_max) + " more");
    const auto by = own.figure.empty()
                        ? " (which tell no more than places) "
                        : " (which go by " + places.by + " first, and it has " + own.figure + ") ";
    return "; by the tournament's standings" + by + base::listed(names) +
           (above == 1 ? " stands" : " stand") + " above it";
}

// What all rules of runs have to say: how many are right, and which are wrong and why.
Finding seen_in(const Judged& judged) {
    Finding finding;
    finding.of = static_cast<double>(judged.runs.size());
    for (const auto& [id, run] : judged.runs) {
        if (run->right) {
            finding.got += 1;
            continue;
        }
        finding.wrong_runs.push_back(id);
        finding.advice[Advice::on_faults].push_back({{id, {}, "input " + id}, ": " + run->reason});
    }
    finding.reason =
        "right for " + number(finding.got) + " of " + base::counted(judged.runs.size(), "input");
    finding.in_kind = finding.reason;
    return finding;
}

Finding verdict_of_test(const rubric::Series& series, const PlayedSeries& played) {
    using rating::SprtVerdict;
    if (!played.test || !series.as_good_as) return in_trouble("its sequential test was not run");
    const auto& asked = *series.as_good_as;
    const auto seen =
        fmt::format("got {} of the points of {}{}", in_percent(played.test_share),
                    played.test_matches, played.test_matches == 1 ? " match" : " matches");
    const auto scale = " (one as good gets " + percent(asked.fair) +
                       " on average, one that is clearly worse " + percent(asked.worse) + ')';
    if (played.test == SprtVerdict::stronger)
        return passed(seen + ": as good as its opponents" + scale);
    const auto failed_by = [&seen](const std::string& reason) {
        auto finding = failed(reason);
        finding.in_kind = seen + ": less than is needed";
        return finding;
    };
    if (played.test == SprtVerdict::not_stronger)
        return failed_by(seen + ": worse than its opponents" + scale);
    const auto least = least_share(asked);
    const auto undecided =
        seen + ", the most that are played, and " + in_percent(least) + " is needed" + scale;
    return played.test_share >= least ? passed(undecided) : failed_by(undecided);
}

Finding finding_of_place(const rubric::Place& rule, bool is_extra, const Played& played) {
    if (played.places == nullptr) {
        auto finding = failed("the tournament that gives these points is not played yet");
        finding.not_counted = is_extra;
        finding.trouble = !is_extra;
        return finding;
    }
    const auto& places = *played.places;
    if (places.open) return in_trouble("the tournament that gives these points is not over yet");
    const auto own = std::ranges::find(places.placed, played.name, &Placed::name);
    if (own == places.placed.end()) return failed("it took no part in the tournament");
    const auto place = own->place;
    const auto shared_by = std::ranges::count(places.placed, place, &Placed::place);
    auto seen = fmt::format("place {} of the tournament", place);
    if (shared_by > 1)
        seen += fmt::format(", which {} share: each has all that it gives", shared_by);
    const auto above = those_above(places, *own, rule.points.size());
    if (place > rule.points.size()) {
        // The course's own have places, too.
        if (places.placed.size() >= place)
            seen += fmt::format(", in which {} took part", places.placed.size());
        return failed(seen + fmt::format("; the first {} give points", rule.points.size()) + above);
    }
    auto finding =
        passed(seen + "; it gives " + number(rule.points[place - 1]) + " points" + above);
    finding.of = rule.points.front();
    finding.got = rule.points[place - 1];
    return finding;
}

}  // namespace

Finding find(const rubric::Faultless& /*rule*/, const Judged& judged) {
    const auto wrong = games_without(
        judged, [](const PlayedGame& game) { return game.faults.empty() && !game.forfeited; });
    const auto all = base::counted(judged.games.size(), "game");
    if (wrong.empty()) return shown_by(passed("no fault in " + all), {}, judged);
    std::size_t faults = 0;
    bool kept_all = true;
    Finding finding;
    for (const auto* game : wrong) {
        faults += std::max<std::size_t>(game->faults.size(), 1);
        kept_all = kept_all && game->faults.size() < play::faults_kept_max;
        if (game->faults.empty())
            finding.advice[Advice::on_faults].push_back(
                {place_in(*game, " ended before its time"), ": " + end_of(*game)});
        for (const auto& fault : game->faults)
            finding.advice[Advice::on_faults].push_back(told(*game, fault));
    }
    const bool never_came = std::ranges::all_of(wrong, [](const PlayedGame* game) {
        return !game->faults.empty() && game->faults.front().rule == "match.no_show";
    });
    finding.reason = never_came ? fmt::format("took part in {} of {}, and must in all",
                                              judged.games.size() - wrong.size(), all)
                                : (kept_all ? "" : "at least ") + base::counted(faults, "fault") +
                                      " in " + all + ", and none is allowed";
    finding.games = ids_of(wrong, judged.games);
    return finding;
}

Finding find(const rubric::Wins& rule, const Judged& judged) {
    const auto lost = not_won(judged);
    const auto wins = judged.games.size() - lost.size();
    const auto seen = fmt::format("won {} of {}", wins, base::counted(judged.games.size(), "game"));
    const auto asked = ", " + needed(rule.at_least);
    if (wins >= rule.at_least) return shown_by(passed(seen + asked), {}, judged);
    return shown_by(failed(seen + asked), lost, judged);
}

Finding find(const rubric::EachWin& /*rule*/, const Judged& judged) {
    const auto lost = not_won(judged);
    Finding finding;
    finding.of = static_cast<double>(judged.games.size());
    finding.got = static_cast<double>(judged.games.size() - lost.size());
    finding.reason = "won " + number(finding.got) + " of " +
                     base::counted(judged.games.size(), "game") +
                     "; each that is won gives an equal share";
    return shown_by(std::move(finding), lost, judged);
}

Finding find(const rubric::Always& rule, const Judged& judged) {
    std::string missing;
    const auto without = games_without(judged, [&](const PlayedGame& game) {
        if (game.forfeited) return false;
        protocol::json::Document outcome;
        const bool read = static_cast<bool>(outcome.parse(game.detail));
        const auto holds = read ? outcome.root().find(rule.member).boolean() : std::nullopt;
        if (!holds && missing.empty()) missing = in_game(game);
        return holds.value_or(false);
    });
    if (!missing.empty())
        return in_trouble("the outcome of " + missing + " doesn't say whether \"" + rule.member +
                          "\" holds");
    const auto held = judged.games.size() - without.size();
    const auto seen = fmt::format("{} in {} of {}", true_in_words(rule.member), held,
                                  base::counted(judged.games.size(), "game"));
    return shown_by(without.empty() ? passed(seen) : failed(seen + ", and must be in all"), without,
                    judged);
}

void advise(Finding& finding, const PlayedGame& game, const std::string& end) {
    const bool shows_end = game.faults.empty() || (game.moved && !game.forfeited);
    if (shows_end) finding.advice[Advice::on_ends].push_back({place_in(game), ": " + end});
    if (game.faults.empty()) return;
    auto words = game.faults.front().message;
    if (words.ends_with('.')) words.pop_back();
    if (shows_end && end.find(words) != std::string::npos) return;  // its end tells it
    if (game.costs_pieces) {
        for (const auto& fault : game.faults)
            finding.advice[Advice::on_faults].push_back(told(game, fault));
        return;
    }
    auto first = first_wrong(game);
    first.what += worth_of_mending({&game});
    finding.advice[is_small(game) ? Advice::on_slips : Advice::on_faults].push_back(
        std::move(first));
}

std::string worth_of_mending(const std::vector<const PlayedGame*>& games) {
    std::size_t most = 0;
    for (const auto* game : games) {
        if (!is_small(*game) || !game->costs_turns) return {};
        most = std::max(most, game->wrong);
    }
    return "; mending it brings at most " + base::counted(most, "turn") + " a game";
}

void advise_faults(Finding& finding, const std::vector<PlayedGame>& games) {
    auto& lines = finding.advice[Advice::on_faults];
    for (const auto& game : games) {
        if (!game.costs_pieces && !game.faults.empty()) lines.push_back(first_wrong(game));
        for (const auto& fault : game.costs_pieces ? game.faults : std::vector<Fault>())
            lines.push_back(told(game, fault));
    }
}

Finding find_test(const rubric::Series& series, const Judged& judged) {
    auto finding = verdict_of_test(series, *judged.series.front());
    const auto lost = finding.passed() ? std::vector<const PlayedGame*>() : not_won(judged);
    return shown_by(std::move(finding), lost, judged);
}

Finding find_place(const rubric::Place& rule, bool is_extra, const Played& played) {
    auto finding = finding_of_place(rule, is_extra, played);
    finding.in_kind = finding.reason;  // it tells of no game
    return finding;
}

double points_of(const Finding& finding, double points) {
    if (finding.trouble || finding.not_counted || finding.got <= 0) return 0;
    if (finding.got >= finding.of) return points;
    constexpr long double parts = 100;
    // Whole hundredths times counted numbers: a half is met exactly.
    const auto whole = std::round(static_cast<long double>(points) * parts);
    const auto share =
        whole * static_cast<long double>(finding.got) / static_cast<long double>(finding.of);
    return static_cast<double>(std::floor(share + 0.5L) / parts);
}

std::vector<std::string> ids_of(const std::vector<const PlayedGame*>& first,
                                const std::vector<const PlayedGame*>& all) {
    std::vector<std::string> ids;
    for (const auto* game : first) ids.push_back(game->id);
    for (const auto* game : all) {
        if (!base::contains(first, game)) ids.push_back(game->id);
    }
    return ids;
}

Finding find(const rubric::Right& rule, const Judged& judged) {
    auto finding = seen_in(judged);
    const auto all = static_cast<double>(judged.runs.size());
    const auto asked = rule.at_least == 0 ? all : static_cast<double>(rule.at_least);
    finding.reason += rule.at_least == 0 ? ", and must be for all" : ", " + needed(rule.at_least);
    finding.got = finding.got >= asked ? 1 : 0;
    finding.of = 1;
    if (!finding.passed()) finding.in_kind += ", and more are needed";
    return finding;
}

Finding find(const rubric::EachRight& /*rule*/, const Judged& judged) {
    auto finding = seen_in(judged);
    finding.reason += "; each gives its share";
    return finding;
}

}  // namespace referee::verdict
