#include "tests/sim/simulation.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <charconv>
#include <iostream>

#include "tests/sim/attendance.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr Duration run_most = std::chrono::hours(48);
constexpr Duration stops_within = 20s;
constexpr Duration grace_most = 5s;
// How often the simulation looks whether everything goes on.
constexpr Duration look_every = 200ms;
// A window that no state of a small game fills, so that all that is written is handed over at once.
constexpr std::size_t window_wide = 64 * 1024;

std::uint64_t link_number(const std::string& peer) {
    return std::stoull(peer.substr(peer.rfind(':') + 1));
}

// The text member and the number behind it, of lines that the referee and the simulated bots write
// themselves: {"type":"turn","game_id":"sim/1.1","turn":3, ...
std::optional<std::pair<std::string, std::int64_t>> game_and_turn(std::string_view line,
                                                                  std::string_view head) {
    if (!line.starts_with(head)) return std::nullopt;
    line.remove_prefix(head.size());
    const auto quote = line.find('"');
    constexpr std::string_view next = "\",\"turn\":";
    if (quote == std::string_view::npos || line.substr(quote, next.size()) != next)
        return std::nullopt;
    const auto digits = line.substr(quote + next.size());
    std::int64_t turn = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), turn).ec != std::errc())
        return std::nullopt;
    return std::pair(std::string(line.substr(0, quote)), turn);
}

}  // namespace

Simulation::Simulation(RunPlan plan, std::uint64_t order_seed)
    : plan_(std::move(plan)),
      random_(plan_.seed ^ 0x5117ULL),
      world_(order_seed),
      journal_(world_, Random(random_.next()), plan_.commit_slowest, plan_.commits_good) {
    add_bots(random_);
    plan_stalls(random_);
    make_referee();
    if (!plan_.orders.empty())
        instructor_ = std::make_unique<Instructor>(world_, *referee_, plan_,
                                                   [this](const auto& text) { complaint(text); });
    look_again();
    plan_cut();
}

Simulation::~Simulation() = default;

void Simulation::make_referee() {
    const bool stays = !plan_.orders.empty();
    referee_ = std::make_unique<referee::house::Referee>(
        config_of(plan_), referee::house::Terms{"simulated", stays},
        referee::house::Surroundings{world_.loop().get_executor(), world_.referee(), journal_,
                                     world_, background_, tokens_},
        *this, [this](const referee::scheduler::Ending& ending) { ended(ending); });
    const auto recovered = referee_->recover([this](const auto& take) {
        for (const auto& record : journal_.committed()) take(record);
        return base::Result<void, std::string>();
    });
    if (!recovered) throw std::runtime_error("no referee can go on: " + recovered.error());
    supply_ = std::make_unique<SimulatedSupply>(world_, *referee_, bots_);
    referee_->bring_bots_by(*supply_);
    liveness_ = std::make_unique<Liveness>(world_, referee_->lobby(), referee_->scheduler(),
                                           [this](const std::string& text) { complaint(text); });
}

// If the stop of a referee was cut off before its end, the next referee is stopped too.
void Simulation::stop(Duration grace) {
    stopped_within_ = grace;
    if (referee_ != nullptr) referee_->scheduler().stop("somebody stopped it", grace);
}

void Simulation::plan_cut() {
    if (cuts_planned_ == plan_.cuts.size()) return;
    const auto& cut = plan_.cuts[cuts_planned_++];
    const auto cut_now = [this, &cut] { cut_off(cut); };
    if (cut.commit == 0) {
        world_.outside().schedule(world_.now() + cut.at, cut_now);
        return;
    }
    journal_.power_off_behind(
        cut.commit, [this, cut_now] { world_.outside().schedule(world_.now(), cut_now); });
}

// All that belongs to the process is gone with it: its connections, its bots, what it knew.
void Simulation::cut_off(const PlannedCut& cut) {
    if (report_.ending) return;
    ++report_.cuts;
    journal_.power_off();
    for (const auto& link : links_) link->break_off();
    supply_->close();
    supply_->kill_all();
    referee_->lobby().close_all(protocol::ByeReason::shutdown, "nobody hears this");
    liveness_.reset();
    referee_->end();
    supply_.reset();
    referee_.reset();
    world_.outside().schedule(world_.now() + cut.down,
                              [this] { boost::asio::post(world_.loop(), [this] { go_on(); }); });
}

void Simulation::go_on() {
    journal_.power_on();
    make_referee();
    for (const auto& missing :
         told_.missing_from(referee_->scheduler().snapshot_of(plan_.tournament.id)))
        complaint("behind a cut: " + missing);
    referee_->start();
    if (stopped_within_) stop(*stopped_within_);
    plan_cut();
}

