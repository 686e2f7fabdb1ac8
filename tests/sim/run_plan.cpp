#include "tests/sim/run_plan.h"

#include <algorithm>
#include <functional>
#include <map>

#include "protocol/base/assertion.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::Consequence;
using referee::FaultCode;
using referee::clock::ClockKind;

constexpr std::size_t dead_of_a_hundred = 35;
constexpr std::uint32_t rounds_with_dead = 4;
constexpr std::int64_t parallel_of_sound_bots = 4;
// Quick bots think at most an eighth of it: the rules of every game allow that much.
constexpr Duration budget_with_dead = 200ms;

// Small setups: a run is valuable for its troubles and not for its length.
const std::map<std::string, std::vector<std::string>, std::less<>>& small_setups() {
    static const std::map<std::string, std::vector<std::string>, std::less<>> setups{
        {"walls", {R"({"size":3,"first":0})", R"({"size":3,"first":1})"}},
        {"light_cycles",
         {R"({"width":12,"height":9,"teams":2,"cycles_per_team":2,"grace_turns":5,
              "starts":[[0,0],[11,8],[0,8],[11,0]]})",
          R"({"width":9,"height":9,"teams":3,"cycles_per_team":1,"starts":[[1,1],[7,7],[1,7]]})"}},
        {"snake_labyrinth",
         {R"({"board":["#####","o $ _","#####"],"max_steps":30})",
          R"({"board":["########","o$$ !$ #","# T#$  _","#$   $ #","########"],"max_steps":40})"}},
        {"superball",
         {R"({"rows":5,"cols":1,"min_score_size":1})",
          R"({"rows":6,"cols":5,"min_score_size":2,"pace_us":0})"}},
        {"e7_planets",
         {R"({"map":{"grid":[[0,0,2,0],[0,-1,0,0],[0,0,0,0]],"player":{"location":[[null,null],[1,1]],"score":0},
              "scraps":[{"location":[3,4],"value":5}],
              "ghosts":[{"location":[[null,null],[3,1]],"type":"towardplayer","transparency":0}],"remaining_turns":14}})"}},
    };
    return setups;
}

template <typename Value>
const Value& pick(Random& random, const std::vector<Value>& from) {
    return from[random.below(from.size())];
}

Duration between(Random& random, Duration least, Duration most) {
    return least + random_up_to(random, most - least);
}

const engines::Game& draw_game(Random& random) {
    if (random.chance(60)) return *registry().find("walls");
    const auto games = registry().games();
    return *games[random.below(games.size())];
}

std::size_t seats_of(const engines::Game& game, const std::string& setup) {
    protocol::json::Document document;
    const auto parsed = document.parse(setup);
    REFEREE_ASSERT(parsed);
    auto started = game.start(document.root(), 1);
    REFEREE_ASSERT(started);
    return (*started)->seats();
}

referee::clock::ClockConfig draw_clock(Random& random, const engines::Game& game) {
    auto clock = referee::clock::default_clock(game.info());
    if (random.chance(60)) {
        const auto measure = clock.measure;
        clock = {};
        clock.measure = measure;
        clock.kind = static_cast<ClockKind>(random.below(3));
        if (random.chance(50)) clock.kind = ClockKind::turn;
        switch (clock.kind) {
            case ClockKind::turn:
                clock.budget = between(random, 20ms, 1s);
                clock.waits_for_late = random.chance(30);
                clock.hung_after = between(random, 500ms, 5s);
                break;
            case ClockKind::game:
                clock.budget = between(random, 200ms, 5s);
                if (random.chance(50)) clock.increment = between(random, 1ms, 100ms);
                if (random.chance(50)) clock.hard_limit = between(random, 50ms, 2s);
                break;
            case ClockKind::none:
                clock.hard_limit = between(random, 100ms, 2s);
                break;
        }
    }
    clock.allowance = random.chance(70);
    if (random.chance(20)) clock.allowance_max = between(random, 1ms, 100ms);
    REFEREE_ASSERT(referee::clock::mistakes(clock).empty());
    return referee::clock::completed(clock);
}

void draw_faults(Random& random, referee::play::FaultPolicy& faults) {
    static const std::vector<Consequence> consequences{Consequence::none, Consequence::missing_move,
                                                       Consequence::strike, Consequence::forfeit};
    for (const auto code : protocol::all_codes<protocol::FaultCode>()) {
        if (random.chance(15)) faults.set(code, pick(random, consequences));
    }
    faults.strikes_max = 1 + static_cast<unsigned>(random.below(4));
}

