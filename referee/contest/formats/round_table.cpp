#include "referee/contest/formats/round_table.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace referee::formats {
namespace {

std::size_t candidates_seat(const MatchResult& match) {
    const auto found = std::find(match.seats.begin(), match.seats.end(), gauntlet_candidate);
    return static_cast<std::size_t>(found - match.seats.begin());
}

double share_of_first_entrant(const SprtBounds& bounds, const MatchResult& match) {
    const auto seat = candidates_seat(match);
    return bounds.elo == EloOf::game ? share_of_games(match, seat) : share_of(match, seat);
}

// Colours the edges of a graph between pods and turns with `seats` colours, none twice at a pod or
// at a turn. A turn is a stretch of `seats` pods of one member: it holds each seat once, so that
// whole turns are even and the last one is within one.
class Colouring {
 public:
    Colouring(std::size_t pods, std::size_t turns, std::uint32_t seats)
        : seats_(seats), turn_at_(pods * seats, none), pod_at_(turns * seats, none) {}

    void add(std::size_t pod, std::size_t turn) {
        const auto seat = free_seat(turn_at_, pod);
        const auto other = free_seat(pod_at_, turn);
        if (pod_at_[turn * seats_ + seat] != none) exchange(turn, seat, other);
        turn_at_[pod * seats_ + seat] = turn;
        pod_at_[turn * seats_ + seat] = pod;
    }
    // Who sits there.
    std::size_t turn_at(std::size_t pod, std::uint32_t seat) const {
        return turn_at_[pod * seats_ + seat];
    }

 private:
    static constexpr std::size_t none = SIZE_MAX;

    std::uint32_t free_seat(const std::vector<std::size_t>& at, std::size_t node) const {
        for (std::uint32_t seat = 0; seat < seats_; ++seat) {
            if (at[node * seats_ + seat] == none) return seat;
        }
        REFEREE_ASSERT(false);
        return 0;
    }

    // Exchanges two seats along the path that starts at the turn with `seat`; at its start `other`
    // is free, so that afterwards `seat` is.
    void exchange(std::size_t turn, std::uint32_t seat, std::uint32_t other) {
        struct Edge {
            std::size_t pod;
            std::size_t turn;
            std::uint32_t seat;
        };
        std::vector<Edge> path;
        bool at_turn = true;
        std::uint32_t now = seat;
        std::size_t node = turn;
        for (;;) {
            const std::size_t next =
                at_turn ? pod_at_[node * seats_ + now] : turn_at_[node * seats_ + now];
            if (next == none) break;
            path.push_back(at_turn ? Edge{next, node, now} : Edge{node, next, now});
            node = next;
            at_turn = !at_turn;
            now = now == seat ? other : seat;
        }
        for (const auto& edge : path) {
            turn_at_[edge.pod * seats_ + edge.seat] = none;
            pod_at_[edge.turn * seats_ + edge.seat] = none;
        }
        for (const auto& edge : path) {
            const std::uint32_t changed = edge.seat == seat ? other : seat;
            turn_at_[edge.pod * seats_ + changed] = edge.turn;
            pod_at_[edge.turn * seats_ + changed] = edge.pod;
        }
    }

    std::uint32_t seats_;
    std::vector<std::size_t> turn_at_;  // by pod and seat
    std::vector<std::size_t> pod_at_;   // by turn and seat
};

// Orders the members of each pod by seat so that everybody has every seat equally often, or within
// one of that, over all the pods. Always possible; the pods are kept in their order.
// Requires: every pod has `seats` different members, numbered below `members`.
void even_seats(std::vector<std::vector<std::uint32_t>>& pods, std::uint32_t seats,
                std::uint32_t members) {
    std::vector<std::uint32_t> played(members, 0);
    std::vector<std::size_t> turn_of(members, 0);
    std::vector<std::uint32_t> member_of;  // by turn
    std::vector<std::vector<std::size_t>> turns_of_pods;
    for (const auto& pod : pods) {
        REFEREE_ASSERT(pod.size() == seats);
        auto& turns = turns_of_pods.emplace_back();
        for (const auto member : pod) {
            if (played[member]++ % seats == 0) {
                turn_of[member] = member_of.size();
                member_of.push_back(member);
            }
            turns.push_back(turn_of[member]);
        }
    }
    Colouring colouring(pods.size(), member_of.size(), seats);
    for (std::size_t pod = 0; pod < pods.size(); ++pod) {
        for (const auto turn : turns_of_pods[pod]) colouring.add(pod, turn);
    }
    for (std::size_t pod = 0; pod < pods.size(); ++pod) {
        for (std::uint32_t seat = 0; seat < seats; ++seat)
            pods[pod][seat] = member_of[colouring.turn_at(pod, seat)];
    }
}

class BergerTable final : public RoundTable {
 public:
    BergerTable(std::uint32_t players, std::uint32_t cycles, bool swap_last_rounds)
        : players_(players), cycles_(cycles), swap_(swap_last_rounds && cycles > 1) {}

