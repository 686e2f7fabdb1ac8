#include "referee/arena/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/codec.h"
#include "referee/contests/tournament/gauntlet.h"
#include "referee/limits.h"

namespace referee::scheduler {
namespace {

namespace json = protocol::json;
using journal::TournamentState;

// Whoever is awaited is looked for this often.
constexpr Duration look_again = std::chrono::seconds(1);

}  // namespace

Scheduler::Scheduler(Settings settings, Surroundings with, Observer& observer, OnEnded on_ended)
    : settings_(settings), with_(with), observer_(observer), on_ended_(std::move(on_ended)) {
    with_.journal.watch([this, life = std::weak_ptr<const bool>(life_)](const auto& strain) {
        if (!life.expired()) on_strain(strain);
    });
}

Scheduler::~Scheduler() {
    with_.timers.cancel(timer_);
    with_.timers.cancel(grace_timer_);
    with_.timers.cancel(waiting_timer_);
}

void Scheduler::add(std::unique_ptr<Contest> contest, std::vector<journal::Record> opening) {
    auto& slot = *slots_.emplace_back(std::make_unique<Slot>());
    slot.contest = std::move(contest);
    if (!opening.empty()) record(&slot, std::move(opening), [this] { pump(); });
    cut_off(slot);
}

void Scheduler::start() {
    started_ = true;
    pump();
}

// Plays of a former run that were not played to their end: they are kept as such.
void Scheduler::cut_off(Slot& slot) {
    std::vector<journal::Record> records;
    for (const auto& plan : slot.contest->cut_off()) {
        journal::GameRecord game;
        game.result.key = plan.key;
        game.result.game = slot.contest->config().game;
        game.result.params = slot.contest->config().setups[plan.setup];
        game.result.seed = plan.seed;
        for (const auto entrant : plan.entrants)
            game.result.bots.push_back(slot.contest->name(entrant));
        game.result.status = GameStatus::interrupted;
        game.result.reason =
            "the referee ended abruptly while the game was played; it is played again";
        game.result.clock_kind = clock::name_of(slot.contest->config().clock.kind);
        game.result.measure = clock::name_of(slot.contest->config().clock.measure);
        game.result.used_us.assign(plan.entrants.size(), 0);
        slot.contest->finished(game.result);
        records.emplace_back(std::move(game));
    }
    if (!records.empty()) record(&slot, std::move(records), [this] { pump(); });
}

// What is committed when the scheduler is gone is news to nobody.
void Scheduler::record(Slot* slot, std::vector<journal::Record> records,
                       std::function<void()> then) {
    ++commits_due_;
    const auto changes = slot != nullptr ? slot->contest->changes() : 0;
    const auto committed = [this, slot, changes, life = std::weak_ptr<const bool>(life_),
                            then = std::move(then)](const auto& failure) {
        if (life.expired()) return;
        --commits_due_;
        if (failed(failure)) return;
        if (slot != nullptr) slot->contest->committed(changes);
        if (then) then();
        if (!life.expired() && stopping_) check_over();  // it may have been the last thing due
    };
    with_.journal.append(std::move(records), committed);
}

void Scheduler::on_strain(const journal::JournalStrain& strain) {
    if (strain.trouble == strain_) return;
    strain_ = strain.trouble;
    observer_.on_strain(strain_);
    if (!strain_.empty()) return tell_waiting();
    for (const auto& slot : slots_) slot->resumed_at = with_.timers.now();
    pump();
}

// Bots that the lobby knows it knows for ever.
lobby::Bot& Scheduler::bot_of(Slot& slot, Entrant entrant) {
    while (slot.bots.size() <= entrant)
        slot.bots.push_back(&with_.lobby.bot(slot.contest->name(slot.bots.size())));
    return *slot.bots[entrant];
}

// Who is to dial in for a tournament's first games, and is not there.
std::vector<std::string> Scheduler::missing(Slot& slot) {
    const auto& contest = *slot.contest;
    std::vector<std::string> names;
    for (Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        const auto& bot = bot_of(slot, entrant);
        if (!contest.withdrawn(entrant) && !bot.connected() && !with_.supply.launches(bot))
            names.push_back(bot.name());
    }
    return names;
}

// Whether a tournament's first games may begin: all bots are there, or have been waited for long
// enough.
bool Scheduler::gathered(Slot& slot) {
    const auto& contest = *slot.contest;
    // Whoever is there may play on a ladder; nobody is waited for.
    if (slot.gathered || contest.config().format.kind == tournament::FormatKind::ladder)
        return true;
    const auto now = with_.timers.now();
    if (!slot.called_at) slot.called_at = now;
    for (Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        auto& bot = bot_of(slot, entrant);
        if (!contest.withdrawn(entrant) && !bot.connected()) with_.supply.want(bot);
    }
    const auto until = *slot.called_at + settings_.join_within;
    if (now < until && !missing(slot).empty()) {
        pump_later(std::min(now + look_again, until));
        return false;
    }
    slot.gathered = true;
    return true;
}

void Scheduler::pump() {
    if (!started_ || stopping_ || ended_ || !strain_.empty()) return;
    if (pumping_) {
        pump_later(with_.timers.now());  // who is looking now may have looked past what is new
        return;
    }
    pumping_ = true;
    std::erase_if(away_since_, [this](const auto& away) {
        const auto& bot = with_.lobby.bot(away.first.first);
        return bot.connected() && bot.plays(away.first.second);
    });
    const bool only_alone = holds_others_back();
    for (const auto& slot : slots_) {
        if (!plays_alone()) pump_contest(*slot, only_alone);
    }
    pumping_ = false;
    tell_waiting();
    check_over();
}

void Scheduler::pump_contest(Slot& slot, bool only_alone) {
    auto& contest = *slot.contest;
    if (contest.state() != TournamentState::running || slot.preparing) return;
    let_back_in(slot);
    if (!gathered(slot)) return;
    end_deserted_games(slot);
    if (!draw(slot)) return;
    note_tries(slot);
    for (std::size_t i = 0; i < contest.waiting().size() &&
                            tables_.size() < settings_.games_at_once && !plays_alone();) {
        const bool held = only_alone && !is_set_aside(slot, contest.waiting()[i]);
        if (held || (!drop_deserted(slot, i) && !try_begin(slot, i))) ++i;
    }
}

// False while the next round is drawn beside the loop.
bool Scheduler::draw(Slot& slot) {
    auto& contest = *slot.contest;
    if (contest.drawing_due() && contest.entrants() > limits::field_drawn_on_the_loop_max) {
        slot.preparing = true;
        ++commits_due_;
        // The drawing outlives the contest where this ends meanwhile: they share nothing.
        const auto drawing = std::make_shared<Drawing>(contest.drawing());
        with_.background.run([drawing] { drawing->run(); },
                             [this, &slot, drawing, life = std::weak_ptr<const bool>(life_)] {
                                 if (life.expired()) return;
                                 slot.contest->adopt(std::move(*drawing));
                                 slot.preparing = false;
                                 --commits_due_;
                                 stopping_ ? check_over() : pump();
                             });
        return false;
    }
    offer(slot);
    auto drawn = contest.draw(drawn_ahead(slot));
    if (!drawn.empty()) record(&slot, std::move(drawn), [this] { pump(); });
    return true;
}

// How many games may wait to begin. A test that ends when it is decided draws no more than can
// begin: what is drawn is played.
std::size_t Scheduler::drawn_ahead(Slot& slot) {
    const auto& contest = *slot.contest;
    if (!contest.config().format.sprt) return contest.entrants() * limits::games_drawn_per_bot;
    return std::max<std::size_t>(1, bot_of(slot, tournament::gauntlet_candidate).free_seats());
}

bool Scheduler::try_begin(Slot& slot, std::size_t i) {
    const auto& contest = *slot.contest;
    const auto& plan = contest.waiting()[i];
    const bool alone = is_set_aside(slot, plan);
    if (alone && !may_try_alone(slot, plan)) return false;
    std::vector<lobby::Bot*> bots;
    std::vector<Seat> absent;
    bool busy = false;
    const auto now = with_.timers.now();
    for (Seat seat = 0; seat < plan.entrants.size(); ++seat) {
        const auto entrant = plan.entrants[seat];
        auto& bot = bot_of(slot, entrant);
        bots.push_back(&bot);
        if (!with_.supply.stays(bot) && awaits_record(bot)) {
            busy = true;  // it leaves when that game is recorded
            continue;
        }
        if (bot.free_seats() > 0 && bot.plays(contest.config().game)) {
            if (contest.plays_no_more(entrant, plan.round)) absent.push_back(seat);
            continue;
        }
        if (bot.connected() && bot.plays(contest.config().game)) {
            busy = true;
            continue;
        }
        if (!bot.places().empty()) {
            busy = true;  // it lost its connection in another game, whose clock runs on
            continue;
        }
        if (contest.withdrawn(entrant)) {
            absent.push_back(seat);
            continue;
        }
        with_.supply.want(bot);
        const auto away =
            away_since_.emplace(std::pair(bot.name(), contest.config().game), now).first->second;
        const auto until = given_up_at(slot, bot, away);
        if (now >= until) {
            absent.push_back(seat);
        } else {
            busy = true;
            pump_later(until);
        }
    }
    if (busy) return false;
    slot.tries_alone_at.erase(plan.key);
    auto taken = slot.contest->take(i);
    if (!alone) taken.try_alone = 0;
    seat(slot, std::move(taken), bots, std::move(absent));
    return true;
}

// Of a game that is over and not yet recorded.
bool Scheduler::awaits_record(const lobby::Bot& bot) const {
    return std::any_of(tables_.begin(), tables_.end(), [&bot](const auto& running) {
        const auto& table = *running.second.table;
        const auto& bots = table.bots();
        return table.play().finished() && std::find(bots.begin(), bots.end(), &bot) != bots.end();
    });
}

// The bots sit down at once, so that no other game takes them; the game begins when that is
// recorded.
void Scheduler::seat(Slot& slot, GamePlan plan, const std::vector<lobby::Bot*>& bots,
                     std::vector<Seat> absent) {
    const auto& contest = *slot.contest;
    play::PlaySetup setup;
    setup.key = plan.key;
    setup.game = &contest.game();
    setup.params =
        tournament::setup_for(contest.game(), contest.config().setups[plan.setup], bots.size());
    setup.seed = plan.seed;
    for (const auto* bot : bots) setup.bots.push_back(bot->name());
    setup.clock = contest.config().clock;
    setup.faults = contest.config().faults;
    setup.ready_budget = contest.config().ready_budget;
    for (const auto seat : absent) {
        auto& absence = setup.absences[seat] = with_.supply.coming(*bots[seat]).absence;
        const auto gone = contest.gone().find(plan.entrants[seat]);
        if (gone == contest.gone().end()) continue;
        absence.withdrawn = "is withdrawn from " + contest.config().id;
        absence.cause = gone->second;
    }
    const table::MatchFacts facts{match_id(plan.key.tournament, plan.key.match), plan.games_max,
                                  plan.try_alone > 0};
    const auto id = ++last_table_;
    auto& running = tables_[id];
    running.slot = &slot;
    running.plan = std::move(plan);
    running.absent = std::move(absent);
    std::vector<journal::Record> records{Contest::start_of(running.plan, setup.bots)};
    running.table =
        std::make_unique<table::Table>(std::move(setup), facts, bots, with_.timers, with_.stalls,
                                       with_.cores, [this, id](table::Table&) { on_finished(id); });
    record(&slot, std::move(records), [this, id] { on_started(id); });
}

void Scheduler::on_started(std::uint64_t id) {
    const auto found = tables_.find(id);
    if (found == tables_.end() || found->second.table->play().finished()) return;
    auto& running = found->second;
    observer_.on_game_started(running.slot->contest->config().id, *running.table);
    running.table->start(running.absent);
}

void Scheduler::on_finished(std::uint64_t id) {
    auto& running = tables_.at(id);
    const auto game = std::make_shared<const journal::GameRecord>(
        journal::GameRecord{running.table->play().result(), running.table->play().replay()});
    running.match = running.slot->contest->finished(game->result);
    std::vector<journal::Record> records;
    records.emplace_back(*game);
    auto& slot = *running.slot;
    auto withdrawn = slot.contest->withdraw_idle();
    records.insert(records.end(), withdrawn.begin(), withdrawn.end());
    record(&slot, std::move(records), [this, id, game, &slot, withdrawn = std::move(withdrawn)] {
        for (const auto& one : withdrawn)
            tell_withdrawn(*slot.contest, std::get<journal::WithdrawalRecord>(one));
        on_recorded(id, game);
    });
}

void Scheduler::on_recorded(std::uint64_t id,
                            const std::shared_ptr<const journal::GameRecord>& game) {
    auto node = tables_.extract(id);
    auto& running = node.mapped();
    const auto& contest = *running.slot->contest;
    running.table->announce();
    observer_.on_game(contest.config().id, *running.table, game);
    if (running.match) {
        tell_match(contest, *running.match);
        observer_.on_match(contest.config().id, *running.match);
        rest(*running.slot, *running.match);
    }
    // Whose life is over leaves at once, which would begin games with those that are yet to leave.
    const bool pumping = std::exchange(pumping_, true);
    for (auto* bot : running.table->bots()) with_.supply.game_over(*bot, running.match.has_value());
    pumping_ = pumping;
    const auto& key = game->result.key;
    if (game->result.status == GameStatus::annulled &&
        contest.aside().contains({key.match, key.number}))
        observer_.on_set_aside(contest.config().id);
    if (stopping_) {
        check_over();
    } else {
        pump();
    }
}

void Scheduler::tell_match(const Contest& contest, const tournament::MatchResult& match) {
    std::string scores;
    json::Writer writer(scores);
    writer.begin_array();
    for (const auto points : match.points) points.write(writer);
    writer.end_array();
    const auto id = match_id(contest.config().id, match.match);
    protocol::MatchEnd message;
    message.match = id;
    for (const auto entrant : match.seats) message.names.push_back(contest.name(entrant));
    message.scores = scores;
    message.placing.assign(match.placing.begin(), match.placing.end());
    message.games = match.games;
    message.reason = "all games of the match are played";
    for (const auto entrant : match.seats) {
        auto* session = with_.lobby.bot(contest.name(entrant)).session();
        if (session == nullptr) continue;
        session->send(message);
        session->flush();
    }
}

bool Scheduler::failed(const std::optional<journal::JournalFailure>& failure) {
    if (!failure) return false;
    stopping_ = true;
    end(Ending::Kind::not_recorded, failure->message);
    return true;
}

void Scheduler::pump_later(Instant at) {
    if (timer_ != 0 && timer_at_ <= at) return;
    with_.timers.cancel(timer_);
    timer_at_ = at;
    timer_ = with_.timers.schedule(at, [this] {
        timer_ = 0;
        pump();
    });
}

}  // namespace referee::scheduler
