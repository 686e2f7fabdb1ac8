// The rules that look at scores.

#include <algorithm>
#include <cmath>
#include <optional>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/grading/verdict/rules.h"

namespace referee::verdict {
namespace {

// Scores are halves, and shares of them are not: a threshold that was met exactly must not be
// missed by what a double can't hold.
bool reaches(double score, double asked) {
    constexpr double unheld = 1e-9;
    return score >= asked - unheld * std::max(1.0, std::abs(asked));
}

double asked_of(const rubric::ScoreOf& rule, double reference) {
    return reference > 0 ? rule.share * reference : reference;
}

// "909 is needed, 90% of the 1010 of right-hand", "1010 is needed, the score of right-hand".
std::string asked_in_words(const rubric::ScoreOf& rule, double reference) {
    const auto needed = number(asked_of(rule, reference)) + " is needed, ";
    if (rule.share == 1 || reference <= 0) return needed + "the score of " + rule.reference;
    return needed + number(rule.share * 100) + "%" + " of the " + number(reference) + " of " +
           rule.reference;
}

// "the scores of all games: challenge1_tiny: 90, challenge1_10x24: 12.5", "the scores of all games,
// by seed: 1: 30, 2: 28", "the scores of all games: 0 in each"; empty of a single game.
class Figures {
 public:
    explicit Figures(std::string heading) : heading_(std::move(heading)) {}
    void add(const PlayedGame& game, const std::string& figure) {
        const auto from = begun_from(game);
        by_seed_ = by_seed_ && game.map.empty() && !from.empty();
        labels_.push_back(from.empty() ? "game " + std::to_string(game.setup + 1) : from);
        figures_.push_back(figure);
    }
    std::string text() const {
        if (figures_.size() < 2) return {};
        if (std::equal(figures_.begin() + 1, figures_.end(), figures_.begin()))
            return heading_ + ": " + figures_.front() + " in each";
        auto told = heading_ + (by_seed_ ? ", by seed: " : ": ");
        for (std::size_t i = 0; i < figures_.size(); ++i)
            told += (i == 0 ? "" : ", ") +
                    (by_seed_ ? labels_[i].substr(labels_[i].find(' ') + 1) : labels_[i]) + ": " +
                    figures_[i];
        return told;
    }

