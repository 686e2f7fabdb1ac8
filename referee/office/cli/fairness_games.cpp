#include "referee/office/cli/fairness_games.h"

#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "protocol/json/document.h"
#include "referee/config/reader.h"
#include "referee/config/unknown_game.h"
#include "referee/contests/tournament/evidence.h"
#include "referee/exit_code.h"
#include "referee/games/play/play.h"
#include "referee/office/report/certainty.h"

namespace referee::cli {
namespace {

// What is known of a start before it is played.
struct Start {
    std::size_t seats = 0;
    std::optional<std::size_t> mover;
};

base::Result<Start, std::string> start_of(const engines::Game& game, const std::string& params,
                                          std::uint32_t seed) {
    protocol::json::Document document;
    if (!params.empty()) {
        const auto parsed = document.parse(params, {.depth_max = play::params_depth_max});
        if (!parsed) return base::failure("--params: " + parsed.error().message);
    }
    const auto state = game.start(document.root(), seed);
    if (!state)
        return base::failure("--params: " + state.error().member + ": " + state.error().message);
    Start start;
    start.seats = (*state)->seats();
    const auto to_move = (*state)->to_move();
    for (std::size_t seat = 0; seat < start.seats; ++seat)
        if (!game.info().simultaneous && to_move.count() == 1 && to_move.test(seat))
            start.mover = seat;
    return start;
}

class Player {
 public:
    Player(const FairnessWish& wish, std::vector<Start> starts, const GamesDone& done)
        : wish_(wish), starts_(std::move(starts)), done_(done) {
        games_.seats = starts_.front().seats;
        games_.self_play.resize(wish.bots.size());
        all_ = games_of(wish, games_.seats);
    }

    base::Result<FairnessGames, FairnessTrouble> play() {
        for (std::size_t bot = 0; bot < wish_.bots.size(); ++bot)
            for (std::uint32_t index = 0; index < wish_.games; ++index)
                if (!play_match(index, std::vector(games_.seats, bot), 1, games_.self_play[bot]))
                    return base::failure(trouble_);
        if (wish_.bots.size() < 2) return std::move(games_);
        const auto seats = static_cast<std::uint32_t>(games_.seats);
        for (std::uint32_t index = 0; index * seats < wish_.games; ++index)
            if (!play_match(index, lineup(index), seats, games_.between))
                return base::failure(trouble_);
        return std::move(games_);
    }

 private:
    // Who plays in a match between bots: each bot comes up as often as any other, and over a round
    // of all distances everybody meets everybody.
    std::vector<std::size_t> lineup(std::uint32_t index) const {
        const auto bots = wish_.bots.size();
        const std::size_t first = index % bots;
        const std::size_t apart = 1 + index / bots % (bots - 1);
        std::vector<std::size_t> seats;
        for (std::size_t seat = 0; seat < games_.seats; ++seat)
            seats.push_back((first + seat * apart) % bots);
        return seats;
    }

    bool play_match(std::uint32_t index, const std::vector<std::size_t>& bots,
                    std::uint32_t rotations, std::vector<certainty::SeatGame>& into) {
        std::vector<certainty::SeatGame> match;
        std::set<std::string> fingerprints;
        ++match_;
        for (std::uint32_t turn = 0; turn < rotations; ++turn) {
            certainty::SeatGame game;
            game.match = match_;
            game.setup = index % starts_.size();
            game.mover = starts_[game.setup].mover;
            for (std::size_t seat = 0; seat < games_.seats; ++seat)
                game.players.push_back(bots[(seat + turn) % bots.size()]);
            const auto played = play_game(game, index);
            if (!played) return false;
            done_(++games_.played, all_);
            if (played->status != GameStatus::played) {
                ++games_.forfeited;
                continue;
            }
            game.shares = report::seat_shares(played->outcome.scores);
            fingerprints.insert(played->fingerprint);
            match.push_back(std::move(game));
        }
        if (match.size() < rotations) return true;
        if (!seen_[bots].is_new(fingerprints)) {
            ++games_.repeated;
            return true;
        }
        into.insert(into.end(), match.begin(), match.end());
        return true;
    }

    std::optional<GameResult> play_game(const certainty::SeatGame& game, std::uint32_t index) {
        auto single = wish_.game;
        single.silent = true;
        single.show = false;
        single.params = wish_.starts[game.setup];
        // Starts are taken in turn; each has its own seeds in order.
        single.seed = wish_.seed + index / static_cast<std::uint32_t>(starts_.size());
        single.number = static_cast<std::uint32_t>(games_.played) + 1;
        for (const auto player : game.players) single.bots.push_back(wish_.bots[player]);
        auto ending = run::play_game(std::move(single), std::cin, std::cout);
        if (ending.game && counts(ending.game->status)) return std::move(ending.game);
        trouble_ = {ending.status == exit_done ? exit_trouble : ending.status,
                    ending.message.empty() ? "a game came to nothing" : ending.message};
        return std::nullopt;
    }

    const FairnessWish& wish_;
    std::vector<Start> starts_;
    const GamesDone& done_;
    FairnessGames games_;
    FairnessTrouble trouble_;
    std::map<std::vector<std::size_t>, tournament::Evidence> seen_;  // by who played
    std::uint64_t match_ = 0;
    std::uint64_t all_ = 0;
};

}  // namespace

std::uint64_t games_of(const FairnessWish& wish, std::size_t seats) {
    std::uint64_t games = std::uint64_t{wish.games} * wish.bots.size();
    if (wish.bots.size() > 1) games += (std::uint64_t{wish.games} + seats - 1) / seats * seats;
    return games;
}

base::Result<FairnessGames, FairnessTrouble> play_for_fairness(const FairnessWish& wish,
                                                               const GamesDone& done) {
    const auto refused = [](std::string message) {
        return base::failure(FairnessTrouble{exit_bad_input, std::move(message)});
    };
    config::TournamentConfig of_game;
    of_game.game = wish.game.game;
    of_game.maps_directory = wish.game.maps_directory;
    const auto registry = config::registry_for(of_game);
    if (!registry) return refused(registry.error().message);
    const auto* game = (*registry)->find(wish.game.game);
    if (game == nullptr) return refused(config::unknown_game(**registry, wish.game.game));
    std::vector<Start> starts;
    for (const auto& params : wish.starts) {
        const auto start = start_of(*game, params, wish.seed);
        if (!start) return refused(start.error());
        if (start->seats < 2)
            return refused(
                wish.game.game +
                " seats one here, so that no seat can be better than another; expected a "
                "game of two or more, such as walls");
        if (!starts.empty() && start->seats != starts.front().seats)
            return refused("--params: expected starts of as many seats as the first has, " +
                           std::to_string(starts.front().seats) + "; found one of " +
                           std::to_string(start->seats));
        starts.push_back(*start);
    }
    return Player(wish, std::move(starts), done).play();
}

}  // namespace referee::cli