// Where there are orders, the referee stays until all are given and all is played; then it is
// stopped.
void Simulation::ended(referee::scheduler::Ending ending) {
    using referee::journal::TournamentState;
    if (journal_.is_off()) return;  // it is gone already
    if (instructor_ && referee_->scheduler().statuses().front().state == TournamentState::finished)
        ending.kind = referee::scheduler::Ending::Kind::finished;
    report_.ending = std::move(ending);
    supply_->close();
}

void Simulation::add_bots(Random& random) {
    for (const auto& plan : plan_.plans) {
        auto& bot = *bots_.emplace_back(std::make_unique<SimulatedBot>(
            world_, plan, Random(random.next()),
            [this](const BotPlan& from, Link::Peer& peer) { return dial(from, peer); }, *this));
        if (plan.launched || !plan.comes) continue;
        world_.outside().schedule(world_.now() + plan.arrives, [&bot] { bot.connect(); });
    }
}

void Simulation::plan_stalls(Random& random) {
    const auto within = [&random](Duration most) {
        return Duration(
            static_cast<Duration::rep>(random.below(static_cast<std::size_t>(most.count()))));
    };
    for (std::size_t i = 0; i < plan_.stalls; ++i) {
        const auto length = within(300ms);
        world_.outside().schedule(world_.now() + within(30s),
                                  [this, length] { world_.stall(length); });
    }
    if (!plan_.stopped) return;
    const auto grace = random.below(2) == 0 ? Duration::zero() : within(grace_most);
    const auto when =
        plan_.stopped_after > Duration::zero() ? plan_.stopped_after : within(stops_within);
    world_.outside().schedule(world_.now() + when, [this, grace] {
        boost::asio::post(world_.loop(), [this, grace] { stop(grace); });
    });
}

void Simulation::look_again() {
    for (; records_seen_ < journal_.committed().size(); ++records_seen_) {
        const auto& record = journal_.committed()[records_seen_];
        if (std::holds_alternative<referee::journal::DroppedRecord>(record)) ++report_.dropped;
        if (liveness_ != nullptr) liveness_->on_record(record);
    }
    if (report_.ending) return;
    if (liveness_ != nullptr) liveness_->look();
    world_.outside().schedule(world_.now() + look_every, [this] { look_again(); });
}

void Simulation::on_match(const std::string& tournament,
                          const referee::tournament::MatchResult& match) {
    ++report_.matches;
    told_.tell(match);
    liveness_->on_match(tournament, match);
}

std::shared_ptr<Link> Simulation::dial(const BotPlan& plan, Link::Peer& peer) {
    auto link = std::make_shared<Link>(world_, ++report_.connections, plan.link,
                                       Random(random_.next()), peer, this);
    links_.push_back(link);
    const bool measured =
        plan.launched && plan_.tournament.clock.measure == referee::clock::Measure::cpu;
    if (plan.habits.stays() && plan.link.window >= window_wide && !measured)
        owners_.emplace(link.get(), plan.name);
    boost::asio::post(world_.loop(), [this, link] {
        if (referee_ == nullptr) return link->break_off();  // nobody listens
        referee_->lobby().admit(link->server_end());
    });
    return link;
}

RunReport Simulation::run() try {
    referee_->start();
    if (instructor_) instructor_->begin();
    if (!world_.run([this] { return report_.ending.has_value(); }, run_most))
        complaint("the run did not end");
    close_down();
    check_all();
    return std::move(report_);
} catch (const std::exception& error) {
    complaint(error.what());
    throw;
}

void Simulation::close_down() {
    for (const auto& bot : bots_) bot->retire();
    std::set<std::uint64_t> open;
    for (const auto& link : links_) {
        if (link->sound() && !link->closed_by_server()) open.insert(link->number());
    }
    for (const auto& [name, bot] : referee_->lobby().bots()) {
        // What a bot hasn't read by the end is lost.
        if (bot->connected() && bot->session()->backlog() > 0)
            open.erase(link_number(bot->session()->transport().peer()));
    }
    referee_->lobby().close_all(protocol::ByeReason::finished, "the simulation is over");
    world_.pass(1s);
    for (const auto& promise : promises_) {
        const auto link = std::find_if(links_.begin(), links_.end(), [&](const auto& one) {
            return one->number() == promise.link;
        });
        if (!open.contains(promise.link) || !(*link)->sound()) continue;
        if (ends_told_[{promise.game_id, promise.bot}] != 1)
            complaint(promise.bot + " was not told how " + promise.game_id + " ended");
    }
    for (const auto& bot : bots_) bot->kill();
    const bool idle = world_.run([this] { return world_.quiet(); }, 1h);
    if (!idle) complaint("timers are pending after the end");
    if (referee_->lobby().connections() != 0) complaint("sessions are open after the end");
}

void Simulation::on_game_started(const std::string& /*tournament*/,
                                 const referee::table::Table& table) {
    if (instructor_) instructor_->on_game_started(table.game_id());
    if (!started_.insert(table.game_id()).second) complaint(table.game_id() + " was started twice");
}

