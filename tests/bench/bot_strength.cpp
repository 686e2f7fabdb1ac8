// How strong a reference bot is: it plays whole games in this process, and its scores are printed
// with the processor time that it used. Where it plays alone it is charged that time, as
// Superball's pace rule needs it; beside others nobody is charged any, so that the games are the
// same again.
//
//     bot_strength BOT [--against BOT] [--maps PREFIX | --fresh TYPE] [--seeds FIRST LAST]
//                      [--points-max N]
//
// It plays once on each map that ships with its game and whose name begins with PREFIX, or on maps
// that are generated of a TYPE, one for each seed; in a game without maps once for each seed. The
// seeds are 1 to 100 unless told otherwise. In a game of several it takes the seats in turn; the
// other bot, by default the same, has all others. A game in which it reaches N points is broken off
// and counts as that many: good bots play for hours, and the average of what was counted is then a
// bound from below.

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/assertion.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/reference/reference_players.h"

namespace {

namespace json = protocol::json;
using engines::Score;
using engines::Seat;

constexpr int exit_bad_input = 2;
constexpr std::int64_t us_per_s = 1'000'000;
constexpr std::int64_t ns_per_us = 1000;

struct Options {
    const bots::ReferencePlayer* bot = nullptr;
    const bots::ReferencePlayer* against = nullptr;
    std::string maps;   // how their names begin
    std::string fresh;  // a type of maps to generate; empty: those that ship
    std::uint64_t first_seed = 1;
    std::uint64_t last_seed = 100;
    std::int64_t points_max = std::numeric_limits<std::int64_t>::max();
};

struct Setup {
    std::string name;
    std::string params;
    std::uint32_t seed = 1;
};

struct Played {
    Score score;
    bool won = false;  // against others, and alone
    std::string detail;
    std::int64_t turns = 0;
    std::int64_t used_us = 0;
    std::int64_t longest_us = 0;
};

double seconds(std::int64_t us) {
    return static_cast<double>(us) / us_per_s;
}

std::int64_t processor_time_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * us_per_s + time.tv_nsec / ns_per_us;
}

void parse(json::Document& document, std::string_view text) {
    const auto parsed = document.parse(text);
    REFEREE_ASSERT(parsed);
}

// Nothing where a map of that type can't be generated, which is told.
std::optional<std::vector<Setup>> setups_of(const engines::Game& game, const Options& options) {
    std::vector<Setup> setups;
    const auto* maps = game.maps();
    if (maps != nullptr && options.fresh.empty()) {
        for (const auto& name : maps->names()) {
            if (!name.starts_with(options.maps)) continue;
            setups.push_back({name, maps->params_for_map(name)});
        }
        return setups;
    }
    for (auto seed = options.first_seed; seed <= options.last_seed; ++seed) {
        Setup setup{"seed " + std::to_string(seed), {}, static_cast<std::uint32_t>(seed)};
        if (maps == nullptr) {
            setup.params = game.params_for(game.info().seats_default).value();
        } else {
            const auto made = maps->generate({options.fresh, setup.seed, {}, {}});
            if (!made) {
                std::fprintf(stderr, "bot_strength: %s\n", made.error().message.c_str());
                return std::nullopt;
            }
            setup.name = options.fresh + " " + setup.name;
            setup.params = maps->params_for_text(*made);
        }
        setups.push_back(std::move(setup));
    }
    return setups;
}

