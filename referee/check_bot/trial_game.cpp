#include "referee/check_bot/trial_game.h"

#include <algorithm>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/json/writer.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/table/announcement.h"

namespace referee::check_bot {
namespace {

constexpr std::string_view mean_game = "light_cycles";

using loop::monotonic_now;

constexpr std::size_t turns_max = 60;           // of the bot: more teach nothing
constexpr std::size_t missed_in_a_row_max = 2;  // then it counts as silent
constexpr std::size_t missed_max = 4;           // then it is too slow for a game
// How long a late answer is waited for, beyond the turn's own time.
constexpr Duration late_answer_max = std::chrono::seconds(5);
constexpr std::string_view spoilt = R"("?")";  // a move of no game
constexpr std::string_view long_enough =
    "check-bot has seen enough of this game: it is not played to its end, and does not count";

play::PlaySetup play_setup(const TrialGame::Setup& setup) {
    play::PlaySetup made;
    made.key = {"check", setup.number, 1, 1};
    made.game = setup.game;
    made.params = params_of(setup.trial, setup.clock.hard_limit);
    made.seed = setup.trial.seed;
    made.clock = setup.clock;
    made.faults = play::default_faults(setup.game->info());
    protocol::json::Document params;
    const auto parsed = params.parse(made.params);
    REFEREE_ASSERT(parsed);
    const auto started = setup.game->start(params.root(), made.seed);
    REFEREE_ASSERT(started);
    for (std::size_t seat = 0; seat < (*started)->seats(); ++seat) {
        made.bots.push_back(seat == setup.trial.seat ? setup.bot
                                                     : "opponent-" + std::to_string(seat + 1));
    }
    return made;
}

table::MatchFacts match_of(const play::Play& play) {
    return {"check/" + std::to_string(play.setup().key.match), 1};
}

}  // namespace

// A launched bot's wall time is looked at here, which is more than its processor time.
std::string params_of(const TrialCase& trial, Duration budget) {
    std::string params(trial.params);
    if (trial.game != mean_game) return params;
    params.insert(1, fmt::format("\"mean_budget_us\":{},", in_us(budget)));
    return params;
}

TrialGame::TrialGame(std::unique_ptr<BotConnection>& connection, BotObservations& observations,
                     Setup setup, OnTurn on_turn)
    : connection_(connection),
      observations_(observations),
      setup_(std::move(setup)),
      on_turn_(std::move(on_turn)),
      play_(play_setup(setup_)),
      random_(setup_.trial.seed) {}

play::Arrival TrialGame::arrival_at(Instant at, std::string_view line) const {
    play::Arrival arrival;
    arrival.at = Stamp::exact(at);
    arrival.how = "wall: read by check-bot";
    arrival.line = line;
    return arrival;
}

PlayedTrial TrialGame::play() {
    play_.start(monotonic_now(), {}, actions_);
    perform();
    while (!play_.finished()) {
        const auto until = patience_.value_or(deadline_.value_or(monotonic_now()));
        const auto look = monotonic_now() + play::core_look_every;
        if (const auto heard = connection_->hear(std::min(until, look))) {
            take(*heard);
        } else if (!connection_->open()) {
            give_up(TrialEnding::gone,
                    fmt::format("{}, in turn {}", connection_->why_closed(), play_.turn()));
        } else if (monotonic_now() < until) {
            core_wait_max();
        } else {
            time_is_up();
        }
        perform();
    }
    if (connection_ != nullptr && connection_->open()) say_end();
    for (const auto& fault : play_.faults()) {
        if (fault.seat == seat() && !excused_.contains(fault.turn)) played_.faults.push_back(fault);
    }
    // Of who misnumbers its moves nobody knows which turn one was for.
    if (played_.misnumbered.empty())
        observations_.unanswered.insert(observations_.unanswered.end(), unanswered_.size(),
                                        std::string(setup_.trial.game));
    return played_;
}

void TrialGame::note_answer(Duration took, Duration budget, bool late) {
    observations_.answers.push_back({std::string(setup_.trial.game), took, budget, late});
}

void TrialGame::perform() {
    while (!actions_.empty()) {
        const auto batch = std::exchange(actions_, {});
        for (const auto& action : batch) perform(action);
    }
}

void TrialGame::perform(const play::Action& action) {
    if (const auto* start = std::get_if<play::SendStart>(&action)) {
        if (start->seat == seat()) {
            std::string line;
            table::encode_start(line, play_, match_of(play_), seat(), false);
            play_.keep_deltas(seat(), setup_.delta);
            setup_.entrance->begin_turn();
            core_wait_ = {};
            connection_->say(line);
            asked_ = monotonic_now();
        }
        play_.start_sent(start->seat, monotonic_now(), actions_);
        if (start->seat != seat()) play_.ready(start->seat, actions_);
    } else if (const auto* turn = std::get_if<play::SendTurn>(&action)) {
        if (turn->seat == seat()) {
            send_turn();
        } else {
            answer_for(turn->seat);
        }
    } else if (const auto* fault = std::get_if<play::SendFault>(&action)) {
        const auto& its = play_.faults()[fault->fault];
        if (its.seat != seat()) return;
        std::string line;
        table::encode_fault(line, play_.id(), its);
        connection_->say(line);
    } else if (const auto* armed = std::get_if<play::ArmDeadline>(&action)) {
        if (armed->seat == seat()) deadline_ = armed->at;
    } else if (const auto* dropped = std::get_if<play::DropDeadline>(&action)) {
        if (dropped->seat == seat()) deadline_.reset();
    }
}

void TrialGame::send_turn() {
    ++turns_;
    if (turns_ > turns_max) {
        give_up(TrialEnding::broken_off, std::string(long_enough));
        return;
    }
    sent_.insert(play_.turn());
    if (missed_in_a_row_ == 0) disturbed_ = false;
    patience_.reset();
    const auto legal = play_.state().legal_moves(seat());
    protocol::json::Document move;
    if (legal && move.parse(legal->moves.front()) && !play_.state().check(seat(), move.root()))
        excused_.insert(play_.turn());  // whatever it does is against the rules
    const auto budget = play_.budget(seat());
    limit_ = budget > Duration::zero() ? budget : setup_.clock.hard_limit;
    setup_.entrance->begin_turn();
    core_wait_ = {};
    std::string delta;
    if (setup_.delta) play_.take_delta(seat(), delta);
    std::string line;
    table::encode_turn(line, play_, seat(), budget, setup_.delta ? &delta : nullptr);
    connection_->say(line);
    if (on_turn_) on_turn_(*this, turns_);
    if (play_.finished()) return;
    asked_ = monotonic_now();
    play_.turn_sent(seat(), Stamp::exact(asked_), {}, actions_);
}

void TrialGame::answer_for(engines::Seat other) {
    const auto legal =
        setup_.trial.others == Others::random ? play_.state().legal_moves(other) : std::nullopt;
    const std::string text = legal ? legal->moves[random_() % legal->moves.size()]
                             : setup_.trial.others == Others::idle
                                 ? std::string("\"L\"")
                                 : std::string(setup_.game->info().move_example);
    protocol::json::Document move;
    const auto parsed = move.parse(text);
    REFEREE_ASSERT(parsed);
    play_.turn_sent(other, Stamp::exact(monotonic_now()), {}, actions_);
    play_.answer(other, play_.turn(), move.root(), arrival_at(monotonic_now()), actions_);
}

void TrialGame::resume() {
    disturbed_ = true;
    play_.keep_deltas(seat(), setup_.delta);
    std::string lines;
    table::encode_start(lines, play_, match_of(play_), seat(), true);
    table::encode_past(lines, play_);
    table::encode_turn(lines, play_, seat(), play_.budget(seat()), nullptr);
    connection_->say(lines);
}

void TrialGame::give_up(TrialEnding ending, std::string why) {
    if (play_.finished()) return;
    played_.ending = ending;
    played_.why = why;
    if (!played_.misnumbered.empty()) played_.why += "; " + played_.misnumbered;
    play_.stop(GameStatus::interrupted, std::move(why), actions_);
}

Duration TrialGame::core_wait_max() {
    core_wait_ = std::max(core_wait_, setup_.entrance->core_wait_max(monotonic_now() - asked_));
    return core_wait_;
}

void TrialGame::time_is_up() {
    auto arrival = arrival_at(monotonic_now());
    arrival.waited = core_wait_max();
    if (play_.awaits_ready(seat())) {
        deadline_ = play_.ready_until(seat(), arrival.waited);
        if (arrival.at.latest < *deadline_) return;
        give_up(
            TrialEnding::not_ready,
            "no \"ready\" came within " + round_time(play_.setup().ready_budget) + " of \"start\"");
        return;
    }
    const auto turn = std::to_string(play_.turn());
    const auto within = " within " + round_time(limit_);
    if (patience_) {
        give_up(TrialEnding::silent, "no answer to turn " + turn + within + ", nor in " +
                                         round_time(late_answer_max) + " more");
        return;
    }
    const auto play_turn = play_.turn();
    const auto faults_before = play_.faults().size();
    play_.deadline(seat(), arrival, actions_);
    const bool has_more_time = play_.faults().size() == faults_before && !actions_.empty();
    if (has_more_time) return;  // it waited for a core
    ++missed_;
    ++missed_in_a_row_;
    if (!disturbed_) unanswered_.insert(play_turn);
    if (missed_in_a_row_ >= missed_in_a_row_max) {
        give_up(TrialEnding::silent,
                "no answer to turn " + turn + within + ", and none to the one before it in time");
    } else if (missed_ >= missed_max) {
        give_up(TrialEnding::silent,
                fmt::format("{} turns were not answered in time, the last, turn {}, not{}", missed_,
                            turn, within));
    } else if (play_.runs(seat())) {
        patience_ = monotonic_now() + late_answer_max;
    }
}

void TrialGame::take(const BotConnection::Heard& heard) {
    if (const auto* ready = std::get_if<protocol::Ready>(&heard.message)) {
        if (ready->game_id != play_.id()) {
            connection_->note_unasked(heard.line, "this \"ready\" is for no game that is on");
        } else if (play_.awaits_ready(seat())) {
            const auto took = std::max(heard.at, asked_) - asked_;
            observations_.starts.push_back(
                {std::string(setup_.trial.game), took - setup_.entrance->core_wait_min(took)});
            play_.ready(seat(), actions_);
        }
    } else if (const auto* move = std::get_if<protocol::Move>(&heard.message)) {
        take_move(*move, heard);
    } else if (std::holds_alternative<protocol::Bye>(heard.message)) {
        give_up(TrialEnding::gone, "it said bye in the middle of a game");
    } else if (std::holds_alternative<protocol::Login>(heard.message)) {
        connection_->note_unasked(heard.line, "it is logged in already");
    }
}

void TrialGame::take_move(const protocol::Move& move, const BotConnection::Heard& heard) {
    if (move.game_id != play_.id()) {
        // One to a game that is over may have been under way when that ended.
        if (!move.game_id.starts_with("check/"))
            connection_->note_unasked(heard.line, "this \"game_id\" is that of no game");
        return;
    }
    const bool spoils = spoiled_turn_ == play_.turn() && move.turn == spoiled_turn_;
    const bool runs = play_.runs(seat());
    const auto budget = play_.budget(seat());
    if (spoils) excused_.insert(play_.turn());
    protocol::json::Document spoilt_move;
    const auto parsed = spoilt_move.parse(spoilt);
    REFEREE_ASSERT(parsed);
    auto arrival = arrival_at(std::max(heard.at, asked_), heard.line);
    if (runs) arrival.waited = setup_.entrance->core_wait_min(arrival.at.latest - asked_);
    const auto fate = play_.answer(
        seat(), move.turn, spoils ? spoilt_move.root() : move.move.view(), arrival, actions_);
    if (fate == play::AnswerFate::taken || (fate == play::AnswerFate::late && !patience_)) {
        const bool late = fate == play::AnswerFate::late;
        if (late) ++missed_;
        if (!late) {
            ++played_.answers;
            protocol::json::Writer writer(played_.moves.emplace_back());
            move.move.view().write(writer);
        }
        answered_.insert(move.turn);
        missed_in_a_row_ = 0;
        if (runs && !disturbed_)
            note_answer(arrival.at.latest - asked_ - arrival.waited, budget, late);
        return;
    }
    missed_in_a_row_ = 0;
    patience_.reset();
    const bool known = sent_.contains(move.turn);
    if (!known && played_.misnumbered.empty())
        played_.misnumbered =
            fmt::format("it answered turn {} by a move for turn {}", *sent_.rbegin(), move.turn);
    unanswered_.erase(move.turn);
    const bool first = answered_.insert(move.turn).second;
    if (!played_.misnumbered.empty()) {
        // Nobody knows which turn it is for, so it is no measure of time.
    } else if (const auto& overdue = play_.overdue(seat()); first && overdue && !disturbed_) {
        note_answer(overdue->took, overdue->took - overdue->over, true);
    } else if (fate == play::AnswerFate::late) {
        note_answer(arrival.at.latest - asked_ - arrival.waited, budget, true);
    }
    if (fate == play::AnswerFate::late) return;
    std::string line;
    table::encode_fate(line, play_, seat(), fate, move.turn);
    connection_->say(line);
    if (!known) {
        connection_->note_unasked(heard.line, played_.misnumbered);
    } else if (fate != play::AnswerFate::old_turn || !first) {
        connection_->note_unasked(
            heard.line,
            fmt::format("turn {} was not to be answered, or had its answer", move.turn));
    }
}

void TrialGame::say_end() {
    const auto& result = play_.result();
    std::string lines;
    table::encode_end(lines, *play_.setup().game, result, {});
    if (counts(result.status)) {
        std::string scores;
        protocol::json::Writer writer(scores);
        writer.begin_array();
        for (const auto& score : result.outcome.scores) score.write(writer);
        writer.end_array();
        const auto match = match_of(play_);
        protocol::MatchEnd end;
        end.match = match.match_id;
        end.names.assign(result.bots.begin(), result.bots.end());
        end.scores = scores;
        end.placing.assign(result.outcome.placing.begin(), result.outcome.placing.end());
        end.games = 1;
        end.reason = "all games are played";
        protocol::encode(lines, end);
    }
    connection_->say(lines);
}

}  // namespace referee::check_bot
