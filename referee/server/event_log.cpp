#include "referee/server/event_log.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "protocol/base/text.h"
#include "referee/files/log/log.h"
#include "referee/net/loop/machine.h"
#include "referee/tournament/scheduler/notices.h"

namespace referee::server {

namespace {

// Of one bot so often at most the log tells that it has arrived: who comes without end fills none.
constexpr Duration arrival_told_every = std::chrono::seconds(1);

// The level of news that a run also shows on the screen: they must not be shown twice.
spdlog::level::level_enum level_of_news(bool stays) {
    return stays ? spdlog::level::warn : spdlog::level::info;
}

// Launched bots come and go as their matches do; what goes wrong with them is told elsewhere.
spdlog::level::level_enum level_of_coming(const lobby::Bot& bot) {
    return bot.process() != nullptr ? spdlog::level::debug : spdlog::level::info;
}

// What is known of this machine, as the end of a sentence. Empty where it has cores to spare.
std::string machine_load() {
    double load = 0;
    const auto cores = loop::usable_cores();
    if (::getloadavg(&load, 1) != 1 || load <= static_cast<double>(cores)) return {};
    return fmt::format("; this one is: in the last minute {} programs wanted its {} on average",
                       std::lround(load), base::counted(cores, "core"));
}

std::uint64_t store_bytes(const std::string& folder) {
    std::uint64_t bytes = 0;
    for (const auto* ending : {"", "-wal"}) {
        std::error_code missing;
        const auto size = std::filesystem::file_size(
            folder + '/' + std::string(store::name_in_output_folder) + ending, missing);
        if (!missing) bytes += size;
    }
    return bytes;
}

}  // namespace

void EventLog::follow(tournament::Referee& referee) {
    referee_ = &referee;
    referee.observe(*this);
}

void EventLog::start() {
    registration_news_.changed();
    if (terms_.stays) look_at_disk();
}

void EventLog::stood(std::string_view cause, Duration stood) {
    const auto turns = referee_->scheduler().turns_running();
    if (const auto line = stall_news_.told(timers_.now(), cause, stood, turns))
        log::warn("{}", *line);
}

void EventLog::keep(loop::KeptPriority& priority) {
    if (priority.keep()) priority_losses_.lost();
    if (const auto news = priority_losses_.news(timers_.now(), doubted_turns_))
        log::warn("{}", *news);
}

void EventLog::order(const std::string& tournament, const std::string& what) {
    spdlog::log(level_of_news(terms_.stays), "arbiter of {}: {}", tournament, what);
}

void EventLog::on_arrived(const lobby::Bot& bot) {
    const auto now = timers_.now();
    const auto [told, first] = arrival_told_at_.try_emplace(bot.name(), now);
    if (!first && now - told->second < arrival_told_every) {
        untold_.insert(bot.name());
        return;
    }
    told->second = now;
    untold_.erase(bot.name());
    spdlog::log(level_of_coming(bot), "{} has arrived", bot.name());
    tell_outlier(bot);
    const auto allowance = bot.allowance();
    for (const auto& contest : referee_->scheduler().statuses()) {
        if (!contest.entrant_named(bot.name())) continue;
        if (const auto lost = clock::lost_on_the_way(contest.config->clock, allowance))
            log::warn("bot {} in tournament {}: {}", bot.name(), contest.config->id, *lost);
    }
}

void EventLog::tell_outlier(const lobby::Bot& bot) {
    const auto allowance = bot.allowance();
    if (!allowance.outlier() || !outliers_.insert(bot.name()).second) return;
    log::warn("bot {}: {}", bot.name(), clock::describe(allowance));
}

void EventLog::on_left(const lobby::Bot& bot, session::CloseCause cause) {
    if (cause != session::CloseCause::left || !untold_.contains(bot.name()))
        spdlog::log(level_of_coming(bot), "{} has left: {}", bot.name(), session::describe(cause));
    outliers_.erase(bot.name());
    left_at_[bot.name()] = timers_.now();
}

void EventLog::on_guessing(const std::string& news) {
    log::warn("{}", news);
}

void EventLog::on_not_enrolled(const std::string& ladder, const std::string& reason) {
    log::warn("ladder {}: {}", ladder, reason);
}

void EventLog::tell_registrations() {
    const auto text = registrations_state(referee_->roster(), referee_->config().registration).text;
    if (!text.empty()) log::info("{}", text);
}

// Logs each wait when it begins and when it ends, but not when it only becomes a wait for fewer
// bots.
void EventLog::on_waits(const std::vector<scheduler::Wait>& waits) {
    const auto level = [this](const auto& wait) {
        if (wait.routine) return spdlog::level::debug;
        return wait.kind == scheduler::Wait::Kind::for_calm ? level_of_news(terms_.stays)
                                                            : spdlog::level::info;
    };
    for (const auto& over : scheduler::without(waits_, waits))
        if (told_waits_.ends(over))
            spdlog::log(level(over), "no longer: {}", scheduler::subject_of(over));
    for (const auto& wait : scheduler::without(waits, waits_)) {
        const auto text = told_waits_.begins(wait, timers_.now());
        if (text.empty()) continue;
        const auto remedy = terms_.stays ? referee_->remedy_of(wait) : std::string();
        spdlog::log(level(wait), "{}{}{}", text, remedy.empty() ? "" : "; ", remedy);
    }
    waits_ = waits;
}

void EventLog::on_game_started(const std::string& /*tournament*/, const table::Table& table) {
    log::debug("game {} begins", table.play().id());
    late_bots_.game_began(table.play().id(), timers_.now());
}

void EventLog::on_game(const std::shared_ptr<const records::GameRecord>& game,
                       const table::Table* table) {
    const auto& result = game->result;
    const auto id = game_id(result.key);
    if (table == nullptr) {
        log::debug("game {}, played elsewhere: {}", id, result.reason);
    } else {
        const bool annulled = result.status == GameStatus::annulled;
        spdlog::log(annulled ? level_of_news(terms_.stays) : spdlog::level::debug, "game {}{}: {}",
                    id, annulled ? " is annulled" : "", result.reason);
        for (const auto* bot : table->bots()) tell_outlier(*bot);
        count_doubts(*table);
        late_bots_.game_ended(result);
        if (const auto news = late_bots_.news(timers_.now()))
            log::warn("{}{}", *news, machine_load());
    }
}

void EventLog::count_doubts(const table::Table& table) {
    for (engines::Seat seat = 0; seat < table.bots().size(); ++seat) {
        const auto& name = table.bots()[seat]->name();
        const auto& doubts = table.play().doubts(seat);
        const auto& bot = *table.bots()[seat];
        const bool dials_in = bot.process() == nullptr && bot.session() != nullptr;
        const auto address = dials_in ? bot.session()->transport().peer_address() : std::string();
        doubted_turns_.add(name, address, doubts);
        if (doubts.many())
            log::warn("bot {} in game {}: {}", name, table.play().id(), clock::describe(doubts));
        if (const auto many = doubted_turns_.many_from(address)) log::warn("{}", *many);
    }
}

std::string EventLog::busy() const {
    const auto text = late_bots_.text(timers_.now());
    return text.empty() ? text : text + machine_load();
}

void EventLog::on_match(const std::string& tournament, const formats::MatchResult& match) {
    if (match.programs.empty()) return;
    const auto contest = referee_->scheduler().status_of(tournament);
    if (!contest) return;
    for (std::size_t seat = 0; seat < match.programs.size(); ++seat) {
        const auto news = version_news_.played(tournament, contest->name(match.seats[seat]),
                                               match.programs[seat]);
        if (news) log::warn("{}", *news);
    }
}

void EventLog::on_dropped(const std::string& /*tournament*/, const std::string& reason) {
    log::info("match {}; it is dropped", reason);
}

void EventLog::on_state(const std::string& tournament, records::TournamentState state,
                        const std::string& reason) {
    log::info("tournament {} is {}: {}", tournament, records::name_of(state), reason);
}

void EventLog::on_withdrawn(const std::string& tournament, const std::string& bot,
                            const std::string& reason) {
    spdlog::log(level_of_news(terms_.stays), "{} is withdrawn from {}: {}", bot, tournament,
                reason);
}

void EventLog::on_admitted(const std::string& tournament, const std::string& bot) {
    const auto contest = referee_->scheduler().status_of(tournament);
    log::info("{}", scheduler::takes_part(bot, *contest->config));
}

void EventLog::on_annulled(const std::string& tournament, const Annulled& annulled) {
    const bool one = annulled.games.size() == 1;
    const auto* const what = annulled.count_again ? (one ? "counts again" : "count again")
                             : one                ? "is annulled and played again"
                                                  : "are annulled and played again";
    log::info("{} of {} {}, by order: {}",
              one ? "game " + game_id(annulled.games.front())
                  : std::to_string(annulled.games.size()) + " games",
              tournament, what, annulled.reason);
}

void EventLog::on_store_trouble(const std::string& trouble) {
    if (trouble.empty()) {
        spdlog::log(level_of_news(terms_.stays), "the store can be written again: games go on");
    } else {
        spdlog::log(terms_.stays ? spdlog::level::err : level_of_news(terms_.stays), "{}", trouble);
    }
}

void EventLog::look_at_disk() {
    constexpr Duration every = std::chrono::minutes(10);
    std::error_code unknown;
    const auto space = std::filesystem::space(terms_.out, unknown);
    const DiskForecast::Disk disk{space.available, store_bytes(terms_.out),
                                  terms_.replays_mb << 20};
    const auto warning =
        unknown ? std::nullopt : disk_forecast_.look(loop::wall_clock_ms(), disk, terms_.out);
    if (warning) log::warn("{}", *warning);
    disk_timer_ = timers_.schedule(timers_.now() + every, [this] { look_at_disk(); });
}

void EventLog::dropped(const store::DroppedReplays& dropped) {
    const auto bound = fmt::format(
        "all replays come to more than replays_mb, {} MB: the oldest of ", terms_.replays_mb);
    if (std::exchange(dropped_.of_ladders, dropped.of_ladders + dropped_.of_ladders) == 0 &&
        dropped.of_ladders > 0)
        log::info("{}ladders are dropped from now on; results stay", bound);
    if (std::exchange(dropped_.of_others, dropped.of_others + dropped_.of_others) == 0 &&
        dropped.of_others > 0)
        log::warn(
            "{}tournaments are dropped from now on, for no ladder has any left; results "
            "stay. A greater replays_mb keeps more",
            bound);
}

}  // namespace referee::server
