#include "tests/sim/instructor.h"

#include "referee/config/config.h"

// How orders are given. How they are checked: instructor_watch.cpp.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::records::TournamentState;
using OrderKind = PlannedOrder::Kind;

// Games begin again soon: what is taken back is so in a small part of the time that others hold.
constexpr int taken_back_within = 100;
constexpr std::string_view nothing_to_order = "there is nothing left to order";

}  // namespace

Instructor::Instructor(World& world, Reloads& reloads, const RunPlan& plan, RunReport& report,
                       Complain complain, OnBot on_bot)
    : world_(world),
      reloads_(reloads),
      plan_(plan),
      report_(report),
      complain_(std::move(complain)),
      on_bot_(std::move(on_bot)) {}

void Instructor::begin() {
    plan_orders(false);
    look();
}

void Instructor::on_referee(referee::tournament::Referee& referee) {
    referee_ = &referee;
    for (const auto* order : std::exchange(due_, {})) give(*order);
    std::vector<std::size_t> again;
    for (const auto& [number, asked] : unanswered_) again.push_back(number);
    for (const auto number : again) {
        ++report_.repeated;
        ask_again(number);
    }
}

// Who is missing is waited for anew by the next referee.
void Instructor::on_cut() {
    referee_ = nullptr;
    does_not_wait_ = false;
    limited_since_.reset();
    still_since_.clear();
}

void Instructor::plan_orders(bool in_play) {
    for (const auto& order : plan_.orders) {
        if (order.in_play != in_play) continue;
        ++orders_left_;
        world_.later_on_loop(order.at, [this, &order] { give(order); });
    }
}

void Instructor::ask(Order order, OnTaken on_taken) {
    const auto number = asked_++;
    unanswered_.emplace(number, Asked{std::move(order), std::move(on_taken)});
    if (referee_ != nullptr) ask_again(number);
}

// The answer may come from inside the call.
void Instructor::ask_again(std::size_t number) {
    const auto order = unanswered_.at(number).order;
    order([this, number](const auto& done) {
        const auto answered = unanswered_.extract(number);
        if (answered.empty() || !done) return;
        ++report_.orders;
        answered.mapped().on_taken();
    });
}

void Instructor::ask_before_end(OwnOrder order, OnTaken on_taken) {
    ask(
        [this, order = std::move(order)](OnOrdered on_ordered) {
            const auto now = status();
            if (now.state == TournamentState::finished || now.over)
                return on_ordered(base::failure(std::string(nothing_to_order)));
            order(scheduler().orders(), {plan_.tournament.id, "simulated"}, std::move(on_ordered));
        },
        std::move(on_taken));
}

void Instructor::give(const PlannedOrder& order) {
    // A config can be changed while no referee reads it.
    const bool waits = referee_ == nullptr && order.kind != OrderKind::reload;
    if (waits) return due_.push_back(&order);
    --orders_left_;
    if (order.kind == OrderKind::reload) return reload(order.lasts);
    if (order.kind == OrderKind::reload_badly) return reloads_.reload_badly();
    const auto now = status();
    if (now.state != TournamentState::finished && !now.over) give_about_tournament(order);
}

void Instructor::give_about_tournament(const PlannedOrder& order) {
    const auto& bot = plan_.bots[order.bot].name;
    switch (order.kind) {
        case OrderKind::withdraw:
            return ask_before_end([bot](auto& orders, const auto& call, auto on_ordered) {
                orders.withdraw(call, bot, std::move(on_ordered));
            });
        case OrderKind::admit:
            return ask_before_end([bot](auto& orders, const auto& call, auto on_ordered) {
                orders.admit(call, {.name = bot}, std::move(on_ordered));
            });
        case OrderKind::annul:
            return annul(order);
        case OrderKind::start_now:
            return ask_before_end(&Orders::start_now, [this] { does_not_wait_ = true; });
        case OrderKind::pause:
            ask_before_end(&Orders::pause, [this] { held_ = true; });
            return resume_after(order);
        case OrderKind::abort:
            ask_before_end(&Orders::abort, [this] {
                held_ = true;
                aborted_at_ = world_.now();
            });
            return resume_after(order);
        case OrderKind::set_result:
            return set_result(order);
        case OrderKind::take_result_back:
            return take_result_back();
        case OrderKind::forbid:
            return forbid(order);
        case OrderKind::grant_bye:
            return grant_bye(order);
        case OrderKind::pair_by_hand:
            return pair_by_hand(order);
        case OrderKind::reload:
        case OrderKind::reload_badly:
            return;  // not about the tournament
    }
}

