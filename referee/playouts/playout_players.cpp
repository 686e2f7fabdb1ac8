#include "referee/playouts/playout_players.h"

#include <algorithm>
#include <utility>

#include "referee/daemon/single_game/local_bots.h"
#include "referee/exit_code.h"
#include "sample_bots/cpp/reference/reference_players.h"

namespace referee::playouts {
namespace {

bool plays_within(const std::string& command) {
    return command == daemon::RandomPlayer::command || bots::reference_player(command) != nullptr;
}

base::Result<std::vector<std::string>, std::string> commands_by_seat(
    const PlayoutPlayersChoice& choice, std::size_t seats) {
    const auto& given = choice.commands;
    if (given.size() == seats) return given;
    if (given.size() == 1) return std::vector<std::string>(seats, given.front());
    if (given.empty()) {
        const auto* quick = bots::quick_player(choice.point->game);
        const auto name = quick == nullptr ? daemon::RandomPlayer::command : quick->program;
        return std::vector<std::string>(seats, std::string(name));
    }
    return base::failure("--bot: expected one for all seats, or " + std::to_string(seats) +
                         ", one for each; found " + std::to_string(given.size()));
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
    return daemon::mistake_in_commands(commands, game);
}

std::unique_ptr<review::Playouts> playouts_within(const PlayoutPlayers& cast,
                                                  const PlayoutPlayersChoice& choice,
                                                  const showing::ReplayFrames& replay_frames) {
    InnerTerms terms;
    terms.game = &replay_frames.info();
    terms.params = choice.point->params;
    terms.names = replay_frames.bots();
    terms.slips_percent = cast.slips_percent;
    terms.seed = choice.seed;
    for (const auto& command : cast.commands)
        terms.players.push_back(bots::reference_player(command));
    return std::make_unique<InnerPlayouts>(std::move(terms));
}

daemon::SingleGame launched_game(const PlayoutPlayers& cast, const PlayoutPlayersChoice& choice) {
    auto game = choice.launch;
    game.game = choice.point->game;
    game.params = choice.point->params;
    game.seed = choice.point->seed;
    game.clock = choice.point->clock;
    game.bots = cast.commands;
    return game;
}

std::string thinkers(const std::vector<std::string>& commands) {
    std::string names;
    for (const auto& command : commands) {
        const auto* player = bots::reference_player(command);
        if (player == nullptr || !player->timed || names.find(command) != std::string::npos)
            continue;
        names += (names.empty() ? "" : ", ") + command;
    }
    return names;
}

}  // namespace

std::vector<std::string> PlayoutPlayers::assumed() const {
    std::vector<std::string> said;
    if (launched()) {
        said.emplace_back(
            "The clock was the game's, with the time that was used before charged. Each program "
            "was started anew for each playout and told what came before (resumed, history); "
            "whether it makes use of that can't be seen from outside.");
        if (programs->forfeited() > 0)
            said.push_back("Of " + std::to_string(programs->played()) + " playouts " +
                           std::to_string(programs->forfeited()) +
                           " were ended by a bot's failure, and count as such.");
        return said;
    }
    said.emplace_back(
        "They saw positions alone, and knew nothing of the turns before. No time was charged.");
    if (slips_percent > 0)
        said.push_back("Of 100 of their moves about " + std::to_string(slips_percent) +
                       " were slips: a legal move drawn at random.");
    if (const auto names = thinkers(commands); !names.empty())
        said.push_back("Thinks as long as its budget lets it, here " +
                       std::to_string(thinking_budget_us / 1000) +
                       " ms a turn, which is less than in the game: " + names +
                       ". Played again, its numbers may be others.");
    return said;
}

std::vector<std::string> PlayoutPlayers::past_told_by() const {
    if (!launched()) return {};
    return {"resumed", "history"};
}

int PlayoutPlayers::status_of_failure() const {
    if (programs == nullptr || programs->status() == exit_done) return exit_bad_input;
    return programs->status();
}

base::Result<PlayoutPlayers, std::string> players_for(const PlayoutPlayersChoice& choice,
                                                      const showing::ReplayFrames& replay_frames,
                                                      const std::string& file,
                                                      const engines::Registry& registry) {
    auto commands = commands_by_seat(choice, replay_frames.bots().size());
    if (!commands) return base::failure(commands.error());
    if (auto mistake = mistake_in_players(*commands, choice); !mistake.empty())
        return base::failure(std::move(mistake));
    PlayoutPlayers cast;
    cast.commands = *std::move(commands);
    const bool within = std::all_of(cast.commands.begin(), cast.commands.end(), plays_within);
    if (within) {
        const bool all_random = std::all_of(
            cast.commands.begin(), cast.commands.end(),
            [](const auto& command) { return command == daemon::RandomPlayer::command; });
        cast.slips_percent = all_random ? 0 : choice.slips_percent.value_or(slips_percent_default);
        cast.playouts = playouts_within(cast, choice, replay_frames);
        return cast;
    }
    if (choice.slips_percent)
        return base::failure(
            std::string("--slips: only reference bots make slips, and only where all seats are "
                        "theirs or random; leave it out, or the programs"));
    auto programs = std::make_unique<LaunchedPlayouts>(launched_game(cast, choice), replay_frames,
                                                       file, registry);
    cast.programs = programs.get();
    cast.playouts = std::move(programs);
    return cast;
}

}  // namespace referee::playouts
