#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

PlayedGame game_placed(std::size_t setup, std::vector<int> placing) {
    PlayedGame game;
    game.id = "ann.s/1." + std::to_string(setup + 1);
    game.setup = setup;
    game.placing = std::move(placing);
    game.detail = "{}";
    game.reason = "all squares have bricks";
    return game;
}

}  // namespace

PlayedGame game_won(std::size_t setup) {
    return game_placed(setup, {1, 2});
}

PlayedGame game_lost(std::size_t setup) {
    return game_placed(setup, {2, 1});
}

PlayedGame game_scored(double score, std::size_t setup, std::string detail) {
    auto game = game_placed(setup, {1});
    game.score = score;
    game.detail = std::move(detail);
    return game;
}

PlayedGame with_faults(PlayedGame game, std::size_t faults) {
    for (std::size_t i = 0; i < faults; ++i) {
        Fault fault;
        fault.turn = static_cast<std::int64_t>(3 + i);
        fault.message = "expected a move such as \"F\", found 5";
        game.faults.push_back(std::move(fault));
    }
    return game;
}

PlayedGame forfeited(PlayedGame game) {
    game.forfeited = true;
    game.reason = "it crashed";
    return game;
}

std::vector<PlayedGame> games(std::size_t won, std::size_t lost) {
    std::vector<PlayedGame> all;
    for (std::size_t i = 0; i < won + lost; ++i)
        all.push_back(i < won ? game_won(i) : game_lost(i));
    return all;
}

rubric::Step step_with(rubric::Rule rule, double points, std::string id) {
    rubric::Step step;
    step.id = std::move(id);
    step.title = "the step " + step.id;
    step.points = points;
    if (!std::holds_alternative<rubric::Place>(rule)) step.series = {"s"};
    step.rule = std::move(rule);
    return step;
}

rubric::Rubric rubric_with(std::vector<rubric::Step> steps) {
    rubric::Rubric rubric;
    rubric.title = "a rubric";
    rubric.hash = "sha256:00";
    rubric.series.push_back({.id = "s",
                             .opponents = {},
                             .references = {},
                             .as_good_as = rubric::AsGoodAs{},
                             .tournament = "{}",
                             .runs = std::nullopt,
                             .hidden = false});
    rubric.steps = std::move(steps);
    return rubric;
}

Played played_with(std::vector<PlayedGame> games) {
    Played played;
    played.series["s"].games = std::move(games);
    return played;
}

StepGrade judged(rubric::Rule rule, const Played& played) {
    return judge(rubric_with({step_with(std::move(rule))}), played).steps.at(0);
}

}  // namespace referee::verdict
