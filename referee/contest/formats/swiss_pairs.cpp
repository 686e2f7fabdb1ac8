#include <algorithm>
#include <iterator>
#include <utility>

#include "protocol/base/find.h"
#include "referee/contest/formats/swiss.h"
#include "referee/contest/pairing/dutch.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

constexpr std::uint64_t purpose_of_colour = 2;

int tenths_of(engines::Score score) {
    return static_cast<int>(standings::tenths_of(score));
}

class SwissOfPairs final : public SwissRounds {
 public:
    SwissOfPairs(const FormatConfig& config, std::vector<Entry> entries,
                 std::vector<Entrant> in_order, std::uint64_t seed)
        : SwissRounds(config, std::move(entries), std::move(in_order)) {
        table_.initial_colour =
            first_begins_in_first_seat(seed) ? pairing::Colour::white : pairing::Colour::black;
        table_.bye_goes_round = true;
        table_.colours = options().colours;
        table_.rounds_total = static_cast<int>(rounds());
        table_.points.win = table_.points.forfeit_win = table_.points.full_bye =
            tenths_of(config.win_points);
        table_.points.draw = table_.points.half_bye = tenths_of(config.draw_points);
        table_.points.allocated_bye = tenths_of(config.bye_points);
        for (std::size_t number = 0; number < numbers().size(); ++number) add_number();
        if (options().accelerated) pairing::accelerate_baku(table_);
        keep_apart();
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<SwissOfPairs>(*this);
    }

    PairingObstacle obstacle_of(const HandPairing& pairing) const override {
        const auto& [round, first, second] = pairing;
        if (!plays(first, round) || !plays(second, round)) return PairingObstacle::sits_out;
        return kept_apart(pairing) ? PairingObstacle::forbidden : PairingObstacle::none;
    }
    void pair_by_hand(const HandPairing& pairing, bool taken_back) override {
        std::erase(by_hand_, pairing);
        if (!taken_back) by_hand_.push_back(pairing);
    }

 private:
    // A late entrant has no entry for the rounds played: that counts as absent.
    void add_number() override {
        auto& entrant = table_.entrants.emplace_back();
        entrant.number = static_cast<int>(table_.entrants.size());
        entrant.games.resize(drawn());  // absent in all rounds so far, the one being played too
    }

    int number_of(Entrant entrant) const { return static_cast<int>(index_of(entrant)) + 1; }
    Entrant entrant_of(int number) const { return numbers()[static_cast<std::size_t>(number - 1)]; }
    pairing::Game& game_of(Entrant entrant, std::uint32_t round) {
        return table_.entrants[index_of(entrant)].games[round - 1];
    }

    void keep_apart() override {
        table_.forbidden.clear();
        if (options().keep_teams_apart) {
            for (const auto& team : teams()) forbid_group(team, 1, rounds());
        }
        for (const auto& pairs : forbidden())
            forbid_group(named(pairs.bots), pairs.first_round,
                         std::min(pairs.last_round, rounds()));
    }

    void forbid_group(const std::vector<Entrant>& members, std::uint32_t first_round,
                      std::uint32_t last_round) {
        pairing::ForbiddenGroup group{
            static_cast<int>(first_round), static_cast<int>(last_round), {}};
        for (const auto member : members) group.numbers.push_back(number_of(member));
        table_.forbidden.push_back(std::move(group));
    }

    bool kept_apart(const HandPairing& pairing) const {
        const auto round = static_cast<int>(pairing.round);
        return std::ranges::any_of(table_.forbidden, [&](const auto& group) {
            return group.first_round <= round && round <= group.last_round &&
                   base::contains(group.numbers, number_of(pairing.first)) &&
                   base::contains(group.numbers, number_of(pairing.second));
        });
    }

