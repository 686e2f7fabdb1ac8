// What reading and writing one message costs: the parts of a turn that are the protocol's.

#include <benchmark/benchmark.h>

#include <string>

#include "protocol/codec.h"
#include "protocol/framer.h"

namespace {

constexpr std::string_view move_line =
    R"({"type":"move","game_id":"g17","turn":42,"move":"F","debug":"depth 9, score 3, nodes 81231"})";

constexpr std::string_view walls_state =
    R"({"size":5,"board":["..A..",".AAB.",".A.B.","..BB.","....."],"players":[{"at":[1,1],)"
    R"("facing":"W","idle":0,"stalled":false,"bricks":4},{"at":[3,2],"facing":"S","idle":1,)"
    R"("stalled":false,"bricks":5}],"to_move":0})";

protocol::Turn walls_turn() {
    protocol::Turn turn;
    turn.game_id = "g17";
    turn.turn = 43;
    turn.budget_us = 1'000'000;
    turn.state = walls_state;
    auto& last = turn.last.emplace();
    last.turn = 41;
    last.charged_us = 1234;
    last.allowed_us = 56;
    last.move = R"("F")";
    return turn;
}

void parse_move(benchmark::State& state) {
    protocol::json::Document document;
    for (auto _ : state) benchmark::DoNotOptimize(document.parse(move_line));
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * move_line.size()));
}
BENCHMARK(parse_move);

void decode_move(benchmark::State& state) {
    protocol::json::Document document;
    for (auto _ : state) {
        benchmark::DoNotOptimize(protocol::decode_from_bot(move_line, document));
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * move_line.size()));
}
BENCHMARK(decode_move);

void encode_turn(benchmark::State& state) {
    const auto turn = walls_turn();
    std::string out;
    for (auto _ : state) {
        out.clear();
        protocol::encode(out, turn);
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(encode_turn);

void decode_turn(benchmark::State& state) {
    std::string line;
    protocol::encode(line, walls_turn());
    line.pop_back();
    protocol::json::Document document;
    for (auto _ : state) {
        benchmark::DoNotOptimize(protocol::decode_from_referee(line, document));
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * line.size()));
}
BENCHMARK(decode_turn);

void frame_move(benchmark::State& state) {
    protocol::Framer framer(protocol::limits::line_bytes_max);
    const std::string chunk = std::string(move_line) + '\n';
    for (auto _ : state) {
        framer.push(chunk);
        for (auto found = framer.next(); found.what == protocol::Framing::line;
             found = framer.next()) {
            benchmark::DoNotOptimize(found.line.data());
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * chunk.size()));
}
BENCHMARK(frame_move);

}  // namespace

BENCHMARK_MAIN();
