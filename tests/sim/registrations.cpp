#include <algorithm>

#include "tests/sim/run_plan.h"

namespace tests::sim {
namespace {

constexpr std::uint64_t seed_of_registrations = 0x4E90;
constexpr std::uint64_t seed_of_newcomers = 0x2EC0;
constexpr std::size_t strangers_beside_crowd = 24;
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
        if (std::find(field.begin(), field.end(), i) != field.end())
            tournament.bots.push_back(config.bots.size());
        config.bots.push_back(plan.bots[i]);
    }
    config.tournaments = {tournament};
    config.registration.password = plan.class_password;
    config.games_at_once = plan.games_at_once;
    config.cores = plan.cores;
    config.join_within = plan.join_within;
    // Few places: a crowd fills them in some seconds, which is longer than a login takes.
    if (plan.crowd) config.strangers_per_address_max = strangers_beside_crowd;
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

}  // namespace tests::sim
