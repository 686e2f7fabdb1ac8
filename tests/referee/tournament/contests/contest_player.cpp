#include "tests/referee/tournament/contests/contest_player.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engines/registry.h"

namespace referee::contests {

using records::Record;

namespace {

constexpr std::size_t running_most = 3;
constexpr std::size_t window = 8;
constexpr std::string_view dead_name = "dead";
constexpr std::string_view jinxed_name = "jinxed";

}  // namespace

const engines::Game& game_named(const std::string& id) {
    static const engines::Registry games;
    return *games.find(id);
}

Restarted::Restarted(const config::TournamentConfig& config,
                     const std::vector<records::Record>& log, std::size_t most)
    : Contest(config, game_named(config.game)) {
    for (std::size_t i = 0; i < std::min(log.size(), most); ++i) {
        const auto fits = apply(log[i]);
        EXPECT_TRUE(fits) << i << ": " << fits.error();
    }
}

config::TournamentConfig config_of(const Case& wanted) {
    config::TournamentConfig config;
    config.id = "t";
    config.game = wanted.game;
    config.setups = {"{}"};
    config.seed = 7;
    config.format.options =
        formats::options_of(wanted.kind, wanted.seats, wanted.seats == 4 ? 3 : 2);
    if (auto* options = std::get_if<formats::StagesOptions>(&config.format.options)) {
        options->stages.resize(2);
        options->stages[0].format.options = formats::SwissOptions{.rounds = 3};
        options->stages[1].format.options = formats::KnockoutOptions{};
        options->stages[1].advance = 4;
    }
    config.match.games = wanted.games;
    config.match.best_of = wanted.best_of;
    return config;
}

std::vector<formats::Entry> field_of(std::size_t bots) {
    std::vector<formats::Entry> field;
    for (std::size_t i = 0; i < bots; ++i) field.push_back({.name = "b" + std::to_string(i)});
    return field;
}

std::vector<formats::Entry> field_of(const Case& wanted) {
    auto field = field_of(wanted.bots);
    if (wanted.dead) field.back().name = dead_name;
    if (wanted.jinxed) field.back().name = jinxed_name;
    if (!wanted.attendance) return field;
    field[1].half_point_byes = {3, 1};
    field[2].first_round = 2;
    field[3].last_round = 3;
    field[4].first_round = 2;
    field[4].last_round = 3;
    field[4].half_point_byes = {2};
    return field;
}

GameResult result_of(const Contest& contest, const GamePlan& plan) {
    GameResult result;
    result.key = plan.key;
    result.game = contest.game().info().id;
    result.params = "{}";
    result.reason = "ended by the game's rules";
    for (const auto entrant : plan.entrants) {
        const auto strength = (entrant * 5 + plan.key.match * 3 + plan.key.number) % 4;
        result.outcome.scores.push_back(engines::Score::whole(static_cast<std::int64_t>(strength)));
        result.bots.push_back(contest.name(entrant));
        if (contest.name(entrant) == jinxed_name && plan.try_alone < 2)
            result.status = GameStatus::annulled;
    }
    result.outcome.placing = engines::placing_by_score(result.outcome.scores);
    result.outcome.detail = "{}";
    result.used_us.assign(plan.entrants.size(), 10);
    for (std::size_t seat = 0; seat < plan.entrants.size(); ++seat) {
        const bool dead = contest.name(plan.entrants[seat]) == dead_name;
        result.valid_moves.push_back(dead ? 0 : 5);
        if (!dead) continue;
        Fault fault{.code = FaultCode::crashed, .seat = seat};
        result.faults.push_back(fault);
    }
    return result;
}

std::string refusal_of(const Ordered& ordered) {
    return ordered ? std::string() : ordered.error();
}

void Player::begin(std::vector<formats::Entry> field) {
    keep(contest_.begin(std::move(field), "{}", "test"));
}

void Player::order(Ordered ordered) {
    ASSERT_TRUE(ordered) << ordered.error();
    contest_.carry_out(*ordered);
    keep(*std::move(ordered));
}

void Player::pick_up() {
    for (const auto& plan : contest_.cut_off()) {
        auto result = result_of(contest_, plan);
        result.status = GameStatus::interrupted;
        result.outcome = {};
        end(result);
    }
}

GamePlan Player::start(std::size_t i) {
    auto plan = contest_.take(i);
    keep({Contest::start_of(plan, {})});
    return plan;
}

void Player::end(const GameResult& result) {
    contest_.finished(result);
    std::vector<Record> records{records::GameRecord{result, {}}};
    for (auto& record : contest_.withdraw_idle()) records.push_back(std::move(record));
    keep(std::move(records));
}

bool Player::step() {
    if (contest_.drawing_due()) {
        auto drawing = contest_.drawing();
        drawing.run();
        contest_.adopt(std::move(drawing));
    }
    keep(contest_.draw(window));
    while (running_.size() < running_most && !contest_.waiting().empty()) {
        running_.push_back(start(random_.below(contest_.waiting().size())));
    }
    if (running_.empty()) return false;
    const auto which = random_.below(running_.size());
    const auto plan = running_[which];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
    end(result_of(contest_, plan));
    return true;
}

void Player::play(std::size_t steps_most) {
    for (std::size_t i = 0; i < steps_most && step(); ++i) {
    }
}

void Player::keep(std::vector<Record> records) {
    if (records.empty()) return;
    ends.push_back(log.size() + records.size());
    const auto committed = [this, changes = contest_.changes()] { contest_.committed(changes); };
    if (append_) append_(records, committed);
    for (auto& record : records) log.push_back(std::move(record));
    if (!append_) committed();
}

void expect_same_after_restarts(const Begun& played) {
    const auto is_order = [](const Record& record) {
        return std::holds_alternative<records::RulingRecord>(record) ||
               std::holds_alternative<records::HandPairingRecord>(record) ||
               std::holds_alternative<records::ForbiddenPairsRecord>(record) ||
               std::holds_alternative<records::RequestedByeRecord>(record) ||
               std::holds_alternative<records::EntryRecord>(record) ||
               std::holds_alternative<records::WithdrawalRecord>(record);
    };
    const auto& log = played.player.log;
    for (const auto cut : played.player.ends) {
        Restarted again(played.config, log, cut);
        const auto rest = log.begin() + static_cast<std::ptrdiff_t>(cut);
        if (std::any_of(rest, log.end(), is_order)) continue;
        Player player(again, cut);
        player.pick_up();
        player.play();
        SCOPED_TRACE("cut behind record " + std::to_string(cut));
        expect_same(again, played.contest);
    }
}

void expect_same_after_restart(const Begun& played) {
    expect_same(Restarted(played.config, played.player.log), played.contest);
}

std::vector<std::string> names_of(const Contest& contest, const std::vector<Entrant>& seats) {
    std::vector<std::string> names;
    for (const auto entrant : seats) names.push_back(contest.name(entrant));
    return names;
}

std::map<std::uint64_t, std::vector<std::string>> drawn_in(const std::vector<Record>& records) {
    std::map<std::uint64_t, std::vector<std::string>> drawn;
    for (const auto* pairing : tests::sim::of_kind<records::PairingRecord>(records))
        drawn[pairing->match] = pairing->bots;
    return drawn;
}

std::map<std::uint64_t, std::vector<engines::Score>> points_of(const Contest& contest) {
    std::map<std::uint64_t, std::vector<engines::Score>> points;
    for (const auto& [ordinal, match] : contest.results()) points[ordinal] = match.points;
    return points;
}

std::vector<ByeTuple> byes_of(const Contest& contest) {
    std::vector<ByeTuple> byes;
    for (const auto& bye : contest.view().byes())
        byes.emplace_back(bye.round, bye.entrant, bye.points, bye.kind);
    return byes;
}

std::vector<GameKey> waiting_in(const Contest& contest) {
    std::vector<GameKey> keys;
    for (const auto& plan : contest.waiting()) keys.push_back(plan.key);
    return keys;
}

void expect_same(const Contest& one, const Contest& other) {
    EXPECT_EQ(waiting_in(one), waiting_in(other));
    EXPECT_EQ(points_of(one), points_of(other));
    EXPECT_EQ(one.places(), other.places());
    EXPECT_EQ(byes_of(one), byes_of(other));
    EXPECT_EQ(one.state(), other.state());
    EXPECT_EQ(one.all_withdrawn(), other.all_withdrawn());
    EXPECT_EQ(one.view().counts().games_played, other.view().counts().games_played);
    EXPECT_EQ(one.view().counts().matches_played, other.view().counts().matches_played);
    ASSERT_EQ(one.entrants(), other.entrants());
    for (Entrant entrant = 0; entrant < one.entrants(); ++entrant) {
        const auto& its = one.entry(entrant);
        const auto& there = other.entry(entrant);
        EXPECT_EQ(its.name, there.name);
        EXPECT_EQ(its.first_round, there.first_round) << its.name;
        EXPECT_EQ(its.last_round, there.last_round) << its.name;
        EXPECT_EQ(its.half_point_byes, there.half_point_byes) << its.name;
        EXPECT_EQ(one.left_in_a_row(entrant), other.left_in_a_row(entrant)) << its.name;
    }
}

}  // namespace referee::contests
