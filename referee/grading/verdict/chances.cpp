#include "referee/grading/verdict/chances.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/overloaded.h"
#include "referee/grading/verdict/words.h"

namespace referee::verdict {
namespace {

constexpr double half = 0.5;
constexpr double most = 0.9;     // of games that a strong program wins
constexpr double seldom = 0.01;  // of games in which a careless program goes wrong

// "97 of 100 cases".
std::string cases(double chance) {
    const auto text = percent(chance);
    return text.substr(0, text.size() - 1) + " of 100 cases";
}

std::string of_wins(const rubric::Wins& rule, std::uint32_t games) {
    return "Passes a program that wins half of such games in " +
           cases(chance_of_wins(half, games, rule.at_least)) + ", one that wins nine of ten in " +
           cases(chance_of_wins(most, games, rule.at_least)) + '.';
}

std::string of_each_win(std::uint32_t games) {
    const auto spread = std::sqrt(half * (1 - half) / games);
    return "A program that wins half of such games gets half of the points on average; two of "
           "three times no more than " +
           percent(spread) + " of the points beside that.";
}

std::string of_faultless(std::uint32_t games) {
    return "Passes a program that goes wrong in one of a hundred games in " +
           cases(std::pow(1 - seldom, games)) + '.';
}

std::string of_as_good(const rubric::AsGoodAs& asked) {
    return "Fails a program that is just as good (" + percent(asked.fair) +
           " of the points) in at most " + cases(asked.fails_fair) +
           ", passes one that is clearly worse (" + percent(asked.worse) + ") in at most " +
           cases(asked.passes_worse) + '.';
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
    const bool is_solo = series.opponents.empty();
    return std::visit(base::Overloaded{
                          [&](const rubric::Wins& rule) {
                              return games == 0 || is_solo ? std::string() : of_wins(rule, games);
                          },
                          [&](const rubric::EachWin&) {
                              return games == 0 || is_solo ? std::string() : of_each_win(games);
                          },
                          [&](const rubric::Faultless&) {
                              return games == 0 ? std::string() : of_faultless(games);
                          },
                          [&](const rubric::IsAsGood&) {
                              return series.as_good_as ? of_as_good(*series.as_good_as)
                                                       : std::string();
                          },
                          [](const auto&) { return std::string(); },
                      },
                      step.rule);
}

}  // namespace referee::verdict