Played play(const engines::Game& game, const Setup& setup, const Options& options) {
    json::Document params;
    parse(params, setup.params);
    auto started = game.start(params.root(), setup.seed);
    auto& state = *started.value();
    parse(params, game.full_params(params.root()));
    json::Document shown;
    std::string text;
    const auto show = [&] {
        text.clear();
        json::Writer writer(text);
        state.write_state(writer);
        parse(shown, text);
    };
    show();
    const auto seats = state.seats();
    const Seat own = setup.seed % seats;
    const auto game_id = seats == 1 ? setup.name : "strength " + std::to_string(setup.seed);
    std::vector<std::unique_ptr<bots::Player>> players;
    for (Seat seat = 0; seat < seats; ++seat) {
        const auto& player = seat == own ? *options.bot : *options.against;
        players.push_back(
            player.make({game_id, player.game, seat, {}, params.root(), shown.root()}));
    }
    Played played;
    std::vector<json::Document> moves(seats);
    std::vector<engines::Note> notes;
    for (std::int64_t turn = 1; !state.over(); ++turn) {
        show();
        if (shown.root().find("score").integer().value_or(0) >= options.points_max) {
            played.score = Score::whole(options.points_max);
            played.detail = "broken off";
            return played;
        }
        std::vector<engines::Answer> answers(seats);
        for (Seat seat = 0; seat < seats; ++seat) {
            if (!state.to_move()[seat]) continue;
            const auto before_us = processor_time_us();
            const auto move =
                players[seat]->move({turn, game.info().clock.budget_us, shown.root()});
            const auto used_us = processor_time_us() - before_us;
            parse(moves[seat], move);
            answers[seat] = {moves[seat].root(), seats == 1 ? used_us : 0};
            if (seat != own) continue;
            ++played.turns;
            played.used_us += used_us;
            played.longest_us = std::max(played.longest_us, used_us);
        }
        notes.clear();
        state.apply(answers, notes);
    }
    auto outcome = state.outcome();
    played.score = outcome.scores[own];
    played.won = seats > 1 && outcome.placing[own] == 1 &&
                 std::count(outcome.placing.begin(), outcome.placing.end(), 1) == 1;
    played.detail = std::move(outcome.detail);
    return played;
}

void play_all(const engines::Game& game, const std::vector<Setup>& setups, const Options& options) {
    Score score;
    std::int64_t attainable = 0;
    std::size_t full = 0;
    std::size_t won = 0;
    Played all;
    for (const auto& setup : setups) {
        json::Document params;
        parse(params, setup.params);
        const auto most = game.attainable(params.root());
        const auto played = play(game, setup, options);
        score += played.score;
        attainable += most.value_or(0);
        full += most && played.score == Score::whole(*most);
        won += played.won;
        all.turns += played.turns;
        all.used_us += played.used_us;
        all.longest_us = std::max(all.longest_us, played.longest_us);
        std::printf(
            "%s: %s points%s, %lld turns, %.2f s: %s\n", setup.name.c_str(),
            played.score.text().c_str(), most ? (" of " + std::to_string(*most)).c_str() : "",
            static_cast<long long>(played.turns), seconds(played.used_us), played.detail.c_str());
        std::fflush(stdout);
    }
    const auto games = static_cast<double>(setups.size());
    std::printf("%zu games, won alone against others %zu; %s points, on average %.2f",
                setups.size(), won, score.text().c_str(),
                static_cast<double>(score.in_halves()) / 2 / games);
    if (attainable > 0)
        std::printf(", of %lld attainable, all of them in %zu games",
                    static_cast<long long>(attainable), full);
    std::printf("; processor time %.2f s, a turn %.6f s, the longest %.6f s\n",
                seconds(all.used_us), seconds(all.used_us) / static_cast<double>(all.turns),
                seconds(all.longest_us));
}

template <typename Number>
bool read_number(const std::string& text, Number& number) {
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
}

// Nothing where something is not understood.
std::optional<Options> read_options(const std::vector<std::string>& words) {
    if (words.empty()) return std::nullopt;
    Options options;
    options.bot = options.against = bots::reference_player(words.front());
    for (std::size_t i = 1; i < words.size(); i += 2) {
        if (i + 1 == words.size()) return std::nullopt;
        const auto& name = words[i];
        const auto& value = words[i + 1];
        if (name == "--against") {
            options.against = bots::reference_player(value);
        } else if (name == "--maps") {
            options.maps = value;
        } else if (name == "--fresh") {
            options.fresh = value;
        } else if (name == "--points-max") {
            if (!read_number(value, options.points_max)) return std::nullopt;
        } else if (name == "--seeds" && i + 2 < words.size()) {
            if (!read_number(value, options.first_seed) ||
                !read_number(words[i + 2], options.last_seed))
                return std::nullopt;
            ++i;
        } else {
            return std::nullopt;
        }
    }
    if (options.bot == nullptr || options.against == nullptr ||
        options.bot->game != options.against->game)
        return std::nullopt;
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const auto options = read_options({argv + 1, argv + argc});
    if (!options) {
        std::fprintf(stderr,
                     "usage: bot_strength BOT [--against BOT] [--maps PREFIX | --fresh TYPE] "
                     "[--seeds FIRST LAST] [--points-max N]\n");
        return exit_bad_input;
    }
    const engines::Registry registry;
    const auto& game = *registry.find(options->bot->game);
    const auto setups = setups_of(game, *options);
    if (!setups) return exit_bad_input;
    play_all(game, *setups, *options);
    return 0;
}
