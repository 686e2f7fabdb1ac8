#include "referee/playouts/playouts.h"

#include <sched.h>

#include <algorithm>
#include <ctime>
#include <istream>
#include <ostream>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/play/replay_writer.h"
#include "referee/game/result/game_result.h"
#include "referee/game/trace/replay.h"

namespace referee::playouts {

namespace {

namespace json = protocol::json;

// A bot that thinks as long as it may is given so little in a playout: hundreds are played.
constexpr std::int64_t thinking_budget_us = 5'000;
// Far more than any game takes; a playout that is longer is a mistake of ours.
constexpr std::int64_t playout_turns_max = 1'000'000;
// Moves of a hundred that are drawn at random where nobody says otherwise: bots that always move
// alike would play one game again and again.
constexpr unsigned slips_percent_default = 10;

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
class InsideGame {
 public:
    using Inside = std::vector<std::unique_ptr<bots::InsidePlayer>>;

    InsideGame(const InsideTerms& terms, const Inside& inside,
               std::unique_ptr<engines::State> state, std::int64_t turn, std::uint64_t number)
        : terms_(terms),
          inside_(inside),
          state_(std::move(state)),
          turn_(turn),
          luck_(base::SplitMix::mixed(terms.seed) + number),
          documents_(state_->seats()),
          answers_(state_->seats()) {
        const auto id = fmt::format("review/{}.{}", terms.seed, number + 1);
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

    // To the end of the game.
    base::Result<review::PlayedOut, std::string> play() {
        for (std::int64_t played = 0; !state_->over(); ++played) {
            if (played == playout_turns_max)
                return base::failure(
                    fmt::format("a playout did not end within {} turns", playout_turns_max));
            play_turn();
        }
        return review::PlayedOut{review::worth_of(state_->outcome()), course_.text()};
    }

 private:
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

    const InsideTerms& terms_;
    const Inside& inside_;
    std::unique_ptr<engines::State> state_;
    std::int64_t turn_;
    std::uint64_t luck_;
    Sight sight_;
    std::vector<std::unique_ptr<bots::Player>> players_;
    std::vector<json::Document> documents_;
    std::vector<engines::Answer> answers_;
    std::vector<engines::Note> notes_;
    play::Fingerprint course_;
};

bool plays_inside(const std::string& command) {
    return command == single_game::random_command || bots::reference_player(command) != nullptr;
}

base::Result<std::vector<std::string>, std::string> commands_by_seat(
    const PlayoutPlayersChoice& choice, std::size_t seats) {
    const auto& given = choice.commands;
    if (given.size() == seats) return given;
    if (given.size() == 1) return std::vector<std::string>(seats, given.front());
    if (given.empty()) {
        const auto* quick = bots::quick_player(choice.point->game);
        const auto name = quick == nullptr ? single_game::random_command : quick->program;
        return std::vector<std::string>(seats, std::string(name));
    }
    return base::failure(fmt::format(
        "--bot: expected one for all seats, or {}, one for each; found {}", seats, given.size()));
}

std::string mistake_in_players(const std::vector<std::string>& commands,
                               const PlayoutPlayersChoice& choice) {
    const auto& game = choice.point->game;
    for (const auto& command : commands) {
        const auto* player = bots::reference_player(command);
        if (player == nullptr || player->game == game) continue;
        const auto* quick = bots::quick_player(game);
        return "--bot: " + command + " plays " + std::string(player->game) +
               ", and this is a game of " + game +
               (quick == nullptr ? "" : "; expected one such as " + std::string(quick->program));
    }
    return single_game::mistake_in_commands(commands, game);
}

InsideTerms inside_terms(const std::vector<std::string>& commands,
                         const PlayoutPlayersChoice& choice,
                         const showing::ReplayFrames& replay_frames) {
    InsideTerms terms;
    terms.game = &replay_frames.info();
    terms.params = choice.point->params;
    terms.names = replay_frames.bots();
    terms.seed = choice.seed;
    for (const auto& command : commands) terms.players.push_back(bots::reference_player(command));
    const bool all_random =
        std::ranges::all_of(terms.players, [](const auto* player) { return player == nullptr; });
    if (!all_random) terms.slips_percent = choice.slips_percent.value_or(slips_percent_default);
    return terms;
}

single_game::SingleGame launched_game(const std::vector<std::string>& commands,
                                      const PlayoutPlayersChoice& choice) {
    auto game = choice.launch;
    game.game = choice.point->game;
    game.params = choice.point->params;
    game.seed = choice.point->seed;
    game.clock = choice.point->clock;
    game.bots = commands;
    return game;
}

}  // namespace

base::Result<std::vector<review::PlayedOut>, std::string> InsidePlayouts::play(
    const review::Branch& branch, const engines::State& from, std::uint64_t first,
    std::size_t count) {
    for (auto seat = inside_.size(); seat < from.seats(); ++seat) {
        const auto* const player = terms_.players[seat];
        const bool has_inside = player != nullptr && player->make_inside != nullptr;
        inside_.push_back(has_inside ? player->make_inside(from) : nullptr);
    }
    const auto turn = branch.turn + (branch.moves.empty() ? 0 : 1);
    std::vector<review::PlayedOut> played;
    for (std::uint64_t number = first; number < first + count; ++number) {
        auto one = InsideGame(terms_, inside_, from.clone(), turn, number).play();
        if (!one) return base::failure(one.error());
        played.push_back(*std::move(one));
    }
    return played;
}

std::vector<std::string> InsidePlayouts::assumed() const {
    std::vector<std::string> said{
        "They saw positions alone, and knew nothing of the turns before. No time was charged."};
    if (terms_.slips_percent > 0)
        said.push_back(
            fmt::format("Of 100 of their moves about {} were slips: a legal move drawn at random.",
                        terms_.slips_percent));
    std::vector<std::string_view> thinkers;
    for (const auto* player : terms_.players) {
        if (player != nullptr && player->timed && !base::contains(thinkers, player->program))
            thinkers.push_back(player->program);
    }
    if (!thinkers.empty())
        said.push_back(
            fmt::format("Thinks as long as its budget lets it, here {} ms a turn, which is less "
                        "than in the game: {}. Played again, its numbers may be others.",
                        thinking_budget_us / 1000, base::joined(thinkers, ", ")));
    return said;
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

namespace {

// Playouts by programs: each is a game of its own, by the recorded game's clock, with programs that
// are started for it and told what came before.
class LaunchedPlayouts final : public PlayersPlayouts {
 public:
    // `game` has the commands, and where they are meant. All must outlive this.
    LaunchedPlayouts(single_game::SingleGame game, const showing::ReplayFrames& replay_frames,
                     std::string file, const engines::Registry& registry)
        : game_(std::move(game)),
          replay_frames_(replay_frames),
          file_(std::move(file)),
          registry_(registry) {
        game_.show = false;
        game_.silent = true;
    }

    base::Result<std::vector<review::PlayedOut>, std::string> play(const review::Branch& branch,
                                                                   const engines::State& /*from*/,
                                                                   std::uint64_t first,
                                                                   std::size_t count) override {
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
            const auto ending = single_game::play_game(game_, nobody, nowhere);
            if (!ending.game || !counts(ending.game->status)) {
                status_ = ending.status;
                return base::failure(fmt::format("no playout could be played from turn {}: {}",
                                                 branch.turn, ending.message));
            }
            ++played_;
            if (ending.game->status == GameStatus::forfeited) ++forfeited_;
            played.push_back({review::worth_of(ending.game->outcome), ending.game->fingerprint});
        }
        return played;
    }
    bool cost_much() const override { return true; }

    std::vector<std::string> assumed() const override {
        std::vector<std::string> said{
            "The clock was the game's, with the time that was used before charged. Each program "
            "was started anew for each playout and told what came before (resumed, history); "
            "whether it makes use of that can't be seen from outside."};
        if (forfeited_ > 0)
            said.push_back(
                fmt::format("Of {} playouts {} were ended by a bot's failure, and count as such.",
                            played_, forfeited_));
        return said;
    }
    std::vector<std::string> past_told_by() const override { return {"resumed", "history"}; }
    int status_of_failure() const override {
        return status_ == exit_done ? exit_bad_input : status_;
    }

 private:
    single_game::SingleGame game_;
    const showing::ReplayFrames& replay_frames_;
    std::string file_;
    const engines::Registry& registry_;
    std::uint64_t played_ = 0;
    std::uint64_t forfeited_ = 0;  // that a bot's doing ended, such as a crash
    int status_ = exit_done;       // where play() gave an error
};

}  // namespace

base::Result<PlayoutPlayers, std::string> players_for(const PlayoutPlayersChoice& choice,
                                                      const showing::ReplayFrames& replay_frames,
                                                      const std::string& file,
                                                      const engines::Registry& registry) {
    auto commands = commands_by_seat(choice, replay_frames.bots().size());
    if (!commands) return base::failure(commands.error());
    if (auto mistake = mistake_in_players(*commands, choice); !mistake.empty())
        return base::failure(std::move(mistake));
    PlayoutPlayers players{*std::move(commands), nullptr};
    if (std::ranges::all_of(players.commands, plays_inside)) {
        players.playouts =
            std::make_unique<InsidePlayouts>(inside_terms(players.commands, choice, replay_frames));
        return players;
    }
    if (choice.slips_percent)
        return base::failure(
            std::string("--slips: only reference bots make slips, and only where all seats are "
                        "theirs or random; leave it out, or the programs"));
    players.playouts = std::make_unique<LaunchedPlayouts>(launched_game(players.commands, choice),
                                                          replay_frames, file, registry);
    return players;
}

}  // namespace referee::playouts
