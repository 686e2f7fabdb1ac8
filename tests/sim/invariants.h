#pragma once

#include "tests/sim/simulation.h"

namespace tests::sim {

// What is left of a run when it has ended.
struct Evidence {
    const RunPlan& plan;
    const referee::config::TournamentConfig& tournament;    // that is looked at
    const std::vector<referee::records::Record> committed;  // of it
    const referee::contests::ContestSnapshot contest;       // as it stood at the end
    const engines::Game& game;
    const referee::scheduler::SchedulerEnding& ending;
    const std::set<std::string>& started;
    const std::map<std::tuple<std::string, std::string, std::int64_t>, SeenTurn>& seen;
    const std::map<std::pair<std::string, std::int64_t>, std::vector<Json>>& states;
    const std::vector<std::pair<Instant, Instant>>& stood;  // when the referee stood still
};

// The records that are about the tournament.
std::vector<referee::records::Record> records_of(
    const std::string& tournament, const std::vector<referee::records::Record>& committed);

// Adds what does not hold to the report's complaints, and what it finds to the report's counts.
void check_invariants(const Evidence& evidence, RunReport& report);

// Computes again, from what was seen on the wire, what each answer of a bot that stays was charged
// and whether it came in time. Compares that with the record of the game.
void check_charges(const Evidence& evidence, const referee::records::GameRecord& game,
                   RunReport& report);

// A bot that gave no valid move in as many matches in a row as `withdraw_after` says, though it was
// asked for moves, must be withdrawn when the last of these ends. Other bots are withdrawn only by
// order. The check replays the games to see what a bot gave, and doesn't use what was counted
// during play.
void check_attendance(const Evidence& evidence, RunReport& report);

}  // namespace tests::sim