    std::uint64_t rounds() const override {
        return std::uint64_t{berger::rounds(players_)} * cycles_;
    }

    std::size_t places(std::uint64_t /*round*/) const override { return berger::boards(players_); }

    std::vector<Entrant> seats(std::uint64_t round, std::size_t place) const override {
        const std::uint32_t in_cycle = berger::rounds(players_);
        const std::uint64_t cycle = round / in_cycle;
        auto row = static_cast<std::uint32_t>(round % in_cycle);
        const bool among_last_two = in_cycle >= 2 && row + 2 >= in_cycle;
        if (swap_ && cycle == 0 && among_last_two) row = 2 * in_cycle - 3 - row;
        // The bye of an odd field is the last place of its round rather than the first.
        const std::uint32_t boards = berger::boards(players_);
        auto board = static_cast<std::uint32_t>(place);
        if (players_ % 2 == 1) board = (board + 1) % boards;
        auto [white, black] = berger::pair(players_, row, board);
        if (cycle % 2 == 1) std::swap(white, black);
        if (white > players_) return {black - 1};
        if (black > players_) return {white - 1};
        return {white - 1, black - 1};
    }

    std::uint64_t matches_total() const override {
        return std::uint64_t{players_} * (players_ - 1) / 2 * cycles_;
    }

 private:
    std::uint32_t players_;
    std::uint32_t cycles_;
    bool swap_;
};

class PodTable final : public RoundTable {
 public:
    PodTable(std::uint32_t entrants, std::uint32_t seats, std::uint32_t cycles) {
        const auto rounds = rounds_of_pods(pod_cover(entrants, seats, cycles), entrants);
        for (const auto& pods : rounds) {
            first_of_round_.push_back(pods_.size());
            pods_.insert(pods_.end(), pods.begin(), pods.end());
        }
        first_of_round_.push_back(pods_.size());
        even_seats(pods_, seats, entrants);
    }

    std::uint64_t rounds() const override { return first_of_round_.size() - 1; }

    std::size_t places(std::uint64_t round) const override {
        return first_of_round_[round + 1] - first_of_round_[round];
    }

    std::vector<Entrant> seats(std::uint64_t round, std::size_t place) const override {
        const auto& pod = pods_[first_of_round_[round] + place];
        return {pod.begin(), pod.end()};
    }

    std::uint64_t matches_total() const override { return pods_.size(); }

 private:
    std::vector<std::vector<std::uint32_t>> pods_;  // by seat, round after round
    std::vector<std::size_t> first_of_round_;       // and the end
};

class LeaderboardTable final : public RoundTable {
 public:
    LeaderboardTable(std::vector<Entrant> opponents, std::size_t entrants)
        : opponents_(std::move(opponents)) {
        for (Entrant entrant = 0; entrant < entrants; ++entrant) {
            if (std::find(opponents_.begin(), opponents_.end(), entrant) == opponents_.end())
                ranked_.push_back(entrant);
        }
    }

    std::uint64_t rounds() const override { return 1; }
    std::size_t places(std::uint64_t round) const override {
        return round == 0 ? ranked_.size() : 0;
    }
    std::vector<Entrant> seats(std::uint64_t /*round*/, std::size_t place) const override {
        std::vector<Entrant> seats{ranked_[place]};
        seats.insert(seats.end(), opponents_.begin(), opponents_.end());
        return seats;
    }
    bool alone_is_bye() const override { return false; }
    std::uint64_t matches_total() const override { return ranked_.size(); }

 private:
    std::vector<Entrant> opponents_;
    std::vector<Entrant> ranked_;
};

class GauntletTable final : public RoundTable {
 public:
    GauntletTable(const GauntletOptions& options, std::size_t entrants)
        : seats_(options.match_seats),
          groups_((entrants - 1) / (seats_ - 1)),
          matches_(std::uint64_t{groups_} * options.cycles) {}

    std::uint64_t rounds() const override { return matches_; }
    std::size_t places(std::uint64_t /*round*/) const override { return 1; }
    std::vector<Entrant> seats(std::uint64_t round, std::size_t /*place*/) const override {
        std::vector<Entrant> seats{gauntlet_candidate};
        const Entrant first_opponent = gauntlet_candidate + 1 + round % groups_ * (seats_ - 1);
        while (seats.size() < seats_) seats.push_back(first_opponent + seats.size() - 1);
        const auto moved = static_cast<std::ptrdiff_t>(round / groups_ % seats_);
        std::rotate(seats.rbegin(), seats.rbegin() + moved, seats.rend());
        return seats;
    }
    std::uint64_t matches_total() const override { return matches_; }

