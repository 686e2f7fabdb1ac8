#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "protocol/base/text.h"
#include "referee/net/loop/machine.h"
#include "referee/net/loop/process_limits.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"

// What a server tells of matches, of games that an order took back, of how the kernel prefers the
// referee to other programs, and of room on the disk.

namespace referee::server {

namespace {

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

std::string Server::remedy_of(const scheduler::Waiting& waiting) const {
    auto remedy = scheduler::remedy_of(waiting);
    if (waiting.kind != scheduler::Waiting::Kind::for_start || referee_ == nullptr) return remedy;
    const auto contest = referee_->scheduler().status_of(waiting.tournament);
    if (!contest) return remedy;
    const auto field = referee_->field_of(*contest->config);
    return field ? remedy : "it can't begin yet: " + field.error() + "; once it can, " + remedy;
}

void Server::on_guessing(const std::string& news) {
    log::warn("{}", news);
}

// Once for each connection of a bot.
void Server::tell_outlier(const lobby::Bot& bot) {
    const auto allowance = bot.allowance();
    if (!allowance.outlier() || !outliers_.insert(bot.name()).second) return;
    log::warn("bot {}: {}", bot.name(), clock::describe(allowance));
}

void Server::on_not_enrolled(const std::string& ladder, const std::string& reason) {
    log::warn("ladder {}: {}", ladder, reason);
}

void Server::on_match(const std::string& tournament, const formats::MatchResult& match) {
    publisher_.changed(tournament);
    tell_versions(tournament, match);
}

void Server::on_dropped(const std::string& tournament, const std::string& reason) {
    log::info("match {}; it is dropped", reason);
    publisher_.changed(tournament);
}

void Server::tell_versions(const std::string& tournament, const formats::MatchResult& match) {
    if (match.programs.empty()) return;
    const auto contest = scheduler().status_of(tournament);
    if (!contest) return;
    for (std::size_t seat = 0; seat < match.programs.size(); ++seat) {
        const auto news = version_news_.played(tournament, contest->name(match.seats[seat]),
                                               match.programs[seat]);
        if (news) log::warn("{}", *news);
    }
}

void Server::on_annulled(const std::string& tournament, const Annulled& annulled) {
    for (const auto& key : annulled.games) {
        if (annulled.count_again) {
            filed_games_.count_again(key);
        } else {
            filed_games_.annul(key, annulled.reason);
        }
    }
    const bool one = annulled.games.size() == 1;
    const auto* const what = annulled.count_again ? (one ? "counts again" : "count again")
                             : one                ? "is annulled and played again"
                                                  : "are annulled and played again";
    log::info("{} of {} {}, by order: {}",
              one ? "game " + game_id(annulled.games.front())
                  : std::to_string(annulled.games.size()) + " games",
              tournament, what, annulled.reason);
    publisher_.changed(tournament);
}

void Server::count_doubts(const table::Table& table) {
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

void Server::count_late(const GameResult& game) {
    late_bots_.game_ended(game);
    if (const auto news = late_bots_.news(timers_.now())) log::warn("{}{}", *news, machine_load());
}

std::string Server::busy() const {
    const auto text = late_bots_.text(timers_.now());
    return text.empty() ? text : text + machine_load();
}

void Server::keep_priority() {
    if (loop::has_lost_priority(priority_)) {
        priority_losses_.lost();
        priority_ = loop::raise_priority();
    }
    if (const auto news = priority_losses_.news(timers_.now(), doubted_turns_))
        log::warn("{}", *news);
}

std::string_view Server::present_priority() const {
    using Kind = loop::Priority::Kind;
    if (loop::has_lost_priority(priority_)) return "lost";
    if (priority_.kind == Kind::realtime) return "real-time";
    return priority_.kind == Kind::nice ? "nice" : "plain";
}

std::uint64_t Server::times_priority_was_lost() const {
    return priority_losses_.count() + (loop::has_lost_priority(priority_) ? 1 : 0);
}

std::string Server::priority() const {
    return config_.high_priority
               ? loop::describe(priority_)
               : "the referee runs as any other program, as \"priority\" in the config says";
}

void Server::look_at_disk() {
    constexpr Duration every = std::chrono::minutes(10);
    std::error_code unknown;
    const auto space = std::filesystem::space(options_.out, unknown);
    const report::DiskForecast::Disk disk{space.available, store_bytes(options_.out),
                                          config_.replays_mb << 20};
    const auto warning =
        unknown ? std::nullopt : disk_forecast_.look(loop::wall_clock_ms(), disk, options_.out);
    if (warning) log::warn("{}", *warning);
    disk_timer_ = timers_.schedule(timers_.now() + every, [this] { look_at_disk(); });
}

void Server::tell_dropped(const store::DroppedReplays& dropped) {
    const auto bound = fmt::format(
        "all replays come to more than replays_mb, {} MB: the oldest of ", config_.replays_mb);
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