// Most bots have no bad habit; the others have one or two, and show them seldom.
Habits draw_habits(Random& random) {
    Habits habits;
    habits.pace = random.chance(70) ? Pace::quick : random.chance(60) ? Pace::racing : Pace::slow;
    if (random.chance(35)) return habits;
    const auto often = [&random] { return 1 + random.below(12); };
    const std::vector<std::function<void()>> bad{
        [&] { habits.wrong_token_first = true; },
        [&] { habits.talks_before_login = true; },
        [&] { habits.never_logs_in = random.chance(50); },
        [&] { habits.never_ready = true; },
        [&] { habits.keeps_silent = random.chance(20) ? 100 : often(); },
        [&] { habits.bad_lines = 4 * often(); },
        [&] { habits.half_lines = often(); },
        [&] { habits.long_lines = often(); },
        [&] { habits.strays = 4 * often(); },
        [&] { habits.bad_moves = often(); },
        [&] { habits.drops = often(); },
        [&] { habits.breaks = often(); },
        [&] { habits.vanishes = often(); },
        [&] { habits.twins = often(); },
        [&] { habits.floods = 1 + random.below(3); },
        [&] { habits.stops_reading = often(); },
        [&] { habits.byes = often(); },
        [&] { habits.crashes = often(); },
        [&] { habits.vanishes = habits.drops = often(); },
        [&] {
            habits.answers_pings = false;
            habits.twins = often();
        },
    };
    for (std::size_t i = 0; i <= random.below(2); ++i) bad[random.below(bad.size())]();
    return habits;
}

LinkTraits draw_link(Random& random) {
    LinkTraits traits{.delay = random.chance(30) ? Duration::zero() : between(random, 10us, 40ms)};
    if (random.chance(30)) traits.jitter = between(random, 10us, 20ms);
    if (random.chance(30)) traits.read_lag = between(random, 1us, 10ms);
    if (random.chance(10)) traits.piece_max = 1;
    if (random.chance(20)) traits.piece_max = 20;
    if (random.chance(20)) traits.window = 2048 + random.below(20'000);
    traits.partial_writes = random.chance(20);
    traits.tells_round_trip = random.chance(50);
    return traits;
}

BotPlan draw_bot(Random& random, const std::string& name, const engines::Game& game) {
    BotPlan plan;
    plan.name = name;
    plan.token = "token of " + name;
    plan.habits = draw_habits(random);
    plan.link = draw_link(random);
    plan.delta = random.chance(25);
    plan.parallel = 1 + static_cast<std::int64_t>(random.below(4));
    plan.arrives = between(random, 0us, 500ms);
    if (random.chance(5)) plan.arrives = between(random, 0us, 12s);
    plan.comes = !random.chance(3);
    plan.launched = random.chance(20);
    plan.games = {std::string(game.info().id), "go"};
    if (random.chance(2)) plan.games = {"walls", "e7_planets"};
    return plan;
}

void add_bot(Random& random, RunPlan& plan, const engines::Game& game) {
    const auto number = plan.plans.size();
    const auto name = "bot" + std::to_string(number);
    plan.plans.push_back(draw_bot(random, name, game));
    auto& bot = plan.bots.emplace_back();
    bot.name = name;
    bot.token = plan.plans.back().token;
    if (plan.plans.back().launched) bot.launch = {"simulated"};
    plan.tournament.bots.push_back(number);
}

// A dead bot: it never comes, or never does anything that counts as a move.
void make_dead(Random& random, BotPlan& bot) {
    bot.habits = {};
    switch (random.below(5)) {
        case 0:
            bot.comes = false;
            bot.launched = false;
            break;
        case 1:
            bot.habits.never_ready = true;
            bot.habits.keeps_silent = 100;
            break;
        case 2:
            bot.habits.keeps_silent = 100;
            break;
        case 3:
            bot.habits.bad_moves = 100;
            break;
        default:
            bot.habits.never_logs_in = true;
            break;
    }
}

// A bot that is there from the first moment and answers well in time.
void make_sound(BotPlan& bot, const std::string& game) {
    bot.habits = {};
    bot.link = {};
    bot.arrives = {};
    bot.comes = true;
    bot.games = {game};
    bot.parallel = parallel_of_sound_bots;
}

void draw_format(Random& random, RunPlan& plan, const engines::Game& game, std::size_t seats) {
    auto& tournament = plan.tournament;
    auto& format = tournament.format;
    const bool solo = game.info().seats_max == 1;
    format.options = referee::formats::RoundRobinOptions{
        .seats = solo ? 2 : seats,  // a solo game is played head to head
        .cycles = random.chance(10) ? 2U : 1U};
    auto& match = tournament.match;
    match.solo = solo;
    match.games = static_cast<std::uint32_t>(1 + random.below(3));
    match.best_of = !solo && random.chance(20);
    if (random.chance(50)) match.seat_order = referee::formats::SeatOrder::same;
    match.setups = static_cast<std::uint32_t>(tournament.setups.size());
}

}  // namespace

