#include "tests/sim/reloads.h"

#include <sstream>

#include "referee/config/config.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t seed_of_reloads = 0x4E10AD;
constexpr std::size_t reloads_most = 4;
constexpr std::size_t bad_of_a_hundred = 40;
constexpr Duration reloads_within = 8s;
constexpr Duration begun_within = 4s;
constexpr std::size_t games_at_once_most = 6;
constexpr std::size_t connections_least = 500;
constexpr std::size_t ways_to_spoil = 7;
constexpr std::size_t ways_to_spoil_bots = 2;  // the first of these

}  // namespace

void add_reloads(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_reloads);
    const auto count = 1 + random.below(reloads_most);
    for (std::size_t i = 0; i < count; ++i) {
        PlannedOrder order;
        order.kind = random.chance(bad_of_a_hundred) ? PlannedOrder::Kind::reload_badly
                                                     : PlannedOrder::Kind::reload;
        order.at = random_below(random, reloads_within);
        order.lasts = random_below(random, begun_within);
        plan.orders.push_back(order);
    }
}

RunPlan draw_reload(std::uint64_t seed) {
    const bool ladder = seed % 4 == 0;
    auto plan = ladder ? draw_ladder(seed) : draw_plan(seed);
    if (!ladder) add_orders(plan);
    plan.class_password.clear();
    add_reloads(plan);
    return plan;
}

void Reloads::on_referee(referee::tournament::Referee& referee) {
    referee_ = &referee;
    for (const auto& tournament : config_.tournaments) {
        if (!referee.scheduler().status_of(tournament.id))
            complain_(tournament.id + " is in the config, and the referee began without it");
    }
    for (const auto& bot : config_.bots) {
        if (!referee.roster().knows(bot.name))
            complain_(bot.name + " is in the config, and the referee began without it");
    }
}

referee::config::Config Reloads::changed() {
    const auto number = std::to_string(++configs_);
    auto config = config_;
    config.games_at_once = 1 + random_.below(games_at_once_most);
    config.connections.bots_max = connections_least + random_.below(connections_least);
    config.registration.password = class_password;
    auto& bot = config.bots.emplace_back();
    bot.name = "guest" + number;
    bot.token = "token of " + bot.name;
    auto tournament = config.tournaments.front();
    tournament.id = "more" + number;
    tournament.text = R"({"more":)" + number + "}";
    tournament.seed += static_cast<std::uint32_t>(configs_);
    tournament.starts_by_order = random_.chance(50);
    config.tournaments.push_back(std::move(tournament));
    return config;
}

Reloads::Brought Reloads::reload() {
    config_ = changed();
    Brought brought{config_.bots.back(), config_.tournaments.back()};
    if (referee_ != nullptr) take_over(brought);
    return brought;
}

void Reloads::take_over(const Brought& brought) {
    auto change = referee_->prepare_change(config_);
    if (!change) return complain_("a good config was refused: " + change.error());
    referee_->commit(config_, std::move(*change));
    ++report_.reloads;
    check(brought);
}

void Reloads::check(const Brought& brought) const {
    const auto status = referee_->scheduler().status_of(brought.tournament.id);
    if (!status) {
        complain_(brought.tournament.id + " was added to the config, and is not there");
    } else if (status->begun == brought.tournament.starts_by_order) {
        complain_(brought.tournament.id +
                  (status->begun ? " began without an order" : " is to begin at once, and waits"));
    }
    if (!referee_->roster().knows(brought.bot.name))
        complain_(brought.bot.name + " was added to the config, and may not come in");
}

void Reloads::reload_badly() {
    auto config = changed();
    const auto what = spoil(config);
    const auto before = view();
    if (const auto change = referee_->prepare_change(config))
        complain_("a config was taken though " + what);
    ++report_.refused;
    if (const auto now = view(); now != before)
        complain_("a config was refused and has left its traces: " + before + " became " + now);
}

std::string Reloads::spoil(referee::config::Config& config) {
    auto& first = config.tournaments.front();
    const auto status = referee_->scheduler().status_of(first.id);
    // Where the config named no bot before, the first one is new, and may be anything.
    const std::size_t from = config_.bots.empty() ? ways_to_spoil_bots : 0;
    switch (from + random_.below(ways_to_spoil - from)) {
        case 0:
            config.bots.erase(config.bots.begin());
            return "a bot is gone";
        case 1:
            config.bots.front().launch.emplace_back("another");
            return "a bot has another command";
        case 2:
            if (!referee::records::ended(status->state)) {
                config.tournaments.erase(config.tournaments.begin());
                return "a tournament that is played is gone";
            }
            [[fallthrough]];
        case 3:
            first.text = R"({"another":true})";
            return "a tournament is another one";
        case 4:
            ++config.cores;
            return "it has more cores";
        case 5:
            config.control.token = "another";
            return "orders come in another way";
        default:
            // The new tournament before it is good.
            config.tournaments.push_back(config.tournaments.back());
            config.tournaments.back().id = "without maps";
            config.tournaments.back().maps_directory = "/nowhere";
            return "a new tournament has no maps";
    }
}

std::string Reloads::view() const {
    std::ostringstream text;
    const auto& config = referee_->config();
    text << "games at once " << config.games_at_once << ", connections "
         << config.connections.bots_max << ", class password " << config.registration.password
         << ", cores " << config.cores << ", bots";
    for (const auto& bot : config.bots) text << ' ' << bot.name << ' ' << bot.launch.size();
    text << ", known";
    for (std::size_t i = 0; i <= configs_; ++i)
        text << ' ' << referee_->roster().knows("guest" + std::to_string(i));
    for (const auto& [name, token] : referee_->roster().launch_tokens())
        text << ", " << name << ' ' << token;
    for (const auto& status : referee_->scheduler().statuses()) {
        text << ", " << status.config->id << ' ' << status.config->text << ' '
             << referee::records::name_of(status.state) << " round " << status.round << " games "
             << status.games_played << " entrants " << status.entries->size() << " out "
             << status.withdrawn->size() << " waiting "
             << referee_->scheduler().contest(status.config->id).waiting().size();
    }
    text << ", running " << referee_->scheduler().games_running() << ", connected";
    for (const auto& [name, bot] : referee_->lobby().bots())
        text << ' ' << name << bot->connected();
    text << ", records " << journal_.appended();
    return text.str();
}

}  // namespace tests::sim
