#include "referee/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "protocol/codec.h"
#include "protocol/json/assertion.h"
#include "referee/limits.h"

namespace referee::scheduler {
namespace {

namespace json = protocol::json;

// Whoever is awaited is looked for this often.
constexpr Duration look_again = std::chrono::seconds(1);

}  // namespace

Scheduler::Scheduler(Settings settings, runtime::Timers& timers, lobby::Lobby& lobby, journal::Journal& journal,
                     BotSupply& supply, const table::StallSource& stalls, table::Cores& cores, Observer& observer,
                     OnEnded on_ended)
    : settings_(settings),
      timers_(timers),
      lobby_(lobby),
      journal_(journal),
      supply_(supply),
      stalls_(stalls),
      cores_(cores),
      observer_(observer),
      on_ended_(std::move(on_ended)) {}

Scheduler::~Scheduler() { timers_.cancel(timer_); }

void Scheduler::add(const config::TournamentConfig& config, const std::vector<config::BotConfig>& bots,
                    const engines::Game& game) {
    REFEREE_ASSERT(!started_);
    contests_.push_back(std::make_unique<Contest>(config, bots, game));
}

void Scheduler::start() {
    started_ = true;
    started_at_ = timers_.now();
    std::vector<journal::Record> entries;
    for (const auto& contest : contests_) {
        for (Entrant entrant = 0; entrant < contest->entrants(); ++entrant) {
            entries.emplace_back(journal::EntryRecord{contest->config().id, contest->name(entrant)});
        }
    }
    record(std::move(entries), [this] { pump(); });
}

// What is committed when the scheduler is gone is news to nobody.
void Scheduler::record(std::vector<journal::Record> records, std::function<void()> then) {
    ++commits_due_;
    const auto committed = [this, life = std::weak_ptr<const bool>(life_), then = std::move(then)](const auto& failure) {
        if (life.expired()) return;
        --commits_due_;
        if (!failed(failure)) then();
    };
    journal_.append(std::move(records), committed);
}

// Whether the first games may begin: all bots are there, or have been waited for long enough.
bool Scheduler::gathered() {
    if (gathered_) return true;
    std::vector<std::string> missing;
    for (const auto& contest : contests_) {
        for (Entrant entrant = 0; entrant < contest->entrants(); ++entrant) {
            auto& bot = lobby_.bot(contest->name(entrant));
            if (bot.connected()) continue;
            if (supply_.launches(bot)) {
                supply_.want(bot);
            } else if (std::find(missing.begin(), missing.end(), bot.name()) == missing.end()) {
                missing.push_back(bot.name());
            }
        }
    }
    if (!missing.empty() && timers_.now() < started_at_ + settings_.join_within) {
        observer_.on_waiting(missing);
        pump_later(std::min(timers_.now() + look_again, started_at_ + settings_.join_within));
        return false;
    }
    gathered_ = true;
    return true;
}

void Scheduler::pump() {
    if (!started_ || stopping_ || ended_ || pumping_ || !gathered()) return;
    pumping_ = true;
    std::erase_if(away_since_, [this](const auto& away) {
        const auto& bot = lobby_.bot(away.first.first);
        return bot.connected() && bot.plays(away.first.second);
    });
    for (const auto& contest : contests_) pump_contest(*contest);
    pumping_ = false;
    check_over();
}

void Scheduler::pump_contest(Contest& contest) {
    if (contest.over()) return;
    const auto window = contest.entrants() * limits::games_drawn_per_bot;
    auto drawn = contest.draw(window);
    if (!drawn.empty()) {
        record(std::move(drawn), [this] { check_over(); });
    }
    for (std::size_t i = 0; i < contest.waiting().size() && tables_.size() < settings_.games_at_once;) {
        if (!try_begin(contest, i)) ++i;
    }
}

bool Scheduler::try_begin(Contest& contest, std::size_t i) {
    const auto& plan = contest.waiting()[i];
    std::vector<lobby::Bot*> bots;
    std::vector<engines::Seat> absent;
    bool busy = false;
    const auto now = timers_.now();
    for (engines::Seat seat = 0; seat < plan.entrants.size(); ++seat) {
        auto& bot = lobby_.bot(contest.name(plan.entrants[seat]));
        bots.push_back(&bot);
        if (bot.free_seats() > 0 && bot.plays(contest.config().game)) {
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
        supply_.want(bot);
        const auto since = away_since_.emplace(std::pair(bot.name(), contest.config().game), now).first->second;
        if (now >= since + contest.config().no_show_after) {
            absent.push_back(seat);
        } else {
            busy = true;
            pump_later(since + contest.config().no_show_after);
        }
    }
    if (busy) return false;
    begin(contest, contest.take(i), bots, absent);
    return true;
}

void Scheduler::begin(Contest& contest, GamePlan plan, const std::vector<lobby::Bot*>& bots,
                      const std::vector<engines::Seat>& absent) {
    play::PlaySetup setup;
    setup.key = plan.key;
    setup.game = &contest.game();
    setup.params = contest.config().setups[plan.setup];
    setup.seed = plan.seed;
    for (const auto* bot : bots) setup.bots.push_back(bot->name());
    setup.clock = contest.config().clock;
    setup.faults = contest.config().faults;
    setup.ready_budget = contest.config().ready_budget;
    const table::MatchFacts facts{match_id(plan.key.tournament, plan.key.match), plan.games_max};
    const auto id = ++last_table_;
    auto& running = tables_[id];
    running.contest = &contest;
    running.plan = std::move(plan);
    running.table = std::make_unique<table::Table>(std::move(setup), facts, bots, timers_, stalls_, cores_,
                                                   [this, id](table::Table&) { on_finished(id); });
    observer_.on_game_started(contest, *running.table);
    running.table->start(absent);
}

void Scheduler::on_finished(std::uint64_t id) {
    auto& running = tables_.at(id);
    journal::GameRecord game{running.table->play().result(), running.table->play().replay()};
    std::vector<journal::Record> records;
    records.emplace_back(game);
    record(std::move(records), [this, id, game = std::move(game)] { on_recorded(id, game); });
}

void Scheduler::on_recorded(std::uint64_t id, const journal::GameRecord& record) {
    auto node = tables_.extract(id);
    auto& running = node.mapped();
    running.table->announce();
    const auto match = running.contest->finished(record.result);
    observer_.on_game(*running.contest, *running.table, record);
    for (auto* bot : running.table->bots()) supply_.game_over(*bot, match.has_value());
    if (match) {
        tell_match(*running.contest, running.plan, *match);
        observer_.on_match(*running.contest, *match);
    }
    if (running.contest->stuck() && !stopping_) {
        stop(*running.contest->stuck());
        return;
    }
    if (stopping_) {
        check_over();
    } else {
        pump();
    }
}

void Scheduler::tell_match(const Contest& contest, const GamePlan& plan, const tournament::MatchResult& match) {
    std::string scores;
    json::Writer writer(scores);
    writer.begin_array();
    for (const auto points : match.points) points.write(writer);
    writer.end_array();
    const auto id = match_id(plan.key.tournament, plan.key.match);
    protocol::MatchEnd message;
    message.match = id;
    for (const auto entrant : match.seats) message.names.push_back(contest.name(entrant));
    message.scores = scores;
    message.placing.assign(match.placing.begin(), match.placing.end());
    message.games = match.games;
    message.reason = "all games of the match are played";
    for (const auto entrant : match.seats) {
        auto* session = lobby_.bot(contest.name(entrant)).session();
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

void Scheduler::stop(std::string reason) {
    if (stopping_ || ended_) return;
    stopping_ = true;
    stop_reason_ = std::move(reason);
    std::vector<std::uint64_t> ids;
    for (const auto& [id, running] : tables_) ids.push_back(id);
    for (const auto id : ids) {
        const auto found = tables_.find(id);
        if (found != tables_.end()) found->second.table->stop(GameStatus::interrupted, "the referee was stopped");
    }
    check_over();
}

void Scheduler::check_over() {
    if (ended_) return;
    if (stopping_) {
        if (!tables_.empty() || commits_due_ > 0) return;
        const bool stuck = std::any_of(contests_.begin(), contests_.end(),
                                       [](const auto& contest) { return contest->stuck().has_value(); });
        end(stuck ? Ending::Kind::stuck : Ending::Kind::stopped, stop_reason_);
        return;
    }
    bool all = true;
    for (const auto& contest : contests_) {
        if (!contest->over()) {
            all = false;
        } else if (!std::exchange(told_over_[contest.get()], true)) {
            observer_.on_contest_over(*contest);
        }
    }
    if (!all || !tables_.empty() || commits_due_ > 0) return;
    std::vector<journal::Record> records;
    for (const auto& contest : contests_) records.emplace_back(journal::FinishRecord{contest->config().id});
    stopping_ = true;
    record(std::move(records), [this] { end(Ending::Kind::finished, {}); });
}

void Scheduler::end(Ending::Kind kind, std::string message) {
    if (std::exchange(ended_, true)) return;
    timers_.cancel(timer_);
    timer_ = 0;
    on_ended_({kind, std::move(message)});
}

void Scheduler::pump_later(Instant at) {
    if (timer_ != 0 && timer_at_ <= at) return;
    timers_.cancel(timer_);
    timer_at_ = at;
    timer_ = timers_.schedule(at, [this] {
        timer_ = 0;
        pump();
    });
}

}  // namespace referee::scheduler