// Some aborts are undone by the order that lets bots in again as well.
void Instructor::resume_after(const PlannedOrder& order) {
    ++orders_left_;
    const bool reopens = order.kind == OrderKind::abort && order.bot % 2 == 1;
    world_.later_on_loop(order.lasts, [this, reopens] { resume(reopens); });
}

void Instructor::resume(bool reopens) {
    --orders_left_;
    held_ = false;
    aborted_at_.reset();
    const auto& id = plan_.tournament.id;
    ask(
        [this, id, reopens](const OnOrdered& on_ordered) {
            const bool can_reopen =
                reopens && status().begun && status().state == TournamentState::aborted;
            if (!can_reopen) return scheduler().orders().resume({id, "simulated"}, on_ordered);
            scheduler().orders().reopen({id, "simulated"}, {}, [on_ordered](const auto& done) {
                done ? on_ordered({}) : on_ordered(base::failure(done.error()));
            });
        },
        [this] {
            held_ = false;
            aborted_at_.reset();
        });
}

// What was annulled and not begun again counts as before.
void Instructor::take_back() {
    --orders_left_;
    ask_before_end([](auto& orders, const auto& call, const OnOrdered& on_ordered) {
        orders.restore(call, [on_ordered](const auto& done) {
            done ? on_ordered({}) : on_ordered(base::failure(done.error()));
        });
    });
}

// The last match that has a result.
void Instructor::annul(const PlannedOrder& order) {
    const auto& id = plan_.tournament.id;
    const auto now = scheduler().contest(id).snapshot();
    if (now.results.empty()) return;
    const auto& match = now.results.back();
    if (match.counted.empty()) return;
    const auto& game = match.counted.back();
    const referee::GameKey key{id, match.match, game.number, game.attempt};
    ask_before_end([key](auto& orders, const auto& call, auto on_ordered) {
        orders.annul(call, key, std::move(on_ordered));
    });
    if (order.bot % 2 == 0) return;
    ++orders_left_;
    world_.later_on_loop(order.lasts / taken_back_within, [this] { take_back(); });
}

void Instructor::reload(Duration lasts) {
    const auto brought = reloads_.reload();
    ++report_.orders;
    limited_since_ = world_.now();
    on_bot_(brought.bot);
    ++orders_left_;
    world_.later_on_loop(lasts, [this, brought] { use(brought); });
}

// The tournament begins, where it waits for that, and the bot is let in.
void Instructor::use(const Reloads::Brought& brought) {
    --orders_left_;
    const auto& id = brought.tournament.id;
    if (brought.tournament.starts_by_order) {
        ask([this, tournament = brought.tournament](const OnOrdered& on_ordered) {
            if (scheduler().stopping())
                return on_ordered(base::failure(std::string(nothing_to_order)));
            const auto tell = [this, on_ordered, id = tournament.id](const auto& done) {
                // Another referee may have recorded it, and not have answered.
                if (!done && !scheduler().status_of(id)->begun)
                    complain_(id + " can't be begun: " + done.error());
                on_ordered(done);
            };
            scheduler().orders().begin(
                {tournament.id, "started"},
                referee::config::entries_of(tournament, referee_->config().bots), tournament.text,
                "simulated", tell);
        });
    }
    ask([this, id, bot = brought.bot.name](auto on_ordered) {
        scheduler().orders().admit({id}, referee_->entry_of(bot), std::move(on_ordered));
    });
}

}  // namespace tests::sim
