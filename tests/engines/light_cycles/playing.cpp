#include "tests/engines/light_cycles/playing.h"

#include <time.h>

#include <algorithm>

#include "engines/light_cycles/arena.h"
#include "engines/light_cycles/light_cycles.h"
#include "protocol/base/assertion.h"

namespace tests {
namespace {

namespace json = protocol::json;

std::int64_t processor_time_us() {
    constexpr std::int64_t us_per_s = 1'000'000;
    constexpr std::int64_t ns_per_us = 1000;
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * us_per_s + time.tv_nsec / ns_per_us;
}

void parse(json::Document& document, const std::string& text) {
    const auto parsed = document.parse(text);
    REFEREE_ASSERT(parsed);
}

}  // namespace

std::string square_params(int side) {
    auto setup = engines::light_cycles::setup_for(engines::light_cycles::teams_default);
    const auto scaled = [&](int at) { return at * (side - 1) / (setup.width - 1); };
    for (auto& start : setup.starts) start = {scaled(start.x), scaled(start.y)};
    setup.width = setup.height = side;
    return engines::light_cycles::setup_text(setup);
}

CyclesGame play_cycles(const std::string& setup, const std::vector<MakePlayer>& players,
                       const std::string& game_id, engines::Seat watched) {
    const auto game = engines::light_cycles::make_game({});
    json::Document params;
    parse(params, setup);
    auto started = game->start(params.root(), 1);
    const auto state = std::move(started).value();

    std::string text;
    json::Document shown;
    const auto show = [&] {
        text.clear();
        json::Writer writer(text);
        state->write_state(writer);
        parse(shown, text);
    };
    show();
    std::vector<std::unique_ptr<kit::Player>> bots;
    for (std::size_t seat = 0; seat < players.size(); ++seat) {
        bots.push_back(
            players[seat]({game_id, "light_cycles", seat, {}, params.root(), shown.root()}));
    }
    CyclesGame played;
    std::int64_t used_us = 0;
    std::int64_t turns_in = 0;
    std::vector<json::Document> moves(players.size());
    std::vector<engines::Note> notes;
    for (; !state->over(); ++played.turns) {
        show();
        std::vector<engines::Answer> answers(players.size());
        for (std::size_t seat = 0; seat < players.size(); ++seat) {
            if (!state->to_move()[seat]) continue;
            const auto before_us = processor_time_us();
            const auto move = bots[seat]->move({played.turns + 1, 0, shown.root()});
            if (seat == watched) {
                const auto charge = processor_time_us() - before_us;
                played.longest_us = std::max(played.longest_us, charge);
                used_us += charge;
                ++turns_in;
            }
            parse(moves[seat], move);
            answers[seat].move = moves[seat].root();
        }
        notes.clear();
        state->apply(answers, notes);
        played.faults += static_cast<std::size_t>(std::count_if(
            notes.begin(), notes.end(),
            [&](const engines::Note& note) { return note.seat == watched && note.is_fault; }));
    }
    played.outcome = state->outcome();
    played.mean_us = turns_in > 0 ? used_us / turns_in : 0;
    return played;
}

}  // namespace tests
