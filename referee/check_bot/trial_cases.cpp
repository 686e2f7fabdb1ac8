#include <array>

#include "referee/check_bot/trial_game.h"

// What bots of each game are tried with.

namespace referee::check_bot {
namespace {

constexpr std::array all_cases = {
    TrialCase{"walls", "a small board", R"({"size":3,"first":0})"},
    TrialCase{"walls", "the second seat, the other moves first", R"({"size":5,"first":0})", 2, 1},
    TrialCase{"walls", "the other is stalled, so all turns are yours", R"({"size":7,"first":1})", 3,
              0, Others::idle},
    TrialCase{"light_cycles", "the handout's setup", R"({"teams":4})"},
    TrialCase{"light_cycles", "two teams on a small grid",
              R"({"width":9,"height":9,"teams":2,"cycles_per_team":1,"starts":[[1,1],[7,7]]})"},
    TrialCase{
        "light_cycles", "a cycle without a way out, gone after the first turn",
        R"({"width":9,"height":7,"teams":2,"cycles_per_team":2,"starts":[[0,0],[1,0],[0,1],[6,5]]})"},
    TrialCase{
        "light_cycles", "the last of three teams, others go out first",
        R"({"width":12,"height":5,"teams":3,"cycles_per_team":1,"starts":[[0,0],[11,0],[6,3]]})", 5,
        2},
    TrialCase{
        "e7_planets", "a map without ghosts and asteroid fields",
        R"({"map":{"grid":[[0,0,0,0],[0,0,0,0],[0,0,0,0]],"player":{"location":[[null,null],[2,2]],"score":0},"scraps":[{"location":[1,4],"value":5},{"location":[3,1],"value":7}],"ghosts":[],"remaining_turns":15}})"},
    TrialCase{
        "e7_planets", "a grid of one row, one scrap, the way around the edge",
        R"({"map":{"grid":[[0,0,-1,0,0]],"player":{"location":[[null,null],[1,2]],"score":0},"scraps":[{"location":[1,4],"value":1}],"ghosts":[],"remaining_turns":8}})"},
    TrialCase{
        "e7_planets", "ghosts of both kinds, a start in a nebula, a scrap out of reach",
        R"({"map":{"grid":[[2,0,0,0,0,0],[0,3,0,-1,-1,0],[0,0,0,-1,0,-1],[0,0,0,0,-1,0]],"player":{"location":[[null,null],[1,1]],"score":0},"scraps":[{"location":[4,1],"value":3},{"location":[3,5],"value":9}],"ghosts":[{"location":[[1,6],[1,5]],"type":"backandforth","transparency":1},{"location":[[null,null],[4,6]],"type":"towardplayer","transparency":2}],"remaining_turns":12}})"},
    TrialCase{
        "snake_labyrinth", "a small board with a coin",
        R"({"board":["#######","o $   _","#     #","#######"],"level":"final","max_steps":40})"},
    TrialCase{"snake_labyrinth", "a board without a coin, all plain",
              R"({"board":["#####","o   _","#####"],"level":"challenge1","max_steps":20})"},
    TrialCase{
        "snake_labyrinth", "mishaps, drills, several exits",
        R"({"board":["####_##","o $!T #","# # # _","#$$  T#","#######"],"level":"final","max_steps":60})"},
    TrialCase{"superball", "a small board", R"({"rows":5,"cols":6,"min_score_size":2})", 3},
    TrialCase{"superball", "a board without a goal cell", R"({"rows":4,"cols":6})", 4},
    TrialCase{"superball", "one colour, a single column, exactly full",
              R"({"rows":10,"cols":1,"colors":"p","min_score_size":3})", 5},
};

}  // namespace

std::span<const TrialCase> trial_cases() {
    return all_cases;
}

}  // namespace referee::check_bot