 private:
    std::string heading_;
    bool by_seed_ = true;
    std::vector<std::string> labels_;
    std::vector<std::string> figures_;
};

constexpr const char* of_all_scores = "the scores of all games";

struct Compared {
    const PlayedGame* game = nullptr;
    const PlayedGame* reference = nullptr;
};

// Each game beside the reference's; nothing where one of them is missing.
std::optional<std::vector<Compared>> compared(const rubric::ScoreOf& rule, const Judged& judged) {
    std::vector<Compared> all;
    for (const auto* series : judged.series) {
        const auto* const others = base::find_in(series->references, rule.reference);
        if (others == nullptr) return std::nullopt;
        for (const auto& game : series->games) {
            const auto other = std::ranges::find(*others, game.setup, &PlayedGame::setup);
            if (other == others->end()) return std::nullopt;
            all.push_back({&game, &*other});
        }
    }
    return all;
}

// "yours 0 and right-hand's 970".
std::string figure_beside(const rubric::ScoreOf& rule, const Compared& one) {
    return "yours " + number(one.game->score) + " and " + rule.reference + "'s " +
           number(one.reference->score);
}

Finding find_in_sum(const rubric::ScoreOf& rule, const std::vector<Compared>& all) {
    double score = 0;
    double reference = 0;
    for (const auto& [game, beside] : all) {
        score += game->score;
        reference += beside->score;
    }
    const auto asked = asked_of(rule, reference);
    auto words = "scored " + number(score) + " in " + base::counted(all.size(), "game") + ", and " +
                 asked_in_words(rule, reference);
    if (reaches(score, asked)) return passed(std::move(words));
    auto finding = failed(std::move(words));
    finding.in_kind = "all its scores together, " + number(score) + ", are less than is needed";
    Figures figures(of_all_scores);
    for (const auto& one : all) figures.add(*one.game, figure_beside(rule, one));
    finding.figures = figures.text();
    // Those come first in which the most is missing.
    auto worst = all;
    std::erase_if(
        worst, [](const Compared& one) { return reaches(one.game->score, one.reference->score); });
    std::ranges::stable_sort(worst, [](const Compared& one, const Compared& other) {
        return one.reference->score - one.game->score > other.reference->score - other.game->score;
    });
    for (const auto& [game, beside] : worst) {
        finding.games.push_back(game->id);
        advise(finding, *game,
               "scored " + number(game->score) + " (" + end_of(*game) + "), and " + rule.reference +
                   " " + number(beside->score) + " (" + end_of(*beside) + ')');
    }
    return finding;
}

Finding find_in_each(const rubric::ScoreOf& rule, const std::vector<Compared>& all) {
    Finding finding;
    Figures figures(of_all_scores);
    for (const auto& one : all) {
        const auto& [game, reference] = one;
        figures.add(*game, figure_beside(rule, one));
        if (reaches(game->score, asked_of(rule, reference->score))) continue;
        finding.games.push_back(game->id);
        advise(finding, *game,
               "scored " + number(game->score) + " (" + end_of(*game) + "), and " +
                   asked_in_words(rule, reference->score) + " (" + end_of(*reference) + ')');
    }
    finding.reason = fmt::format(
        "in {} of {} it scored at least {}", all.size() - finding.games.size(),
        base::counted(all.size(), "game"),
        rule.share == 1 ? "as much as " + rule.reference
                        : number(rule.share * 100) + "% of what " + rule.reference + " scored");
    if (finding.games.empty()) return passed(finding.reason);
    finding.reason += ", and must in all";
    finding.in_kind = fmt::format("in {} of {} it scored less than is needed", finding.games.size(),
                                  base::counted(all.size(), "game"));
    finding.figures = figures.text();
    return finding;
}

// Each seed once, those that follow one another as "1-100".
std::string in_words(std::vector<std::uint32_t> seeds) {
    std::ranges::sort(seeds);
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    std::string text;
    for (std::size_t first = 0; first < seeds.size();) {
        auto last = first;
        while (last + 1 < seeds.size() && seeds[last + 1] == seeds[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(seeds[first]);
        if (last > first) text += '-' + std::to_string(seeds[last]);
        first = last + 1;
    }
    return text;
}

// Requires: there are games.
Average average_of(const std::vector<const PlayedGame*>& games) {
    Average average;
    average.games = games.size();
    std::vector<std::uint32_t> seeds;
    for (const auto* game : games) {
        average.score += game->score;
        if (game->seed > 0) seeds.push_back(game->seed);
    }
    average.score /= static_cast<double>(games.size());
    if (seeds.size() == games.size()) average.seeds = in_words(std::move(seeds));
    return average;
}

// The number that a rule names; nothing where the outcome has none.
std::optional<double> number_in(const PlayedGame& game, const std::string& member) {
    if (member == "score") return game.score;
    protocol::json::Document outcome;
    if (!outcome.parse(game.detail)) return std::nullopt;
    return outcome.root().find(member).number();
}

}  // namespace

bool is_complete(const rubric::Step& step, const PlayedGame& game) {
    if (std::holds_alternative<rubric::Faultless>(step.rule))
        return game.faults.empty() && !game.forfeited;
    if (const auto* share = std::get_if<rubric::ShareOf>(&step.rule)) {
        const auto most = number_in(game, share->attainable);
        const auto reached = number_in(game, share->reached);
        return !game.forfeited && most && reached && reaches(*reached, *most);
    }
    const auto* always = std::get_if<rubric::Always>(&step.rule);
    const bool is_of_wins =
        std::holds_alternative<rubric::Wins>(step.rule) ||
        std::holds_alternative<rubric::EachWin>(step.rule) ||
        (always != nullptr && (always->member == "finished" || always->member == "win"));
    return is_of_wins && game.won();
}

Finding find(const rubric::AverageScore& rule, const Judged& judged) {
    double sum = 0;
    for (const auto* game : judged.games) sum += game->score;
    const auto games = static_cast<double>(judged.games.size());
    auto words = "an average score of " + number(sum / games) + " in " +
                 base::counted(judged.games.size(), "game") + ", and " + number(rule.at_least) +
                 " is needed";
    auto finding =
        reaches(sum, rule.at_least * games) ? passed(std::move(words)) : failed(std::move(words));
    // The worst come first: there is the most to gain.
    auto worst = judged.games;
    std::ranges::stable_sort(worst,
                             [](const auto* a, const auto* b) { return a->score < b->score; });
    finding.games = ids_of(worst, {});
    finding.average = average_of(judged.games);
    if (finding.passed()) return finding;
    finding.in_kind = "its average score of " + number(sum / games) + " is less than is needed";
    Figures figures(of_all_scores);
    for (const auto* game : judged.games) figures.add(*game, number(game->score));
    finding.figures = figures.text();
    for (const auto* game : worst) {
        const auto end = end_of(*game);
        advise(finding, *game,
               end.starts_with("scored ") ? end : "scored " + number(game->score) + ": " + end);
    }
    return finding;
}

Finding find(const rubric::ScoreOf& rule, const Judged& judged) {
    const auto all = compared(rule, judged);
    if (!all) return in_trouble(rule.reference + " has not played all of the games");
    auto finding = rule.in_sum ? find_in_sum(rule, *all) : find_in_each(rule, *all);
    const auto decided = finding.games;
    for (auto& id : ids_of({}, judged.games)) {
        if (!base::contains(decided, id)) finding.games.push_back(std::move(id));
    }
    return finding;
}

Finding find(const rubric::ShareOf& rule, const Judged& judged) {
    Finding finding;
    finding.of = 0;
    struct Lack {
        const PlayedGame* game;
        double reached;
        double attainable;
        double lacking() const { return attainable - reached; }
    };
    std::vector<Lack> lacks;
    Figures figures("what was reached in all games");
    for (const auto* game : judged.games) {
        const auto attainable = number_in(*game, rule.attainable);
        const auto in_play = number_in(*game, rule.reached);
        const bool is_void = game->forfeited && rule.reached != "score";
        if (!attainable || (!in_play && !is_void))
            return in_trouble("the outcome of " + in_game(*game) + " has no number \"" +
                              (attainable ? rule.reached : rule.attainable) + '"');
        const auto reached = is_void ? 0 : *in_play;
        finding.got += reached;
        finding.of += *attainable;
        figures.add(*game, number(reached) + " of " + number(*attainable));
        if (!reaches(reached, *attainable)) lacks.push_back({game, reached, *attainable});
    }
    // Those come first in which the most is missing.
    std::ranges::stable_sort(
        lacks, [](const Lack& one, const Lack& other) { return one.lacking() > other.lacking(); });
    std::vector<const PlayedGame*> first;
    for (const auto& [game, reached, attainable] : lacks) {
        first.push_back(game);
        auto end = end_of(*game);
        // What was reached and could be is said, and another total would be taken for it.
        constexpr std::string_view with_unreachable = " (reachable or not)";
        const auto begin = end.find(", worth ");
        if (const auto at = end.find(with_unreachable); begin < at && at != std::string::npos)
            end.erase(begin, at + with_unreachable.size() - begin);
        advise(finding, *game,
               number(reached) + " of the " + number(attainable) + " that could be had: " + end);
    }
    if (finding.of == 0)
        return passed("nothing could be had in " + base::counted(judged.games.size(), "game"));
    finding.reason = "reached " + number(finding.got) + " of " + number(finding.of) +
                     " that could be had in " + base::counted(judged.games.size(), "game");
    finding.in_kind = "the points are given in proportion: " + finding.reason;
    finding.games = ids_of(first, judged.games);
    if (!first.empty()) finding.figures = figures.text();
    return finding;
}

}  // namespace referee::verdict
