#include "referee/contest/formats/match.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

// For the setup of a match's first game; far from the numbers of any game's seed.
constexpr std::uint64_t purpose_of_starts = UINT64_MAX;

// Numbers of matches start at 1, so no match has this one.
constexpr std::uint64_t all_matches = 0;

// Which setup of the list is a match's first. Games that belong together (each seat once) stay
// together: with the same seats, those are the setups of one match.
std::size_t first_setup(const MatchConfig& config, std::uint64_t tournament_seed,
                        std::uint64_t match) {
    if (config.starts == Starts::first) return 0;
    const std::uint32_t together = config.seat_order == SeatOrder::same ? config.games : 1;
    const auto of_match =
        rating::derived_seed(rating::derived_seed(tournament_seed, match), purpose_of_starts);
    return rating::Random(of_match).below(config.setups / together) * together;
}

}  // namespace

std::uint32_t games_planned(const MatchConfig& config, std::size_t entrants) {
    return config.solo ? config.games * static_cast<std::uint32_t>(entrants) : config.games;
}

std::uint32_t games_most(const MatchConfig& config, std::size_t entrants, const MatchTerms& terms) {
    if (!terms.one_goes_on || terms.extra_games == 0) return games_planned(config, entrants);
    const auto most = config.games + terms.extra_games;
    return config.solo ? most * static_cast<std::uint32_t>(entrants) : most - most % 2;
}

std::string wrong_starts(const MatchConfig& config, std::size_t entrants) {
    if (config.starts == Starts::first) return {};
    if (config.solo) return "solo games are compared on the same setups; leave \"starts\" out";
    const std::uint32_t together = config.seat_order == SeatOrder::same ? config.games : 1;
    const auto there = config.setups == 1 ? "is 1" : "are " + std::to_string(config.setups);
    if (config.setups < 2)
        return "expected \"setups\" with at least two starts to draw from, such as \"setups\": "
               "[{\"size\": 5}, {\"size\": 7}]; there " +
               there;
    if (config.setups < 2 * together)
        return fmt::format(
            "expected \"seats\": \"rotate\", with which the games of a match begin at one start; "
            "with the \"same\" seats each begins at one of its own, so {} of at least {} "
            "\"setups\" are drawn for a match, and there {}",
            config.games, 2 * together, there);
    if (config.seat_order == SeatOrder::rotate && config.games % entrants != 0)
        return fmt::format(
            "expected \"games\" that give everybody each seat on a start: a multiple of {}, found "
            "{}",
            entrants, config.games);
    if (config.seat_order == SeatOrder::same && config.setups % config.games != 0)
        return fmt::format(
            "with the \"same\" seats a match plays {} setups that follow each other, such as the "
            "two with \"first\": 0 and 1 of one size: expected a multiple of {} of them, found {}",
            config.games, config.games, config.setups);
    return {};
}

std::size_t seat_in_game(const MatchConfig& config, std::uint32_t number, std::size_t seat,
                         std::size_t entrants) {
    if (config.seat_order == SeatOrder::rotate) return (seat + number - 1) % entrants;
    const bool exchanged = number > config.games && number % 2 == 0;
    return exchanged ? (seat + 1) % entrants : seat;
}

PlannedGame planned_game(const MatchConfig& config, const Pairing& pairing, std::uint32_t number,
                         std::uint64_t tournament_seed, const MatchTerms& terms) {
    const std::size_t entrants = pairing.seats.size();
    REFEREE_ASSERT(number >= 1 && number <= games_most(config, entrants, terms) &&
                   config.setups >= 1);
    PlannedGame planned;
    planned.number = number;
    const bool extra = !config.solo && number > config.games;
    // An exchanged game is on the setup and the seed of the one before it.
    const bool exchanged = extra && number % 2 == 0;
    const std::uint32_t index = exchanged ? number - 2 : number - 1;
    std::uint32_t seed_index = 0;
    if (config.solo) {
        const auto setup = static_cast<std::uint32_t>(index / entrants);
        planned.setup = setup % config.setups;
        seed_index = setup;
        planned.seats = {pairing.seats[index % entrants]};
    } else if (config.seat_order == SeatOrder::rotate) {
        const auto rotation = static_cast<std::uint32_t>(index / entrants);
        planned.setup = rotation % config.setups;
        seed_index = rotation;
    } else if (index >= config.games) {
        // No game before them has this seed.
        planned.setup = index / entrants % config.setups;
        seed_index = index;
    } else {
        planned.setup = index % config.setups;
        seed_index = index / config.setups;
    }
    planned.setup =
        (planned.setup + first_setup(config, tournament_seed, pairing.match)) % config.setups;
    if (!config.solo) {
        planned.seats.resize(entrants);
        for (std::size_t seat = 0; seat < entrants; ++seat)
            planned.seats[seat_in_game(config, number, seat, entrants)] = pairing.seats[seat];
    }
    if (!config.seeds.empty()) {
        planned.seed = config.seeds[seed_index % config.seeds.size()];
    } else {
        const bool same = config.solo || config.same_seeds;
        const auto of_match =
            rating::derived_seed(tournament_seed, same ? all_matches : pairing.match);
        planned.seed = static_cast<std::uint32_t>(rating::derived_seed(of_match, seed_index));
    }
    return planned;
}

std::string setup_for(const engines::Game& game, const std::string& setup, std::size_t seats) {
    if (game.info().seats_min == game.info().seats_max) return setup;
    protocol::json::Document document;
    const auto parsed = document.parse(setup);
    REFEREE_ASSERT(parsed);
    const auto started = game.start(document.root(), 1);
    REFEREE_ASSERT(started);
    if ((*started)->seats() == seats) return setup;
    auto smaller = game.params_with_seats(document.root(), seats);
    REFEREE_ASSERT(smaller);
    return *std::move(smaller);
}

}  // namespace referee::formats