 private:
    std::size_t seats_;   // of a match
    std::size_t groups_;  // of opponents, each in a match
    std::uint64_t matches_;
};

class TableSchedule final : public Schedule {
 public:
    TableSchedule(std::unique_ptr<RoundTable> table, std::vector<Entrant> numbers,
                  const std::optional<SprtBounds>& test)
        : table_(std::move(table)), numbers_(std::move(numbers)) {
        if (test) test_.emplace(*test);
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<TableSchedule>(*this);
    }

    Next next() override {
        while (round_ < table_->rounds() && place_ == table_->places(round_)) {
            ++round_;
            place_ = 0;
        }
        if (round_ == table_->rounds() || (test_ && test_->state().over())) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        auto seats = table_->seats(round_, place_++);
        for (auto& seat : seats) seat = numbers_[seat];
        const auto round = static_cast<std::uint32_t>(round_ + 1);
        if (seats.size() == 1 && table_->alone_is_bye())
            return Bye{round, seats.front(), {}, ByeKind::pairing};
        return Pairing{++handed_out_, round, std::move(seats)};
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        REFEREE_ASSERT(recorded_ <= handed_out_);
        if (test_) test_->record(result);
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        if (test_) test_->forget(match);
        return true;
    }

    std::string ended_early() const override {
        if (!test_ || !test_->state().gave_up()) return {};
        return fmt::format(
            "the last {} matches brought nothing new: they repeated games that were played before, "
            "or somebody didn't come",
            repeats_most);
    }
    // Nothing to do: its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (test_) return std::nullopt;
        return table_->matches_total();
    }

 private:
    std::shared_ptr<const RoundTable> table_;  // copies share it
    std::vector<Entrant> numbers_;
    std::uint64_t round_ = 0;
    std::size_t place_ = 0;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    std::optional<GauntletTest> test_;
};

}  // namespace

GauntletTest::GauntletTest(const SprtBounds& bounds)
    : bounds_(bounds), test_(bounds), state_{test_.state()} {}

void GauntletTest::record(const MatchResult& match) {
    matches_.emplace(match.match, match);
    look_on();
}

void GauntletTest::forget(std::uint64_t match) {
    matches_.erase(match);
    if (match > state_.matches) return;
    test_ = rating::SequentialTest(bounds_);
    new_games_ = {};
    state_ = {test_.state()};
    look_on();
}

void GauntletTest::look_on() {
    while (!state_.over()) {
        const auto next = matches_.find(state_.matches + 1);
        if (next == matches_.end()) return;
        look_at(next->second);
    }
}

// A match to which somebody didn't come shows nothing of strength.
void GauntletTest::look_at(const MatchResult& match) {
    ++state_.matches;
    ++state_.repeats;
    if (match.forfeit() || !new_games_.is_new(match)) return;
    state_.repeats = 0;
    test_.add(share_of_first_entrant(bounds_, match));
    state_.test = test_.state();
}

double share_of_candidate(std::span<const MatchResult> results) {
    double sum = 0;
    for (const auto& match : results) sum += share_of(match, candidates_seat(match));
    return results.empty() ? 0 : sum / static_cast<double>(results.size());
}

GauntletTestState gauntlet_test(const SprtBounds& bounds, std::span<const MatchResult> results) {
    GauntletTest test(bounds);
    for (const auto& result : results) test.record(result);
    return test.state();
}

std::unique_ptr<RoundTable> berger_table(std::size_t entrants, std::uint32_t cycles,
                                         bool swap_last_rounds) {
    REFEREE_ASSERT(entrants >= 2);
    return std::make_unique<BergerTable>(static_cast<std::uint32_t>(entrants), cycles,
                                         swap_last_rounds);
}

std::unique_ptr<RoundTable> pod_table(std::size_t entrants, std::size_t seats,
                                      std::uint32_t cycles) {
    REFEREE_ASSERT(seats >= 2 && seats <= entrants);
    return std::make_unique<PodTable>(static_cast<std::uint32_t>(entrants),
                                      static_cast<std::uint32_t>(seats), cycles);
}

std::unique_ptr<RoundTable> leaderboard_table(const std::vector<Entrant>& opponents,
                                              std::size_t entrants) {
    return std::make_unique<LeaderboardTable>(opponents, entrants);
}

std::unique_ptr<RoundTable> gauntlet_table(const GauntletOptions& options, std::size_t entrants) {
    REFEREE_ASSERT(options.match_seats >= 2 && entrants >= options.match_seats);
    return std::make_unique<GauntletTable>(options, entrants);
}

std::unique_ptr<Schedule> table_schedule(std::unique_ptr<RoundTable> table,
                                         std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test) {
    return std::make_unique<TableSchedule>(std::move(table), std::move(numbers), test);
}

}  // namespace referee::formats
