#pragma once

#include <string>

#include "referee/watch/review/kept_review.h"

// A game of two turns, and a review of it.

namespace referee::review {

inline std::string kept_replay() {
    return R"({"replay":1,"game_id":"t/1.1","tournament":"t","match":1,"number":1,"attempt":1,"game":"walls","seed":1,"params":{"size":3,"first":0},"bots":["ann","eve"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000}})"
           "\n{\"moves\":[\"L\",null]}\n{\"moves\":[null,\"R\"]}\n"
           R"({"result":{"status":"played","outcome":{"placing":[2,1]},"faults":[]}})"
           "\n";
}

inline std::string kept_review(const std::string& replay) {
    const std::string estimate = R"({"value":0.5,"low":0.25,"high":0.75})";
    const auto point = [&](int turn, bool over) {
        return "{\"turn\":" + std::to_string(turn) + ",\"over\":" + (over ? "true" : "false") +
               ",\"playouts\":6,\"alike\":false,\"seats\":[" + estimate + ',' + estimate + "]}";
    };
    return R"({"review":1,"replay":")" + replay_mark(replay) +
           R"(","game_id":"t/1.1","game":"walls","bots":["ann","eve"],"seat":0,"scale":"share","level":0.95,"turns":2,"every":1,"playouts":6,"measured":6,"seed":1,"played_by":["walls-greedy","walls-greedy"],"alike":false,"ended_by_moves":true,"points":[)" +
           point(1, false) + ',' + point(3, true) +
           R"(],"lost":[{"turn":1,"played":"L","before":)" + estimate +
           ",\"as_played\":" + estimate +
           R"(,"cost":{"value":0.5,"low":0.25,"high":0.75,"sure":true},"moves_tried":2,"all_tried":true,"told":"Turn 1: ann played \"turn left\""}],"remarks":["ann lost little"],"assumed":["all of it"]})";
}

}  // namespace referee::review