    // Those of the round whose both bots play it.
    std::vector<HandPairing> by_hand(std::uint32_t round) const {
        std::vector<HandPairing> pairings;
        std::ranges::copy_if(by_hand_, std::back_inserter(pairings), [&](const auto& pairing) {
            return pairing.round == round && plays(pairing.first, round) &&
                   plays(pairing.second, round);
        });
        return pairings;
    }

    void write_down(const MatchResult& result) override {
        for (std::size_t seat = 0; seat < 2; ++seat) {
            auto& game = game_of(result.seats[seat], result.round);
            const int place = result.placing[seat];
            const int other = result.placing[1 - seat];
            game.opponent = number_of(result.seats[1 - seat]);
            game.colour = seat == 0 ? pairing::Colour::white : pairing::Colour::black;
            game.points_tenths = tenths_of(result.points[seat]);
            if (result.forfeit()) {
                game.outcome = result.absent[seat] ? pairing::PairingOutcome::forfeit_loss
                                                   : pairing::PairingOutcome::forfeit_win;
            } else {
                game.outcome = place < other   ? pairing::PairingOutcome::win
                               : place > other ? pairing::PairingOutcome::loss
                                               : pairing::PairingOutcome::draw;
            }
        }
    }

    bool amend(const MatchResult& /*before*/, const MatchResult& after) override {
        write_down(after);
        return true;
    }

    std::optional<Round> draw_round(std::uint32_t round) override {
        table_.rounds_played = static_cast<int>(round) - 1;
        auto set = by_hand(round);
        auto paired = pair_around(set, round);
        if (!paired && !set.empty()) {
            set.clear();
            paired = pair_around(set, round);
        }
        if (!paired) {
            end_early(round, "paired: " + paired.error().reason);
            return std::nullopt;
        }
        // Boards that were set by hand come last.
        for (const auto& pairing : set)
            paired->boards.push_back({number_of(pairing.first), number_of(pairing.second)});
        return as_round(round, *paired);
    }

    base::Result<pairing::RoundPairing, pairing::NoLegalPairing> pair_around(
        const std::vector<HandPairing>& set, std::uint32_t round) {
        for (std::size_t i = 0; i < numbers().size(); ++i)
            table_.entrants[i].absent = !plays(numbers()[i], round);
        for (const auto& pairing : set) {
            table_.entrants[index_of(pairing.first)].absent = true;
            table_.entrants[index_of(pairing.second)].absent = true;
        }
        return pairing::pair_round(table_);
    }

    Round as_round(std::uint32_t round, const pairing::RoundPairing& pairs) {
        for (auto& entrant : table_.entrants) entrant.games.emplace_back();
        Round drawn_round;
        for (const auto& board : pairs.boards)
            drawn_round.matches.push_back({entrant_of(board.white), entrant_of(board.black)});
        if (pairs.bye != pairing::nobody) {
            const Entrant entrant = entrant_of(pairs.bye);
            game_of(entrant, round).outcome = pairing::PairingOutcome::allocated_bye;
            drawn_round.byes.push_back({round, entrant, config().bye_points, ByeKind::pairing});
        }
        for (const auto& bye : byes_of_absent(round)) {
            if (bye.kind == ByeKind::half_point)
                game_of(bye.entrant, round).outcome = pairing::PairingOutcome::half_bye;
            drawn_round.byes.push_back(bye);
        }
        return drawn_round;
    }

    pairing::PairingField table_;
    std::vector<HandPairing> by_hand_;
};

}  // namespace

bool first_begins_in_first_seat(std::uint64_t seed) {
    rating::Random lots(rating::derived_seed(seed, purpose_of_colour));
    return lots.below(2) == 0;
}

std::unique_ptr<Schedule> swiss_of_pairs(const FormatConfig& config, std::vector<Entry> entries,
                                         std::vector<Entrant> numbers, std::uint64_t seed) {
    return std::make_unique<SwissOfPairs>(config, std::move(entries), std::move(numbers), seed);
}

}  // namespace referee::formats