void Simulation::on_game(const std::string& /*tournament*/, const referee::table::Table& table,
                         const std::shared_ptr<const referee::journal::GameRecord>& game) {
    const auto id = referee::game_id(game->result.key);
    if (!journal_.holds("game " + id)) complaint(id + " was told before it was committed");
    for (const auto* bot : table.bots()) {
        if (bot->session() == nullptr || bot->session()->closed()) continue;
        promises_.push_back({id, bot->name(), link_number(bot->session()->transport().peer()),
                             counts(game->result.status)});
    }
}

void Simulation::to_bot(const Link& link, std::string_view line) {
    if (line.starts_with(R"({"type":"end")") || line.starts_with(R"({"type":"note")")) {
        const auto message = Json::parse(line);
        const bool is_end = message["type"] == "end" || message["code"] == "annulled" ||
                            message["code"] == "interrupted";
        if (is_end && !journal_.holds("game " + message["game_id"].get<std::string>())) {
            complaint("announced before it was committed: " + std::string(line));
        }
        return;
    }
    if (line.starts_with(R"({"type":"start")") && line.find("\"seed\"") != std::string_view::npos) {
        complaint("the seed was told: " + std::string(line));
    }
    const auto owner = owners_.find(&link);
    if (owner == owners_.end()) return;
    if (const auto turn = game_and_turn(line, R"({"type":"turn","game_id":")")) {
        SeenTurn seen;
        seen.sent = link.now();
        seen.round_trip =
            link.traits().tells_round_trip ? 2 * link.traits().delay : Duration::zero();
        seen_.emplace(std::tuple(owner->second, turn->first, turn->second), seen);
    } else if (line.find("\"resumed\":true") != std::string_view::npos) {
        owners_.erase(owner);  // it joined a running game, whose turns were sent before
    }
}

void Simulation::from_bot(const Link& link, std::string_view line) {
    const auto owner = owners_.find(&link);
    if (owner == owners_.end()) return;
    const auto move = game_and_turn(line, R"({"type":"move","game_id":")");
    if (!move) return;
    const auto seen = seen_.find(std::tuple(owner->second, move->first, move->second));
    if (seen != seen_.end() && !seen->second.answered) seen->second.answered = link.now();
}

void Simulation::told_end(const std::string& bot, const Link& /*link*/,
                          const std::string& game_id) {
    if (++ends_told_[{game_id, bot}] > 1)
        complaint(bot + " was told twice how " + game_id + " ended");
}

void Simulation::told_annulled(const std::string& bot, const Link& link,
                               const std::string& game_id) {
    told_end(bot, link, game_id);
}

void Simulation::thinks() {
    if (referee_ == nullptr) return;
    std::size_t thinking = 0;
    std::string who;
    for (const auto& bot : bots_) {
        const auto& process = bot->process();
        const bool sits = !referee_->lobby().bot(bot->plan().name).places().empty();
        if (!bot->plan().launched || !bot->connected() || !sits || process.thoughts.empty() ||
            process.frozen)
            continue;
        ++thinking;
        who += ", " + bot->plan().name;
        for (const auto& [game, turn] : process.thoughts)
            who += " (" + game + ", turn " + std::to_string(turn) + ")";
    }
    if (thinking > plan_.cores) {
        complaint(std::to_string(thinking) +
                  " launched bots think at once, on cores: " + std::to_string(plan_.cores) + who);
    }
}

void Simulation::saw_state(const std::string& game_id, std::int64_t turns, const Json& state) {
    states_[{game_id, turns}].push_back(state);
}

// Printed at once, too: a promise may be broken so badly that an assertion ends the program next.
void Simulation::complaint(const std::string& text) {
    if (report_.complaints.empty())
        std::cerr << "SIM_SEED=" << plan_.seed << ": " << text << std::endl;
    report_.complaints.push_back(text);
}

void Simulation::check_all() {
    Evidence evidence{plan_,
                      journal_.committed(),
                      referee_->scheduler().snapshot_of(plan_.tournament.id),
                      *registry().find(plan_.tournament.game),
                      *report_.ending,
                      started_,
                      seen_,
                      states_,
                      world_.stood()};
    check_invariants(evidence, report_);
    check_attendance(evidence, report_);
    if (plan_.orders.empty()) {
        for (const auto& missing : told_.missing_from(evidence.contest)) complaint(missing);
    }
    report_.journal = journal_.text();
    if (instructor_) {
        instructor_->check(journal_.committed());
        report_.orders = instructor_->taken();
        report_.rounds_of_admitted = instructor_->rounds_of_admitted();
    }
    bots_.clear();
    liveness_.reset();
    referee_->end();
    supply_.reset();
    referee_.reset();
}

RunReport simulate(std::uint64_t seed, std::uint64_t order_seed) {
    return Simulation(draw_plan(seed), order_seed).run();
}

}  // namespace tests::sim
