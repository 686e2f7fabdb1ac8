#include "tests/referee/store/sample_records.h"

namespace referee::store {

using namespace records;

GameRecord sample_game(std::uint64_t match, std::uint32_t attempt, int replay_lines) {
    GameRecord game;
    auto& result = game.result;
    result.key = {"friday", match, 1, attempt};
    result.game = "walls";
    result.params = R"({"size":3,"rate":0.5})";
    result.seed = 4294967295U;
    result.bots = {"alice", "b\"ob"};
    result.reason = "played to the end";
    result.outcome = {
        {engines::Score::halves(3), engines::Score::halves(-1)}, {1, 2}, R"({"bricks":[4,3]})"};
    result.turns = 17;
    result.clock_kind = "turn";
    result.measure = "wall";
    result.means = {"cgroup", ""};
    result.valid_moves = {12, 0};
    result.used_us = {5000, 6000};
    result.round_trip_us = {400, 45000};
    result.allowance_us = {5400, 20000};
    result.allowed_by = {"peers", "range"};
    result.program = {"", "sha256:0123"};
    result.sandbox = {"", "C"};
    Fault fault{FaultCode::late,     Consequence::missing_move, 1, 3, "b\"ob was late",
                "clock.turn_budget", "no more than its budget", {}};
    fault.evidence.received = "{\"type\":\"move\"}";
    fault.evidence.charged_us = 7;
    fault.evidence.measure = protocol::Measure::cpu;
    fault.evidence.method = "cgroup";
    result.faults = {fault,
                     {FaultCode::crashed,
                      Consequence::forfeit,
                      0,
                      4,
                      "it ended",
                      "process.alive",
                      "it runs",
                      {}}};
    result.faults[1].evidence.exit_status = 1;
    result.faults[1].evidence.stderr_tail = "IndexError\n";
    result.faults_total = 5;
    result.maps_version = "7";
    result.fingerprint = "0123456789abcdef";
    result.machine = {"node7", "A \"fast\" one", "Linux 6.1.0-18-amd64", 4, "A", 1834};
    game.replay = "{\"replay\":1}\n";
    for (int i = 0; i < replay_lines; ++i)
        game.replay += "{\"moves\":[\"F\",\"" +
                       std::to_string(static_cast<std::uint64_t>(i) * match) + "\"]}\n";
    return game;
}

std::vector<Record> sample_records() {
    auto interrupted = sample_game(2);
    interrupted.result.status = GameStatus::interrupted;
    interrupted.result.outcome = {};
    interrupted.result.faults.clear();
    interrupted.result.used_us.clear();
    interrupted.result.means.clear();
    interrupted.result.valid_moves.clear();
    interrupted.result.round_trip_us.clear();
    interrupted.result.allowance_us.clear();
    interrupted.result.allowed_by.clear();
    interrupted.result.program.clear();
    interrupted.result.sandbox.clear();
    interrupted.result.maps_version.clear();
    interrupted.result.fingerprint.clear();
    interrupted.result.machine = {};
    return {
        TokenRecord{"alice", "hash of hers", "registered"},
        OpeningRecord{"friday", "{\"name\":\n\"friday\"}", "0.1.0"},
        StateRecord{"friday", TournamentState::waiting, {}},
        EntryRecord{"friday", "alice", 1500, "red", 1},
        EntryRecord{"friday", "b\"ob", -1, {}, 1, 9, {4, 2}},
        StateRecord{"friday", TournamentState::running, "it is time"},
        PairingRecord{"friday", 1, 1, {"alice", "b\"ob"}},
        PairingRecord{"friday", 2, 1, {"b\"ob", "alice"}},
        PairingRecord{"friday", 0, 1, {"carol"}},
        PairingRecord{"friday", 0, 2, {"carol"}},
        StartRecord{{"friday", 1, 1, 1}, 7, {"alice", "b\"ob"}},
        sample_game(1),
        interrupted,
        StartRecord{{"friday", 2, 1, 2}, 8, {"b\"ob", "alice"}},
        sample_game(2, 2, 0),
        AnnulmentRecord{{"friday", 2, 1, 2}, "the cable"},
        RestorationRecord{{"friday", 2, 1, 2}, "it was \"not\" the cable"},
        PairingRecord{"friday", 3, 1, {"alice", "b\"ob"}},
        DroppedRecord{"friday", 3, {"b\"ob", "alice"}, "both left"},
        PairingRecord{"friday", 4, 1, {"alice", "b\"ob"}},
        DroppedRecord{"friday", 4, {}, "withdrawn"},
        WithdrawalRecord{"friday", "carol", 3, "ill"},
        EntryRecord{"friday", "carol", 0, "blue", 4},
        TokenRecord{"alice", {}, "ctl"},
        RulingRecord{"friday", 2, {2, 1}, "an \"agreement\"", "ada"},
        RulingRecord{"friday", 2, {}, {}, {}},
        ForbiddenPairsRecord{
            "friday", {"alice", "b\"ob"}, 3, 4, PairOrder::forbidden, "kin", "ada"},
        ForbiddenPairsRecord{
            "friday", {"alice", "b\"ob"}, 3, UINT32_MAX, PairOrder::lifted, {}, {}},
        RequestedByeRecord{"friday", "b\"ob", 3, ByeOrder::zero_point, "a train", "ada"},
        HandPairingRecord{"friday", {"b\"ob", "alice"}, 4, HandPairingOrder::taken_back, {}, "ada"},
        StateRecord{"friday", TournamentState::finished, {}},
    };
}

Record numbered(int number) {
    return EntryRecord{"friday", "bot" + std::to_string(number), number, {}, 1};
}

std::string line_of(const Record& record) {
    std::string line;
    write_record(line, record);
    return line;
}

std::vector<std::string> lines_of(const std::vector<Record>& records) {
    std::vector<std::string> lines;
    for (const auto& record : records) lines.push_back(line_of(record));
    return lines;
}

std::vector<std::string> lines_without_replays(std::vector<Record> records) {
    for (auto& record : records) {
        if (auto* game = std::get_if<GameRecord>(&record)) game->replay.clear();
    }
    return lines_of(records);
}

}  // namespace referee::store
