#include "tests/sim/orders.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "referee/config/entries.h"
#include "tests/sim/plan.h"
#include "tests/sim/reloads.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::journal::TournamentState;
using OrderKind = PlannedOrder::Kind;

// An order is recorded, and games are seated, within this time, whatever the disk and the bots do.
constexpr Duration takes_effect_within = 2s;
constexpr Duration orders_look_every = 50ms;
constexpr Duration orders_within = 8s;
// Games of simulated bots are short.
constexpr Duration in_play_within = 500ms;
constexpr Duration held_most = 4s;
constexpr std::size_t field_of_swiss = 6;
constexpr std::uint32_t rounds_of_swiss = 3;
constexpr std::uint64_t seed_of_orders = 0x0DE5;

// A Swiss of several rounds, where the field allows one: it takes bots in while it is played.
void make_swiss(RunPlan& plan) {
    for (auto i = plan.plans.size(); i < field_of_swiss; ++i) {
        const auto name = "bot" + std::to_string(i);
        plan.plans.push_back(plan.plans[0]);
        plan.bots.push_back(plan.bots[0]);
        plan.plans.back().name = plan.bots.back().name = name;
        plan.tournament.bots.push_back(i);
    }
    std::vector<referee::tournament::Entry> entries;
    for (const auto& bot : plan.bots)
        entries.push_back({.name = bot.name, .rating = 0, .team = {}, .half_point_byes = {}});
    const auto& game = registry().find(plan.tournament.game)->info();
    auto swiss = plan.tournament.format;
    swiss.options = referee::tournament::SwissOptions{
        .seats = seats_of(swiss), .seats_min = game.seats_min, .rounds = rounds_of_swiss};
    if (check_format(swiss, entries, {game.seats_min, game.seats_max, game.seats_max == 1}).empty())
        plan.tournament.format = swiss;
}

bool names(const std::vector<std::string>& bots, const std::string& bot) {
    return std::find(bots.begin(), bots.end(), bot) != bots.end();
}

}  // namespace

void add_orders(RunPlan& plan) {
    Random random(plan.seed ^ seed_of_orders);
    plan.commits_good = 0;
    plan.stopped = false;
    plan.join_within = random.chance(50) ? 10min : 1s + random_below(random, 10s);
    if (random.chance(50)) make_swiss(plan);
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
        // It thinks better of it.
        order.kind = OrderKind::admit;
        order.at += order.lasts;
        plan.orders.push_back(order);
    }
}

Instructor::Instructor(World& world, referee::house::Referee& referee, Reloads& reloads,
                       const RunPlan& plan, Complain complain, OnBot on_bot)
    : world_(world),
      referee_(referee),
      reloads_(reloads),
      scheduler_(referee.scheduler()),
      lobby_(referee.lobby()),
      plan_(plan),
      complain_(std::move(complain)),
      on_bot_(std::move(on_bot)),
      games_most_(plan.games_at_once) {}

void Instructor::plan_orders(bool in_play) {
    for (const auto& order : plan_.orders) {
        if (order.in_play != in_play) continue;
        ++orders_left_;
        world_.outside().schedule(world_.now() + order.at, [this, &order] {
            boost::asio::post(world_.loop(), [this, &order] { give(order); });
        });
    }
}

void Instructor::begin() {
    plan_orders(false);
    world_.outside().schedule(world_.now() + orders_look_every, [this] { look(); });
}

referee::scheduler::Scheduler::OnOrdered Instructor::when_taken(OnTaken then) {
    return [this, then = std::move(then)](const auto& done) {
        if (!done) return;
        ++taken_;
        then();
    };
}

void Instructor::give(const PlannedOrder& order) {
    --orders_left_;
    const auto& id = plan_.tournament.id;
    const auto contest = *scheduler_.status_of(id);
    if (order.kind == OrderKind::reload) return reload(order.lasts);
    if (order.kind == OrderKind::reload_badly) return reloads_.reload_badly();
    // An end that stands recorded is the last record, for all other checks.
    if (contest.state == TournamentState::finished || contest.over) return;
    const auto& bot = plan_.bots[order.bot].name;
    switch (order.kind) {
        case OrderKind::withdraw:
            return scheduler_.withdraw(id, bot, "simulated", when_taken([] {}));
        case OrderKind::admit:
            return scheduler_.admit(id,
                                    {.name = bot, .rating = 0, .team = {}, .half_point_byes = {}},
                                    when_taken([] {}));
        case OrderKind::annul:
            return annul();
        case OrderKind::start_now:
            return scheduler_.start_now(id, when_taken([this] { does_not_wait_ = true; }));
        case OrderKind::pause:
            scheduler_.pause(id, "simulated", when_taken([this] { held_ = true; }));
            break;
        case OrderKind::abort:
            scheduler_.abort(id, "simulated", when_taken([this] {
                                 held_ = true;
                                 aborted_at_ = world_.now();
                             }));
            break;
        case OrderKind::reload:
        case OrderKind::reload_badly:
            return;  // done already
    }
    ++orders_left_;
    world_.outside().schedule(world_.now() + order.lasts,
                              [this] { boost::asio::post(world_.loop(), [this] { resume(); }); });
}

