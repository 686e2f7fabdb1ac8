#include "tests/sim/simulation.h"

#include <algorithm>
#include <boost/asio/post.hpp>

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

}  // namespace

Simulation::Simulation(RunPlan plan, std::uint64_t order_seed)
    : plan_(std::move(plan)),
      random_(plan_.seed ^ 0x5117ULL),
      world_(order_seed),
      journal_(world_, Random(random_.next()), plan_.commit_slowest, plan_.commits_good) {
    add_bots(random_);
    plan_stalls(random_);
    if (!plan_.orders.empty()) {
        const auto complain = [this](const std::string& text) { complaint(text); };
        reloads_ = std::make_unique<Reloads>(config_of(plan_), journal_, Random(random_.next()),
                                             report_, complain);
        instructor_ = std::make_unique<Instructor>(world_, *reloads_, plan_, report_, complain,
                                                   [this](const auto& bot) { add_guest(bot); });
    }
    make_referee();
    look_again();
    plan_cut();
}

Simulation::~Simulation() = default;

void Simulation::make_referee() {
    const bool stays = instructor_ != nullptr;
    referee_ = std::make_unique<referee::tournament::Referee>(
        reloads_ == nullptr ? config_of(plan_) : reloads_->config(),
        referee::tournament::RefereeOptions{"simulated", stays},
        referee::tournament::RefereeContext{world_.loop().get_executor(), world_.referee(),
                                            journal_, world_, background_, tokens_},
        *this, [this](const referee::scheduler::SchedulerEnding& ending) { ended(ending); });
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

void Simulation::start() {
    referee_->start();
    if (instructor_ == nullptr) return;
    reloads_->on_referee(*referee_);
    instructor_->on_referee(*referee_);
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
        world_.later(cut.at, cut_now);
        return;
    }
    journal_.power_off_behind(cut.commit, [this, cut_now] { world_.later({}, cut_now); });
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
    if (instructor_ != nullptr) {
        instructor_->on_cut();
        reloads_->on_cut();
    }
    referee_->end();
    supply_.reset();
    referee_.reset();
    with_launched_.clear();
    world_.later_on_loop(cut.down, [this] { go_on(); });
}

void Simulation::go_on() {
    journal_.power_on();
    make_referee();
    read_records();
    for (const auto& status : referee_->scheduler().statuses()) {
        for (const auto& missing :
             told_.missing_from(referee_->scheduler().contest(status.config->id).snapshot()))
            complaint("behind a cut: " + missing);
    }
    start();
    if (stopped_within_) stop(*stopped_within_);
    plan_cut();
}

// Where there are orders, the referee stays until all are given and all is played; then it is
// stopped.
void Simulation::ended(referee::scheduler::SchedulerEnding ending) {
    using referee::records::TournamentState;
    if (journal_.is_off()) return;  // the referee is gone already
    if (instructor_ && referee_->scheduler().statuses().front().state == TournamentState::finished)
        ending.kind = referee::scheduler::SchedulerEnding::Kind::finished;
    report_.ending = std::move(ending);
    if (instructor_ != nullptr) instructor_->end();
    supply_->close();
}

void Simulation::add_bots(Random& random) {
    for (const auto& plan : plan_.plans) add_bot(plan, Random(random.next()));
}

void Simulation::add_bot(const BotPlan& plan, Random random) {
    auto& bot = *bots_.emplace_back(std::make_unique<SimulatedBot>(
        world_, plan, random,
        [this](const BotPlan& from, Link::Peer& peer) { return dial(from, peer); }, *this));
    if (plan.launched || !plan.comes) return;
    world_.later(plan.arrives, [&bot] { bot.connect(); });
}

// A bot that a config brought: it comes at once, and behaves.
void Simulation::add_guest(const referee::config::BotConfig& bot) {
    BotPlan plan;
    plan.name = bot.name;
    plan.token = bot.token;
    plan.games = {plan_.tournament.game};
    add_bot(plan, Random(random_.next()));
}

void Simulation::plan_stalls(Random& random) {
    for (std::size_t i = 0; i < plan_.stalls; ++i) {
        const auto length = random_below(random, 300ms);
        world_.later(random_below(random, 30s), [this, length] { world_.stall(length); });
    }
    if (!plan_.stopped) return;
    const auto grace = random.below(2) == 0 ? Duration::zero() : random_below(random, grace_most);
    const auto when = plan_.stopped_after > Duration::zero() ? plan_.stopped_after
                                                             : random_below(random, stops_within);
    world_.later_on_loop(when, [this, grace] { stop(grace); });
}

void Simulation::read_records() {
    for (; records_seen_ < journal_.committed().size(); ++records_seen_) {
        const auto& record = journal_.committed()[records_seen_];
        if (std::holds_alternative<referee::records::DroppedRecord>(record)) ++report_.dropped;
        if (liveness_ != nullptr) liveness_->on_record(record);
        told_.on_record(record);
    }
}

void Simulation::look_again() {
    read_records();
    if (report_.ending) return;
    if (liveness_ != nullptr) liveness_->look();
    world_.later(look_every, [this] { look_again(); });
}

void Simulation::on_match(const std::string& tournament,
                          const referee::formats::MatchResult& match) {
    ++report_.matches;
    read_records();
    told_.tell(tournament, match);
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
    knock(link);
    return link;
}

void Simulation::knock(const std::shared_ptr<Link>& link) {
    boost::asio::post(world_.loop(), [this, link] {
        if (referee_ == nullptr) return link->break_off();  // nobody listens
        referee_->lobby().admit(link->server_end());
    });
}

RunReport Simulation::run() try {
    const auto begun = world_.now();
    start();
    if (instructor_) instructor_->begin();
    if (!world_.run([this] { return report_.ending.has_value(); }, run_most))
        throw std::runtime_error("the run did not end");
    report_.took = world_.now() - begun;
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
        // What a bot hasn't taken by the end is lost.
        if (bot->connected() && bot->session()->backlog() > 0) open.erase(number_of_link(*bot));
    }
    referee_->lobby().close_all(protocol::ByeReason::finished, "the simulation is over");
    world_.pass(1s);
    for (const auto& promise : promises_) {
        const auto link = std::ranges::find_if(
            links_, [&](const auto& one) { return one->number() == promise.link; });
        if (!open.contains(promise.link) || !(*link)->sound()) continue;
        if (ends_told_[{promise.game_id, promise.bot}] != 1)
            complaint(promise.bot + " was not told how " + promise.game_id + " ended");
    }
    for (const auto& bot : bots_) bot->kill();
    const bool idle = world_.run([this] { return world_.quiet(); }, 1h);
    if (!idle) complaint("timers are pending after the end");
    if (referee_->lobby().connections() != 0) complaint("sessions are open after the end");
}

RunReport simulate(std::uint64_t seed, std::uint64_t order_seed) {
    return Simulation(draw_plan(seed), order_seed).run();
}

}  // namespace tests::sim