RunPlan draw_plan(std::uint64_t seed) {
    Random random(seed);
    RunPlan plan;
    plan.seed = seed;
    const auto& game = draw_game(random);
    auto& tournament = plan.tournament;
    tournament.id = "sim";
    tournament.text = "{}";
    tournament.game = game.info().id;
    tournament.seed = static_cast<std::uint32_t>(random.next());
    const auto known = small_setups().find(game.info().id);
    tournament.setups = {known == small_setups().end() ? "{}" : pick(random, known->second)};
    if (game.info().id == "walls") tournament.setups = known->second;
    const auto seats = seats_of(game, tournament.setups.front());
    const auto bots = std::max<std::size_t>(seats, 2) + random.below(3);
    for (std::size_t i = 0; i < bots; ++i) add_bot(random, plan, game);
    draw_format(random, plan, game, seats);
    // Another format now and then, where it fits the field.
    auto other = tournament.format;
    using enum referee::formats::FormatKind;
    other.options =
        draw_options(random, {round_robin, round_robin, swiss, knockout, gauntlet, adaptive},
                     seats_of(other), game);
    if (auto* gauntlet_options = std::get_if<referee::formats::GauntletOptions>(&other.options))
        gauntlet_options->match_seats = seats_of(tournament.format);
    if (fits(other, plan, game)) tournament.format = other;
    REFEREE_ASSERT(fits(tournament.format, plan, game));
    tournament.tie_breaks = {referee::standings::TieBreak::points,
                             referee::standings::TieBreak::scores};
    tournament.clock = draw_clock(random, game);
    if (random.chance(40)) draw_faults(random, tournament.faults);
    tournament.ready_budget = between(random, 250ms, 2s);
    tournament.no_show_after = between(random, 500ms, 5s);
    plan.games_at_once = 1 + random.below(6);
    plan.join_within = between(random, 100ms, 3s);
    plan.commit_slowest = random.chance(30) ? Duration::zero() : between(random, 1us, 50ms);
    if (random.chance(3)) plan.commits_good = 1 + random.below(10);
    if (random.chance(8)) plan.stalls = 1 + random.below(20);
    plan.stopped = random.chance(4);
    plan.cores = 1 + random.below(3);
    for (auto& bot : plan.plans) bot.freezes = bot.launched && random.chance(30);
    return plan;
}

RunPlan draw_ladder(std::uint64_t seed) {
    Random random(seed ^ 0x1adde2ULL);
    auto plan = draw_plan(seed);
    auto& tournament = plan.tournament;
    const auto& game = *registry().find(tournament.game);
    const auto seats = std::max<std::size_t>(seats_of(game, tournament.setups.front()), 2);
    while (plan.plans.size() < seats + 2 + seed % 8) add_bot(random, plan, game);
    for (auto& bot : plan.plans) {
        if (random.chance(70)) bot.habits = {};
        if (!bot.launched && random.chance(20)) {
            bot.habits.visit_most = between(random, 1ms, 3s);
            bot.habits.away_most = between(random, 1ms, 10s);
        }
    }
    tournament.format = {};
    const auto seats_min = game.info().seats_max == 1 ? 2 : game.info().seats_min;
    tournament.format.options = referee::formats::LadderOptions{seats, seats_min};
    tournament.rest = random.chance(20) ? Duration::zero() : between(random, 1ms, 15s);
    plan.commits_good = 0;
    plan.stopped = true;
    plan.stopped_after = between(random, 60s, 180s);
    add_registrations(plan);
    return plan;
}

RunPlan draw_dead(std::uint64_t seed) {
    Random random(seed ^ 0xdeadb07ULL);
    auto plan = draw_plan(seed);
    auto& tournament = plan.tournament;
    const auto& game = *registry().find(tournament.game);
    const auto seats = std::max<std::size_t>(seats_of(game, tournament.setups.front()), 2);
    while (plan.plans.size() < seats + 3 + seed % 4) add_bot(random, plan, game);
    for (auto& bot : plan.plans) {
        make_sound(bot, tournament.game);
        if (random.chance(dead_of_a_hundred)) make_dead(random, bot);
    }
    for (std::size_t i = 0; i < plan.plans.size(); ++i)
        plan.bots[i].launch = plan.plans[i].launched ? std::vector<std::string>{"simulated"}
                                                     : std::vector<std::string>{};
    using enum referee::formats::FormatKind;
    auto format = tournament.format;
    format.options = draw_options(random, {round_robin, swiss, swiss, knockout, gauntlet, adaptive},
                                  seats, game);
    if (auto* table = std::get_if<referee::formats::RoundRobinOptions>(&format.options))
        table->cycles = 2;
    if (auto* rounds = std::get_if<referee::formats::SwissOptions>(&format.options))
        rounds->rounds = rounds_with_dead;
    if (fits(format, plan, game)) tournament.format = format;
    REFEREE_ASSERT(fits(tournament.format, plan, game));
    const auto measure = tournament.clock.measure;
    tournament.clock = {};
    tournament.clock.measure = measure;
    tournament.clock.kind = ClockKind::turn;
    tournament.clock.budget = budget_with_dead;
    tournament.clock = referee::clock::completed(tournament.clock);
    tournament.ready_budget = 1s;
    tournament.faults = {};
    tournament.withdraw_after = static_cast<std::uint32_t>(random.below(4));
    plan.commits_good = 0;
    plan.stalls = 0;
    plan.stopped = false;
    return plan;
}

}  // namespace tests::sim
