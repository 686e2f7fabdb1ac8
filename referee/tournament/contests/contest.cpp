#include "referee/tournament/contests/contest.h"

#include "protocol/base/assertion.h"
#include "referee/contest/formats/format.h"

namespace referee::contests {

using records::TournamentState;

Contest::Contest(const config::TournamentConfig& config, const engines::Game& game)
    : kept_config_(std::make_shared<const config::TournamentConfig>(config)),
      game_(game),
      entrants_(config_.withdraw_after),
      rounds_(config_),
      matches_(config_, game_) {}

std::vector<records::Record> Contest::begin(const std::vector<formats::Entry>& entries,
                                            std::string config_text, std::string version,
                                            const std::string& reason) {
    REFEREE_ASSERT(!begun_ && entrants_.empty());
    std::vector<records::Record> records{
        records::OpeningRecord{config_.id, std::move(config_text), std::move(version)}};
    for (const auto& entry : entries) {
        records.emplace_back(records::EntryRecord{config_.id, entry.name, entry.rating, entry.team,
                                                  entry.first_round, entry.last_round,
                                                  entry.half_point_byes});
        for (const auto round : entry.zero_point_byes)
            records.emplace_back(
                records::RequestedByeRecord{config_.id,
                                            entry.name,
                                            round,
                                            records::ByeOrder::zero_point,
                                            {},
                                            std::string(records::ordered_by_config)});
    }
    records.emplace_back(records::StateRecord{config_.id, TournamentState::running, reason});
    carry_out(records);
    return records;
}

void Contest::offer(std::vector<Entrant> free, std::size_t here, formats::EntrantPairs apart,
                    const std::set<Entrant>& absent) {
    rounds_.make_schedule(entrants_.entries());
    auto* ladder = formats::ladder_of(rounds_.schedule());
    REFEREE_ASSERT(ladder != nullptr);
    ladder->offer(std::move(free), here, std::move(apart), absent);
}

Drawing Contest::drawing() const {
    REFEREE_ASSERT(begun_);
    return rounds_.drawing(entrants_.entries(), changes_);
}

void Contest::end_by_time() {
    if (out_of_time_ || rounds_.drawn_out()) return;
    out_of_time_ = true;
    changed();
    rounds_.make_schedule(entrants_.entries());
    rounds_.schedule()->end_by_time();
}

std::vector<records::Record> Contest::draw(std::size_t window) {
    std::vector<records::Record> records;
    if (!begun_) return records;
    rounds_.make_schedule(entrants_.entries());
    while (!rounds_.drawn_out() && view_.waiting_count() < window) {
        // The next round is prepared on another thread first.
        if (!records.empty() && rounds_.drawing_due()) break;
        const auto next = rounds_.next();
        if (std::holds_alternative<formats::Schedule::Wait>(next)) break;
        if (auto record = take_drawn(next)) records.emplace_back(std::move(*record));
    }
    rounds_.count_matches();
    return records;
}

std::optional<records::PairingRecord> Contest::take_drawn(const formats::Schedule::Next& drawn) {
    changed();
    rounds_.note(drawn);
    records::PairingRecord record;
    record.tournament = config_.id;
    if (const auto* bye = std::get_if<formats::Bye>(&drawn)) {
        record.round = bye->round;
        record.bots = {name(bye->entrant)};
        view_.post(changes_, *bye);
        return record;
    }
    const auto* pairing = std::get_if<formats::Pairing>(&drawn);
    if (pairing == nullptr) return std::nullopt;
    record.match = pairing->match;
    record.round = pairing->round;
    for (const auto entrant : pairing->seats) record.bots.push_back(name(entrant));
    auto plans = matches_.open(*pairing, rounds_.terms());
    view_.post(changes_, *pairing);
    for (auto& plan : plans) view_.post(changes_, std::move(plan));
    return record;
}

GamePlan Contest::take(std::size_t i) {
    changed();
    auto plan = view_.take(i);
    matches_.begin(plan);
    return plan;
}

records::StartRecord Contest::start_of(const GamePlan& plan, std::vector<std::string> bots) {
    return {plan.key, plan.seed, std::move(bots)};
}

std::optional<formats::MatchResult> Contest::finished(const GameResult& result) {
    changed();
    auto after = matches_.end(result);
    if (counts(result.status)) {
        versions_.note(result);
        view_.post(changes_, CommittedView::GamesCounted{1});
    }
    if (result.status == GameStatus::annulled)
        view_.post(changes_, GameAnnulled{result.key, result.reason});
    auto match = follow(std::move(after));
    if (!match) return match;
    for (const auto& [entrant, showing] : matches_.showings_in(*match))
        entrants_.note(entrant, showing.presence, showing.cause);
    for (std::size_t seat = 0; seat < match->seats.size(); ++seat) {
        if (!match->absent[seat]) entrants_.played_match(match->seats[seat]);
    }
    return match;
}

std::optional<formats::MatchResult> Contest::follow(Matches::AfterGame after) {
    if (after.again) post_again(std::move(*after.again));
    for (auto& plan : after.next) view_.post(changes_, std::move(plan));
    if (!after.result) return std::nullopt;
    auto& match = *after.result;
    const auto games = matches_.games_of(match.match);
    for (const auto entrant : match.seats) {
        const auto program_of = [&](const auto& game) {
            return matches_.program_of(game, entrant);
        };
        match.versions.push_back(versions_.in(games, name(entrant), program_of));
    }
    rounds_.schedule()->record(match);
    view_.post(changes_, match);
    return std::move(after.result);
}

void Contest::post_again(GamePlan plan) {
    const auto place =
        plan.try_alone == 0 ? CommittedView::Place::first : CommittedView::Place::last;
    view_.post(changes_, std::move(plan), place);
}

std::vector<records::Record> Contest::drop(std::uint64_t match, const std::vector<Entrant>& left,
                                           const std::string& reason) {
    records::DroppedRecord record{config_.id, match, {}, reason};
    for (const auto entrant : left) record.left.push_back(name(entrant));
    const std::vector<records::Record> records{std::move(record)};
    carry_out(records);
    return records;
}

std::vector<records::Record> Contest::withdraw_idle() {
    std::vector<records::Record> records;
    if (ended(state_)) return records;
    for (const auto entrant : entrants_.idle_too_long())
        records.emplace_back(records::WithdrawalRecord{config_.id, name(entrant), next_round(),
                                                       entrants_.idle_reason(entrant)});
    carry_out(records);
    return records;
}

bool Contest::over() const {
    return rounds_.drawn_out() && matches_.open_count() == 0 && view_.complete();
}

bool Contest::left_early(Entrant entrant) const {
    const auto& [was_seated, last] = entrants_.leave_of(entrant);
    // A list of matches that is fixed has those of the withdrawn too.
    return (!withdrawn_as_idle(entrant) && !config_.drops_withdrawn) || !over() || was_seated ||
           rounds_.last() > entry(entrant).last_round || matches_.seated_behind(last, entrant);
}

bool Contest::has_fixed_list() const {
    const auto stage = rounds_.schedule() == nullptr ? 0 : rounds_.schedule()->stage();
    return formats::traits_of(formats::stage_of(config_.format, stage)).fixed_list;
}

bool Contest::plays_no_more(Entrant entrant, std::uint32_t round) const {
    return withdrawn(entrant) &&
           (withdrawn_as_idle(entrant) || has_fixed_list() || round > entry(entrant).last_round);
}

std::vector<formats::Pairing> Contest::open_matches() const {
    std::vector<formats::Pairing> open;
    open.reserve(view_.open().size());
    for (const auto ordinal : view_.open()) open.push_back(matches_.pairing(ordinal));
    return open;
}

ContestStatus Contest::status() const {
    ContestStatus status;
    static_cast<CommittedCounts&>(status) = view_.counts();
    status.config = kept_config_;
    status.entries = entrants_.shared_entries();
    status.withdrawn = entrants_.shared_withdrawn();
    status.state = state_;
    status.state_reason = state_reason_;
    status.begun = begun_;
    status.over = over();
    // Where all rounds are open none of them is the one that is played; a ladder has none.
    const auto traits = formats::traits_of(config_.format);
    status.round = traits.ends && !traits.fixed_list ? round() : 0;
    status.rounds_planned = rounds_.planned(entrants_.size());
    status.matches_total = rounds_.matches_total();
    status.set_aside = matches_.set_aside();
    return status;
}

ContestSnapshot Contest::snapshot() const {
    ContestSnapshot snapshot{status(),           results(),    open_matches(), view_.byes(),
                             ended_early(),      nullptr,      nullptr,        arbiter_.shared(),
                             annulled_.shared(), late_entries_};
    snapshot.left_early = snapshot.withdrawn;
    if (snapshot.over && formats::traits_of(config_.format).ends) {  // else all lost something
        auto left = all_withdrawn();
        std::erase_if(left, [this](const auto& one) { return !left_early(one.first); });
        snapshot.left_early = std::make_shared<const Withdrawn>(std::move(left));
    }
    const auto* schedule = rounds_.schedule();
    if (schedule != nullptr && schedule->has_places()) snapshot.schedule = schedule->copy();
    return snapshot;
}

std::optional<std::vector<std::size_t>> Contest::places() const {
    const auto* schedule = rounds_.schedule();
    return schedule == nullptr ? std::nullopt : schedule->places();
}

std::string Contest::end_reason() const {
    if (const auto early = ended_early(); !early.empty()) return "it ended early: " + early;
    if (out_of_time_ && !formats::traits_of(config_.format).ends) return "its time was over";
    const auto answer =
        rounds_.schedule() == nullptr ? std::string() : rounds_.schedule()->answer();
    return answer.empty() ? "every match is played" : answer;
}

std::string Contest::ended_early() const {
    const auto* schedule = rounds_.schedule();
    return schedule == nullptr ? std::string() : schedule->ended_early();
}

// Plays that came to no end.

std::vector<GamePlan> Contest::cut_off() const {
    std::vector<GamePlan> plans;
    for (const auto& [key, plan] : matches_.in_play()) plans.push_back(plan);
    return plans;
}

records::GameRecord Contest::interrupted(const GamePlan& plan, const std::string& reason) const {
    records::GameRecord game;
    game.result.key = plan.key;
    game.result.game = config_.game;
    game.result.params = config_.setups[plan.setup];
    game.result.seed = plan.seed;
    for (const auto entrant : plan.entrants) game.result.bots.push_back(name(entrant));
    game.result.status = GameStatus::interrupted;
    game.result.reason = reason;
    game.result.clock_kind = clock::name_in_results(config_.clock);
    game.result.measure = clock::name_of(config_.clock.measure);
    game.result.used_us.assign(plan.entrants.size(), 0);
    return game;
}

}  // namespace referee::contests
