#include <variant>

#include "protocol/base/find.h"
#include "tests/sim/run_plan.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using OrderKind = PlannedOrder::Kind;

constexpr Duration orders_within = 8s;
// Games of simulated bots are short.
constexpr Duration in_play_within = 500ms;
constexpr Duration held_most = 4s;
constexpr std::size_t field_of_swiss = 6;
constexpr std::uint32_t rounds_of_swiss = 3;
constexpr std::uint64_t seed_of_orders = 0x0DE5;
constexpr std::uint64_t seed_of_arbiter = 0xA4B1;
constexpr std::size_t arbiters_orders_most = 12;
constexpr std::size_t arbiters_kinds = 5;

// A Swiss of several rounds, where the field allows one: it takes bots in while it is played.
void make_swiss(RunPlan& plan) {
    for (auto i = plan.plans.size(); i < field_of_swiss; ++i) {
        const auto name = "bot" + std::to_string(i);
        plan.plans.push_back(plan.plans[0]);
        plan.bots.push_back(plan.bots[0]);
        plan.plans.back().name = plan.bots.back().name = name;
        plan.tournament.bots.push_back(i);
    }
    const auto& game = *registry().find(plan.tournament.game);
    auto swiss = plan.tournament.format;
    swiss.options = referee::formats::SwissOptions{
        .seats = seats_of(swiss), .seats_min = game.info().seats_min, .rounds = rounds_of_swiss};
    if (fits(swiss, plan, game)) plan.tournament.format = swiss;
}

}  // namespace

void add_orders(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_orders);
    plan.commits_good = 0;
    plan.join_within = random.chance(50) ? 10min : 1s + random_below(random, 10s);
    // A ladder ends only where somebody stops it.
    const bool ladder = plan.tournament.format.kind() == referee::formats::FormatKind::ladder;
    plan.stopped = ladder;
    if (!ladder && random.chance(50)) make_swiss(plan);
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < plan.plans.size(); ++i) {
        if (random.chance(15)) plan.plans[i].comes = false;
        if (!plan.plans[i].comes) absent.push_back(i);
    }
    const auto count = 1 + random.below(5);
    for (std::size_t i = 0; i < count; ++i) {
        PlannedOrder order;
        order.kind = static_cast<OrderKind>(random.below(6));
        order.at = random_below(random, orders_within);
        order.lasts = random_below(random, held_most);
        order.in_play = random.chance(50);
        if (order.in_play) {
            order.at = random_below(random, in_play_within);
            order.lasts = random_below(random, in_play_within);
        }
        order.bot = random.below(plan.plans.size());
        if (!absent.empty() && random.chance(60)) {
            order.kind = OrderKind::withdraw;
            order.bot = absent[random.below(absent.size())];
        }
        plan.orders.push_back(order);
        if (order.kind != OrderKind::withdraw || random.chance(50)) continue;
        // The bot is let in again.
        order.kind = OrderKind::admit;
        order.at += order.lasts;
        plan.orders.push_back(order);
    }
}

void add_arbiter(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_arbiter);
    plan.commits_good = 0;
    plan.join_within = 1s + random_below(random, 10s);
    plan.stopped = plan.tournament.format.kind() == referee::formats::FormatKind::ladder;
    if (!plan.stopped && random.chance(80)) make_swiss(plan);
    const auto count = 1 + random.below(arbiters_orders_most);
    for (std::size_t i = 0; i < count; ++i) {
        PlannedOrder order;
        order.kind = static_cast<OrderKind>(static_cast<std::size_t>(OrderKind::set_result) +
                                            random.below(arbiters_kinds));
        // Between any two events of the games, which are short.
        order.in_play = random.chance(80);
        order.at = random_below(random, order.in_play ? in_play_within : orders_within);
        order.bot = random.below(plan.plans.size());
        plan.orders.push_back(order);
    }
}

namespace {

constexpr std::uint64_t seed_of_registrations = 0x4E90;
constexpr std::uint64_t seed_of_newcomers = 0x2EC0;
constexpr std::size_t newcomers_most = 3;
constexpr Duration newcomers_within = std::chrono::seconds(4);
constexpr std::size_t registering_of_a_hundred = 40;
constexpr std::size_t empty_fields_of_a_hundred = 50;

void draw_mistakes(Random& random, Habits& habits) {
    habits.wrong_password_first = random.chance(30);
    habits.short_token_first = random.chance(30);
    habits.wrong_token_first = random.chance(30);
}

}  // namespace

referee::config::Config config_of(const RunPlan& plan) {
    referee::config::Config config;
    auto tournament = plan.tournament;
    tournament.bots.clear();
    const auto& field = plan.tournament.bots;
    for (std::size_t i = 0; i < plan.bots.size(); ++i) {
        if (plan.plans[i].registers) continue;
        if (base::contains(field, i)) tournament.bots.push_back(config.bots.size());
        config.bots.push_back(plan.bots[i]);
    }
    config.tournaments = {tournament};
    config.registration.password = plan.class_password;
    config.games_at_once = plan.games_at_once;
    config.cores = plan.cores;
    config.join_within = plan.join_within;
    return config;
}

void add_registrations(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_registrations);
    plan.class_password = class_password;
    for (auto& bot : plan.plans) {
        if (bot.launched || !random.chance(registering_of_a_hundred)) continue;
        bot.registers = true;
        draw_mistakes(random, bot.habits);
    }
    if (random.chance(empty_fields_of_a_hundred)) plan.tournament.bots.clear();
}

void add_newcomers(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_newcomers);
    if (random.chance(50)) plan.class_password = class_password;
    const auto count = 1 + random.below(newcomers_most);
    for (std::size_t i = 0; i < count; ++i) {
        BotPlan bot;
        bot.name = "newcomer" + std::to_string(i);
        bot.token = "token of " + bot.name;
        bot.games = {plan.tournament.game};
        bot.registers = true;
        bot.arrives = random_below(random, newcomers_within);
        draw_mistakes(random, bot.habits);
        PlannedOrder order;
        order.kind = PlannedOrder::Kind::admit;
        order.at = bot.arrives + random_below(random, newcomers_within);
        order.bot = plan.plans.size();
        plan.orders.push_back(order);
        auto& entry = plan.bots.emplace_back();
        entry.name = bot.name;
        entry.token = bot.token;
        plan.plans.push_back(std::move(bot));
    }
}

namespace {

constexpr std::uint64_t matches_of_a_question = 12;

}  // namespace

referee::formats::FormatOptions draw_options(Random& random,
                                             const std::vector<referee::formats::FormatKind>& kinds,
                                             std::size_t seats, const engines::Game& game) {
    auto options = referee::formats::options_of(kinds[random.below(kinds.size())], seats,
                                                game.info().seats_min);
    if (auto* asked = std::get_if<referee::formats::AdaptiveOptions>(&options))
        asked->matches = matches_of_a_question;
    return options;
}

bool fits(const referee::formats::FormatConfig& format, const RunPlan& plan,
          const engines::Game& game) {
    std::vector<referee::formats::Entry> entries;
    for (const auto& bot : plan.bots) entries.push_back({.name = bot.name});
    const auto& info = game.info();
    return check_format(format, entries, {info.seats_min, info.seats_max, info.seats_max == 1})
        .empty();
}

}  // namespace tests::sim
