#include "referee/grading/verdict/pass_probability.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/overloaded.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "referee/grading/verdict/phrases.h"

namespace referee::verdict {
namespace {

constexpr double half = 0.5;
constexpr double nine_of_ten = 0.9;  // of games that a strong program wins
constexpr double seldom = 0.01;      // of games in which a careless program goes wrong

// "97 of 100 cases".
std::string cases(double chance) {
    const auto text = percent(chance);
    return text.substr(0, text.size() - 1) + " of 100 cases";
}

// "0.6 of 100".
std::string finely(double chance) {
    constexpr double hundred = 100;
    return number(chance * hundred) + " of 100";
}

std::string of_wins(const rubric::Wins& rule, std::uint32_t games) {
    const auto open = rule.winnable > 0 ? rule.winnable : games;
    const auto at_threshold = static_cast<double>(rule.at_least) / open;
    std::string text;
    if (open < games)
        text = fmt::format("Of the {} games only {} can be won at all; the chances are of {}. ",
                           games, open, open == 1 ? "that one" : "those");
    return fmt::format(
        "{}A program that is exactly at this threshold (on average it wins {} of {}) passes in {}, "
        "one that wins half of such games in {}, one that wins nine of ten in {}.",
        text, rule.at_least, open, cases(chance_of_wins(at_threshold, open, rule.at_least)),
        cases(chance_of_wins(half, open, rule.at_least)),
        cases(chance_of_wins(nine_of_ten, open, rule.at_least)));
}

// Of a program that wins half of its games: the shares of them that it wins in most cases, a
// standard deviation to either side, and in how many cases it does.
std::string of_each_win(std::uint32_t games) {
    const double mean = games * half;
    const double deviation = std::sqrt(games * half * (1 - half));
    const auto least = static_cast<std::uint32_t>(std::ceil(mean - deviation));
    const auto most = static_cast<std::uint32_t>(std::floor(mean + deviation));
    return "There is no threshold. A program that wins half of such games gets half of the points "
           "on average, and " +
           percent(static_cast<double>(least) / games) + " to " +
           percent(static_cast<double>(most) / games) + " of them in " +
           cases(chance_of_wins(half, games, least) - chance_of_wins(half, games, most + 1)) + '.';
}

// Each game must go well.
std::string of_all(std::uint32_t games) {
    return "A program that does so in every game passes; one that fails to in one of a hundred "
           "games passes in " +
           cases(std::pow(1 - seldom, games)) + '.';
}

std::string of_average() {
    return "A program whose average is exactly at this threshold, now a little more and now a "
           "little less, passes in about " +
           cases(half) + ".";
}

std::string of_each_score(std::uint32_t games) {
    return "A program that is exactly at this threshold in each game, as often a little above as "
           "below, passes in " +
           cases(std::pow(half, games)) + '.';
}

std::string of_as_good(const rubric::AsGoodAs& asked) {
    const auto seen = simulated(asked);
    const bool ends_early =
        1 - seen.fair.passed > asked.fails_fair || seen.worse.passed > asked.passes_worse;
    return "By design a program that is just as good (" + percent(asked.fair) +
           " of the points) fails in at most " + cases(asked.fails_fair) +
           ", and one that is clearly worse (" + percent(asked.worse) + ") passes in at most " +
           cases(asked.passes_worse) +
           (ends_early ? fmt::format(". But it ends after at most {} (matches_max), before it "
                                     "is so sure: of",
                                     base::counted(asked.matches_max, "match", "matches"))
                       : ". Of") +
           " simulated programs whose matches are won or lost, " + finely(1 - seen.fair.passed) +
           " as good ones failed and " + finely(seen.worse.passed) + " worse ones passed, after " +
           number(std::round(seen.fair.matches)) + " and " +
           number(std::round(seen.worse.matches)) + " matches on average.";
}

std::string of_rule(const rubric::Step& step, const rubric::Series& series, std::uint32_t games) {
    return std::visit(
        base::Overloaded{
            [&](const rubric::Wins& rule) { return of_wins(rule, games); },
            [&](const rubric::EachWin&) { return of_each_win(games); },
            [&](const rubric::Faultless&) { return of_all(games); },
            [&](const rubric::Always&) { return of_all(games); },
            [](const rubric::AverageScore&) { return of_average(); },
            [&](const rubric::ScoreOf& rule) {
                return rule.in_sum ? of_average() : of_each_score(games);
            },
            [](const rubric::ShareOf&) {
                return std::string(
                    "There is no threshold: a program gets what it reaches on average.");
            },
            [&](const rubric::IsAsGood&) {
                return series.as_good_as ? of_as_good(*series.as_good_as) : std::string();
            },
            [](const rubric::Place&) { return std::string(); },
            // The same program gives the same answers.
            [](const rubric::Right&) { return std::string(); },
            [](const rubric::EachRight&) { return std::string(); },
        },
        step.rule);
}

// The test asks for this much of the chances that are promised: it doesn't know the distribution of
// shares, and ends at matches_max, which both cost some certainty. A test shows what is left.
constexpr double part_of_chance = 0.5;

// How many standard deviations off something lies that happens with this chance, up to a factor.
double deviations(double chance) {
    return std::sqrt(-std::log(chance));
}

// The strength that brings this share of the points.
double elo_of(double share) {
    constexpr double elo_scale = 400;
    return elo_scale * std::log10(share / (1 - share));
}

// So that a chance of 1% is known to a tenth of it, in a part of a second.
constexpr int programs = 10'000;
constexpr std::uint64_t seed = 1;
constexpr std::uint64_t lots = 1'000'000;

Simulated simulated_with(const rubric::AsGoodAs& asked, double win) {
    base::SplitMix random(seed);
    Simulated sum;
    for (int program = 0; program < programs; ++program) {
        rating::SequentialTest test(test_limits(asked));
        double won = 0;
        while (test.state().verdict == rating::SprtVerdict::undecided &&
               test.state().matches < asked.matches_max) {
            const bool wins = static_cast<double>(random.below(lots)) < win * lots;
            won += wins ? 1 : 0;
            test.add(wins ? 1 : 0);
        }
        const auto matches = static_cast<double>(test.state().matches);
        const auto says = test.state().verdict;
        const bool passes =
            says == rating::SprtVerdict::stronger ||
            (says == rating::SprtVerdict::undecided && won / matches >= least_share(asked));
        sum.passed += passes ? 1 : 0;
        sum.matches += matches;
    }
    return {sum.passed / programs, sum.matches / programs};
}

}  // namespace

double chance_of_wins(double win, std::uint32_t games, std::uint32_t wins) {
    if (wins == 0) return 1;
    if (wins > games || win <= 0) return 0;
    if (win >= 1) return 1;
    double chance = 0;
    const double all = std::lgamma(games + 1.0);
    for (auto won = wins; won <= games; ++won) {
        const double ways = all - std::lgamma(won + 1.0) - std::lgamma(games - won + 1.0);
        chance += std::exp(ways + won * std::log(win) + (games - won) * std::log1p(-win));
    }
    return std::min(chance, 1.0);
}

std::string chances_of(const rubric::Step& step, const rubric::Series& series,
                       std::uint32_t games) {
    const bool sequential = std::holds_alternative<rubric::IsAsGood>(step.rule);
    if (games == 0 && !sequential) return {};
    auto text = of_rule(step, series, games);
    const bool is_judged = !std::holds_alternative<rubric::Place>(step.rule);
    if (is_judged && series.opponents.empty())
        text +=
            " The games are the same for everybody, so a program that leaves nothing to chance "
            "gets the same verdict each time.";
    return text;
}

rating::SprtLimits test_limits(const rubric::AsGoodAs& asked) {
    return {.elo0 = elo_of(asked.worse),
            .elo1 = elo_of(asked.fair),
            .alpha = asked.passes_worse * part_of_chance,
            .beta = asked.fails_fair * part_of_chance};
}

double least_share(const rubric::AsGoodAs& asked) {
    const auto from_fair = deviations(asked.fails_fair);
    const auto part = from_fair / (from_fair + deviations(asked.passes_worse));
    return asked.fair - (asked.fair - asked.worse) * part;
}

SimulatedTest simulated(const rubric::AsGoodAs& asked) {
    return {simulated_with(asked, asked.fair), simulated_with(asked, asked.worse)};
}

}  // namespace referee::verdict
