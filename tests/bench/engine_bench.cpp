// How fast the rules are, on one core: games and moves a second of each game, with the moves of a
// random player that are drawn beforehand, so that only the engine is measured.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/engines/conformance/games.h"

namespace {

constexpr std::size_t turns_max = 5000;

// A game that was played once: the moves of each turn, ready for the engine.
struct Script {
    const engines::Game* game = nullptr;
    std::string params;
    std::vector<std::string> moves;  // [turn * seats + seat]
    std::size_t seats = 1;
    std::size_t turns = 0;
};

std::unique_ptr<engines::State> start(const Script& script) {
    engines::json::Document params;
    if (!params.parse(script.params)) return nullptr;
    return script.game->start(params.root(), 1).value();
}

Script script_of(const tests::GameCase& game) {
    Script script;
    script.game = tests::registry().find(game.id);
    // The game's own defaults; where it has none (a map must be named), the first setup of the
    // tests.
    engines::json::Document given;
    const bool has_defaults = script.game->start({}, 1).has_value();
    if (!given.parse(has_defaults || game.setups.empty() ? "{}" : game.setups.front()))
        return script;
    script.params = script.game->full_params(given.root());
    const auto full = nlohmann::json::parse(script.params);
    auto state = start(script);
    script.seats = state->seats();
    tests::Random random(1);
    std::vector<engines::Note> notes;
    for (; !state->over() && script.turns < turns_max; ++script.turns) {
        std::string text;
        engines::json::Writer writer(text);
        state->write_state(writer);
        const auto shown = nlohmann::json::parse(text);
        std::vector<engines::json::Document> documents(script.seats);
        std::vector<engines::Answer> answers(script.seats);
        for (engines::Seat seat = 0; seat < script.seats; ++seat) {
            auto move = state->to_move().test(seat) ? game.make_move(random, full, shown, seat)
                                                    : std::string("null");
            if (!documents[seat].parse(move)) move = "null";
            answers[seat].move = documents[seat].root();
            script.moves.push_back(std::move(move));
        }
        notes.clear();
        state->apply(answers, notes);
    }
    return script;
}

void play(benchmark::State& measured, const Script& script, bool with_state) {
    std::vector<engines::json::Document> documents(script.moves.size());
    for (std::size_t i = 0; i < script.moves.size(); ++i) {
        if (!documents[i].parse(script.moves[i])) return;
    }
    std::vector<engines::Answer> answers(script.seats);
    std::vector<engines::Note> notes;
    std::string text;
    for (auto _ : measured) {
        auto state = start(script);
        for (std::size_t turn = 0; turn < script.turns; ++turn) {
            for (engines::Seat seat = 0; seat < script.seats; ++seat)
                answers[seat].move = documents[turn * script.seats + seat].root();
            notes.clear();
            state->apply(answers, notes);
            if (!with_state) continue;
            text.clear();
            engines::json::Writer writer(text);
            state->write_state(writer);
            benchmark::DoNotOptimize(text.data());
        }
    }
    const auto games = static_cast<double>(measured.iterations());
    measured.counters["games/s"] = benchmark::Counter(games, benchmark::Counter::kIsRate);
    measured.counters["turns/s"] =
        benchmark::Counter(games * static_cast<double>(script.turns), benchmark::Counter::kIsRate);
    measured.counters["turns/game"] = static_cast<double>(script.turns);
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    std::vector<std::unique_ptr<Script>> scripts;
    for (const auto& game : tests::game_cases()) {
        scripts.push_back(std::make_unique<Script>(script_of(game)));
        const auto* script = scripts.back().get();
        benchmark::RegisterBenchmark((game.id + "/rules").c_str(),
                                     [script](auto& measured) { play(measured, *script, false); });
        benchmark::RegisterBenchmark((game.id + "/rules_and_state").c_str(),
                                     [script](auto& measured) { play(measured, *script, true); });
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