void Instructor::resume() {
    --orders_left_;
    held_ = false;
    aborted_at_.reset();
    scheduler_.resume(plan_.tournament.id, "simulated", when_taken([this] {
                          held_ = false;
                          aborted_at_.reset();
                      }));
}

// The last match that has a result.
void Instructor::annul() {
    const auto& id = plan_.tournament.id;
    const auto contest = scheduler_.snapshot_of(id);
    if (contest.results.empty()) return;
    const auto& match = contest.results.back();
    if (match.counted.empty()) return;
    const auto& game = match.counted.back();
    scheduler_.annul({id, match.match, game.number, game.attempt}, "simulated", when_taken([] {}));
}

void Instructor::reload(Duration lasts) {
    const auto brought = reloads_.reload();
    ++taken_;
    games_most_ = referee_.config().games_at_once;
    limited_since_ = world_.now();
    on_bot_(brought.bot);
    ++orders_left_;
    world_.outside().schedule(world_.now() + lasts, [this, brought] {
        boost::asio::post(world_.loop(), [this, brought] {
            --orders_left_;
            if (scheduler_.stopping()) return;
            const auto& tournament = brought.tournament;
            if (tournament.starts_by_order) begin(tournament);
            scheduler_.admit(tournament.id, referee_.entry_of(brought.bot.name), when_taken([] {}));
        });
    });
}

void Instructor::begin(const referee::config::TournamentConfig& tournament) {
    const auto& id = tournament.id;
    scheduler_.begin(id, referee::config::entries_of(tournament, referee_.config().bots),
                     tournament.text, "simulated", [this, id](const auto& done) {
                         if (!done) complain_(id + " can't be begun: " + done.error());
                     });
}

bool Instructor::is_launched(const std::string& bot) const {
    const auto& bots = referee_.config().bots;
    return std::any_of(bots.begin(), bots.end(),
                       [&bot](const auto& one) { return one.name == bot && one.launched(); });
}

// Of all that was begun. A ladder never ends by itself.
bool Instructor::all_is_played() const {
    const auto statuses = scheduler_.statuses();
    return std::all_of(statuses.begin(), statuses.end(), [](const auto& contest) {
        return contest.state == TournamentState::finished ||
               contest.state == TournamentState::waiting;
    });
}

void Instructor::on_game_started(const std::string& tournament, const std::string& game_id) {
    if (!std::exchange(games_begun_, true)) plan_orders(true);
    // What ran when the limit became another one is played to its end.
    const bool settled = !limited_since_ || world_.now() - *limited_since_ > takes_effect_within;
    if (settled && scheduler_.games_running() > games_most_)
        complain_(game_id + " was begun beside too many others");
    if (tournament != plan_.tournament.id) return;
    if (held_) complain_(game_id + " was begun, though a pause or an abort was taken");
}

// Whether a waiting game could begin: each of its bots is here and free, or withdrawn and away.
bool Instructor::could_begin(const referee::scheduler::GamePlan& game) {
    const auto contest = scheduler_.statuses().front();
    return std::all_of(game.entrants.begin(), game.entrants.end(), [&](const auto entrant) {
        const auto& bot = lobby_.bot(contest.name(entrant));
        const bool here = bot.connected() && bot.plays(contest.config->game);
        if (here) return bot.free_seats() > 0;
        return contest.is_withdrawn(entrant) && bot.places().empty();
    });
}

// What could go on now, with the complaint if it does not.
std::map<std::string, std::string> Instructor::could_go_on() {
    const auto contest = scheduler_.statuses().front();
    std::map<std::string, std::string> found;
    if (aborted_at_ && scheduler_.games_running(plan_.tournament.id) > 0)
        found["abort"] = "games are played on, though an abort was taken";
    if (contest.state != TournamentState::running || contest.over) return found;
    // A game that is set aside waits until nothing is played, in other tournaments too.
    if (!contest.set_aside.empty() && scheduler_.statuses().size() > 1) return found;
    // Of ladders Liveness knows more.
    if (contest.config->format.kind() == referee::tournament::FormatKind::ladder) return found;
    if (contest.round == 0) {
        for (referee::scheduler::Entrant entrant = 0; entrant < contest.entries->size();
             ++entrant) {
            const auto& bot = contest.name(entrant);
            const bool missing =
                !contest.is_withdrawn(entrant) && !is_launched(bot) && !lobby_.bot(bot).connected();
            if (missing && !does_not_wait_) return found;
        }
        found["draw"] = "nothing is drawn, though nobody is to be waited for";
        return found;
    }
    if (scheduler_.games_running() >= games_most_) return found;
    for (const auto& game : scheduler_.games_waiting(plan_.tournament.id)) {
        const auto id = referee::game_id(game.key);
        if (could_begin(game)) found[id] = id + " is not begun, though all it needs is there";
    }
    return found;
}

