#include <algorithm>
#include <charconv>
#include <iostream>

#include "tests/sim/invariants.h"
#include "tests/sim/simulation.h"

// What a simulation sees while it runs, and what it checks when all is over.

namespace tests::sim {
namespace {

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

std::uint64_t number_of_link(const referee::lobby::Bot& bot) {
    const auto peer = bot.session()->transport().peer();
    return std::stoull(peer.substr(peer.rfind(':') + 1));
}

void Simulation::on_game_started(const std::string& tournament,
                                 const referee::table::Table& table) {
    if (instructor_) instructor_->on_game_started(tournament, table.game_id());
    if (!started_.insert(table.game_id()).second) complaint(table.game_id() + " was started twice");
    const auto has_launched = [](const auto* bot) { return bot->process() != nullptr; };
    if (plan_.games_at_once > 0 || std::ranges::none_of(table.bots(), has_launched)) return;
    with_launched_.insert(table.game_id());
    report_.full += with_launched_.size() == plan_.cores ? 1 : 0;
    if (with_launched_.size() > plan_.cores)
        complaint(table.game_id() + " was begun beside too many others with launched bots");
}

void Simulation::on_game(const std::shared_ptr<const referee::records::GameRecord>& game,
                         const referee::table::Table* table) {
    if (table == nullptr) return;  // its bots are told nothing here
    const auto id = referee::game_id(game->result.key);
    with_launched_.erase(id);
    if (!journal_.holds("game " + id)) complaint(id + " was told before it was committed");
    for (const auto* bot : table->bots()) {
        if (bot->session() == nullptr || bot->session()->closed()) continue;
        promises_.push_back({id, bot->name(), number_of_link(*bot), counts(game->result.status)});
    }
}

void Simulation::to_bot(const Link& link, std::string_view line) {
    early_.to_bot(&link, line);
    if (line.starts_with(R"({"type":"end")") || line.starts_with(R"({"type":"note")")) {
        const auto message = Json::parse(line);
        const bool is_end = message["type"] == "end" || message["code"] == "annulled" ||
                            message["code"] == "interrupted";
        if (is_end && message.contains("game_id") &&
            !journal_.holds("game " + message["game_id"].get<std::string>())) {
            complaint("announced before it was committed: " + std::string(line));
        }
        return;
    }
    if (line.starts_with(R"({"type":"start")") && line.find("\"seed\"") != std::string_view::npos)
        complaint("the seed was told: " + std::string(line));
    if (line.starts_with(R"({"type":"welcome")"))
        check_welcome(Json::parse(line)["name"].get<std::string>());
    const auto owner = owners_.find(&link);
    if (owner == owners_.end()) return;
    if (const auto turn = game_and_turn(line, R"({"type":"turn","game_id":")")) {
        SeenTurn seen;
        seen.sent = link.now();
        seen.answered = early_.take(&link, turn->first, turn->second);
        report_.early += seen.answered ? 1 : 0;
        seen.round_trip =
            link.traits().tells_round_trip ? 2 * link.traits().delay : Duration::zero();
        seen_.emplace(std::tuple(owner->second, turn->first, turn->second), seen);
    } else if (line.find("\"resumed\":true") != std::string_view::npos) {
        owners_.erase(owner);  // it came late into a game: its turns were sent before it was there
    }
}

void Simulation::from_bot(const Link& link, std::string_view line) {
    const auto owner = owners_.find(&link);
    if (owner == owners_.end()) return;
    const auto move = game_and_turn(line, R"({"type":"move","game_id":")");
    if (!move) return;
    const auto seen = seen_.find(std::tuple(owner->second, move->first, move->second));
    if (seen == seen_.end()) return early_.arrived(&link, move->first, move->second, link.now());
    if (!seen->second.answered) seen->second.answered = link.now();
}

void Simulation::told_end(const std::string& bot, const std::string& game_id) {
    if (++ends_told_[{game_id, bot}] > 1)
        complaint(bot + " was told twice how " + game_id + " ended");
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
    if (thinking > plan_.cores)
        complaint(std::to_string(thinking) +
                  " launched bots think at once, on cores: " + std::to_string(plan_.cores) + who);
}

void Simulation::saw_state(const std::string& game_id, std::int64_t turns, const Json& state) {
    states_[{game_id, turns}].push_back(state);
}

// It is shown at once too, because an assertion may follow that ends the program.
void Simulation::complaint(const std::string& text) {
    if (report_.complaints.empty())
        std::cerr << "SIM_SEED=" << plan_.seed << ": " << text << std::endl;
    report_.complaints.push_back(text);
}

void Simulation::check_all() {
    read_records();
    for (const auto& tournament : referee_->config().tournaments) check(tournament);
    check_registrations();
    report_.journal = journal_.text();
    bots_.clear();
    liveness_.reset();
    referee_->end();
    supply_.reset();
    referee_.reset();
}

void Simulation::check(const referee::config::TournamentConfig& tournament) {
    const auto prefix = tournament.id + "/";
    std::set<std::string> started;
    for (const auto& id : started_) {
        if (id.starts_with(prefix)) started.insert(id);
    }
    const Evidence evidence{plan_,
                            tournament,
                            records_of(tournament.id, journal_.committed()),
                            referee_->scheduler().contest(tournament.id).snapshot(),
                            *registry().find(tournament.game),
                            *report_.ending,
                            started,
                            seen_,
                            states_,
                            world_.stood()};
    report_.tournaments += evidence.contest.begun ? 1 : 0;
    check_invariants(evidence, report_);
    check_attendance(evidence, report_);
    for (const auto& missing : told_.missing_from(evidence.contest)) complaint(missing);
    if (instructor_ && tournament.id == plan_.tournament.id) instructor_->check(evidence.committed);
}

// A bot that registers is welcomed only when its name is recorded as its own.
void Simulation::check_welcome(const std::string& bot) {
    for (const auto& one : bots_) {
        if (one->plan().name != bot || !one->plan().registers) continue;
        const auto hash = tokens_.hash_of(one->plan().token);
        const auto tokens = of_kind<referee::records::TokenRecord>(journal_.committed());
        if (std::ranges::none_of(tokens, [&](const auto* token) {
                return token->bot == bot && token->hash == hash;
            }))
            complaint(bot + " was welcomed before its name was recorded as its own");
    }
}

void Simulation::check_registrations() {
    std::set<std::string> names;
    for (const auto* token : of_kind<referee::records::TokenRecord>(journal_.committed())) {
        if (!names.insert(token->bot).second) complaint(token->bot + " has registered twice");
    }
    report_.registered = names.size();
}

}  // namespace tests::sim
