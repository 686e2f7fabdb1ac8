#include "referee/playouts/playouts.h"

#include <sched.h>

#include <algorithm>
#include <ctime>
#include <istream>
#include <ostream>

#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/exit_code.h"
#include "referee/game/play/replay_writer.h"
#include "referee/game/result/game_result.h"
#include "referee/game/trace/replay.h"

namespace referee::playouts {

namespace {

namespace json = protocol::json;

// The state as bots see it.
class Sight {
 public:
    // Once a turn: whoever asks again sees the same.
    json::View look_at(const engines::State& state, std::int64_t turn) {
        if (turn == seen_) return document_.root();
        seen_ = turn;
        text_.clear();
        json::Writer writer(text_);
        state.write_state(writer);
        const auto parsed = document_.parse(text_);
        REFEREE_ASSERT(parsed.has_value());
        return document_.root();
    }

 private:
    std::string text_;
    json::Document document_;
    std::int64_t seen_ = -1;
};

// One playout.
class InnerGame {
 public:
    using Inside = std::vector<std::unique_ptr<kit::InsidePlayer>>;

    InnerGame(const InnerTerms& terms, const Inside& inside, std::unique_ptr<engines::State> state,
              std::int64_t turn, std::uint64_t number)
        : terms_(terms),
          inside_(inside),
          state_(std::move(state)),
          turn_(turn),
          luck_(base::SplitMix::mixed(terms.seed) + number),
          documents_(state_->seats()),
          answers_(state_->seats()) {
        const auto id = "review/" + std::to_string(terms.seed) + '.' + std::to_string(number + 1);
        json::Document params;
        const auto parsed = params.parse(terms.params);
        REFEREE_ASSERT(parsed.has_value());
        for (engines::Seat seat = 0; seat < state_->seats(); ++seat) {
            const auto* const player = terms.players[seat];
            const bool by_text = player != nullptr && !inside_[seat];
            players_.push_back(by_text
                                   ? player->make({id, terms.game->id, seat, terms.names,
                                                   params.root(), sight_.look_at(*state_, turn_)})
                                   : nullptr);
        }
    }

    const engines::State& state() const { return *state_; }
    std::string course() const { return course_.text(); }

    void play_turn() {
        const auto to_move = state_->to_move();
        for (engines::Seat seat = 0; seat < answers_.size(); ++seat) {
            answers_[seat] = {};
            if (!to_move.test(seat)) continue;
            const auto move = move_of(seat);
            course_.add(move);
            if (documents_[seat].parse(move).has_value())
                answers_[seat].move = documents_[seat].root();
        }
        notes_.clear();
        state_->apply(answers_, notes_);
        ++turn_;
    }

 private:
    std::string move_of(engines::Seat seat) {
        const auto of_this_turn = static_cast<std::uint64_t>(turn_) * engines::seats_max + seat;
        base::SplitMix random(base::SplitMix::mixed(luck_ + base::SplitMix::mixed(of_this_turn)));
        if ((players_[seat] || inside_[seat]) && !random.chance(terms_.slips_percent)) {
            if (inside_[seat]) return inside_[seat]->move(*state_, seat);
            return players_[seat]->move(
                {turn_, thinking_budget_us, sight_.look_at(*state_, turn_)});
        }
        const auto legal = state_->legal_moves(seat);
        if (!legal) return std::string(terms_.game->move_example);
        return legal->moves[random.below(legal->moves.size())];
    }

    const InnerTerms& terms_;
    const Inside& inside_;
    std::unique_ptr<engines::State> state_;
    std::int64_t turn_;
    std::uint64_t luck_;
    Sight sight_;
    std::vector<std::unique_ptr<kit::Player>> players_;
    std::vector<json::Document> documents_;
    std::vector<engines::Answer> answers_;
    std::vector<engines::Note> notes_;
    play::Fingerprint course_;
};

}  // namespace

base::Result<review::PlayedOut, std::string> InnerPlayouts::play_one(std::int64_t turn,
                                                                     const engines::State& from,
                                                                     std::uint64_t number) const {
    InnerGame game(terms_, inside_, from.clone(), turn, number);
    for (std::int64_t played = 0; !game.state().over(); ++played) {
        if (played == playout_turns_max)
            return base::failure("a playout did not end within " +
                                 std::to_string(playout_turns_max) + " turns");
        game.play_turn();
    }
    return review::PlayedOut{review::worth_of(game.state().outcome()), game.course()};
}

base::Result<std::vector<review::PlayedOut>, std::string> InnerPlayouts::play(
    const review::Branch& branch, const engines::State& from, std::uint64_t first,
    std::size_t count) {
    for (auto seat = inside_.size(); seat < from.seats(); ++seat) {
        const auto* const player = terms_.players[seat];
        const bool has_inside = player != nullptr && player->make_inside != nullptr;
        inside_.push_back(has_inside ? player->make_inside(from) : nullptr);
    }
    std::vector<review::PlayedOut> played;
    for (std::uint64_t number = first; number < first + count; ++number) {
        auto one = play_one(branch.turn + (branch.moves.empty() ? 0 : 1), from, number);
        if (!one) return base::failure(one.error());
        played.push_back(*std::move(one));
    }
    return played;
}

bool take_idle_cores_only() {
    const sched_param none{};
    return ::sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

double spent(std::chrono::duration<double> worked, std::chrono::duration<double> passed) {
    constexpr std::chrono::seconds worked_most{8};
    constexpr std::chrono::seconds passed_most{60};
    return std::max(worked / worked_most, passed / passed_most);
}

std::function<double()> time_spent() {
    const auto worked = [] {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    const auto now = std::chrono::steady_clock::now;
    return [=, worked_before = worked(), begun = now()] {
        return spent(worked() - worked_before, now() - begun);
    };
}

LaunchedPlayouts::LaunchedPlayouts(daemon::SingleGame game,
                                   const showing::ReplayFrames& replay_frames, std::string file,
                                   const engines::Registry& registry)
    : game_(std::move(game)),
      replay_frames_(replay_frames),
      file_(std::move(file)),
      registry_(registry) {
    game_.show = false;
    game_.silent = true;
}

base::Result<std::vector<review::PlayedOut>, std::string> LaunchedPlayouts::play(
    const review::Branch& branch, const engines::State& /*from*/, std::uint64_t first,
    std::size_t count) {
    auto point = trace::fork_point(replay_frames_.replay(), file_, branch.turn, registry_);
    if (!point) {
        status_ = exit_bad_input;
        return base::failure(point.error().message);
    }
    if (!branch.moves.empty()) {
        const auto frame = replay_frames_.frame_after(branch.turn);
        point->past.turns.push_back({branch.moves, replay_frames_.facts(*frame).used_us});
    }
    game_.past = std::move(point->past);
    std::istream nobody(nullptr);
    std::ostream nowhere(nullptr);
    std::vector<review::PlayedOut> played;
    for (std::uint64_t number = first; number < first + count; ++number) {
        game_.number = static_cast<std::uint32_t>(number + 1);
        const auto ending = daemon::play_game(game_, nobody, nowhere);
        if (!ending.game || !counts(ending.game->status)) {
            status_ = ending.status;
            return base::failure("no playout could be played from turn " +
                                 std::to_string(branch.turn) + ": " + ending.message);
        }
        ++played_;
        if (ending.game->status == GameStatus::forfeited) ++forfeited_;
        played.push_back({review::worth_of(ending.game->outcome), ending.game->fingerprint});
    }
    return played;
}

}  // namespace referee::playouts