void Instructor::look() {
    if (scheduler_.stopping()) return;
    const auto now = world_.now();
    // While the referee stands still, no order takes effect.
    if (std::exchange(stalls_seen_, world_.stood().size()) != world_.stood().size())
        still_since_.clear();
    const auto could = could_go_on();
    std::erase_if(still_since_, [&](const auto& one) { return !could.contains(one.first); });
    for (const auto& [what, text] : could) {
        const auto since = still_since_.emplace(what, now).first->second;
        if (now - since <= takes_effect_within) continue;
        complain_(text);
        still_since_[what] = now + orders_within;  // one complaint is enough
    }
    if (orders_left_ == 0 && all_is_played()) {
        boost::asio::post(world_.loop(), [this] { scheduler_.stop("all is played", 0s); });
        return;
    }
    world_.outside().schedule(now + orders_look_every, [this] { look(); });
}

void Instructor::check(const std::vector<referee::journal::Record>& committed) {
    for (std::size_t i = 0; i < committed.size(); ++i) {
        check_annulment(committed, i);
        check_admission(committed, i);
    }
}

// A game that was annulled has a later play that counts.
void Instructor::check_annulment(const std::vector<referee::journal::Record>& committed,
                                 std::size_t i) {
    const auto* annulled = std::get_if<referee::journal::AnnulmentRecord>(&committed[i]);
    if (annulled == nullptr) return;
    const auto again = [&](const auto& record) {
        const auto* game = std::get_if<referee::journal::GameRecord>(&record);
        return game != nullptr && game->result.key.match == annulled->key.match &&
               game->result.key.number == annulled->key.number && counts(game->result.status);
    };
    const auto from = committed.begin() + static_cast<std::ptrdiff_t>(i);
    if (scheduler_.statuses().front().state == TournamentState::finished &&
        std::none_of(from, committed.end(), again))
        complain_(game_id(annulled->key) + " was annulled and never played again");
}

// Whether a bot has a bye in that round because it was not there.
bool Instructor::sits_out(const std::string& bot, std::uint32_t round) const {
    const auto contest = scheduler_.snapshot_of(plan_.tournament.id);
    return std::any_of(contest.byes.begin(), contest.byes.end(), [&](const auto& bye) {
        return bye.round == round && contest.name(bye.entrant) == bot &&
               bye.kind == referee::tournament::ByeKind::zero_point;
    });
}

// A bot that was let into a Swiss has a match or a bye in each round that was drawn since then,
// until it is withdrawn.
void Instructor::check_admission(const std::vector<referee::journal::Record>& committed,
                                 std::size_t i) {
    const auto* entry = std::get_if<referee::journal::EntryRecord>(&committed[i]);
    if (plan_.tournament.format.kind() != referee::tournament::FormatKind::swiss ||
        entry == nullptr || i < plan_.plans.size() + 1)
        return;
    std::map<std::uint32_t, bool> rounds;
    for (++i; i < committed.size(); ++i) {
        const auto* gone = std::get_if<referee::journal::WithdrawalRecord>(&committed[i]);
        if (gone != nullptr && gone->bot == entry->bot) break;
        const auto* pairing = std::get_if<referee::journal::PairingRecord>(&committed[i]);
        if (pairing == nullptr || pairing->round < entry->round) continue;
        const bool there = names(pairing->bots, entry->bot) &&
                           (pairing->bots.size() > 1 || !sits_out(entry->bot, pairing->round));
        rounds[pairing->round] = rounds[pairing->round] || there;
    }
    // The bot may have been withdrawn while the last round was drawn.
    const bool finished = i == committed.size();
    if (!rounds.empty() && !finished) rounds.erase(std::prev(rounds.end()));
    rounds_of_admitted_ += rounds.size();
    for (const auto& [round, there] : rounds) {
        if (!there)
            complain_(entry->bot + " was let in, and is not in round " + std::to_string(round));
    }
}

}  // namespace tests::sim
