#include <algorithm>
#include <cmath>
#include <limits>

#include "protocol/base/text.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/schedule.h"

namespace referee::formats {
namespace {

constexpr std::uint64_t purpose_of_adaptive_rounds = 7;
// One match of a round for so many entrants: more would be drawn by what is known too little.
constexpr std::size_t entrants_for_each_match = 8;
constexpr std::size_t matches_of_round_least = 2;
// Fields are drawn further apart than the results say, because much more is wanted than to know it
// probably: who is told apart at last lies four errors away.
constexpr double boldness = 2;
constexpr int draws_most = 30;
// All results are looked at anew when there are a hundredth more of them.
constexpr std::uint64_t matches_for_each_look = 100;
// A bot that missed so many matches in a row isn't waited for.
constexpr int missed_most = 3;
// Matches for each entrant where the config gives no number.
constexpr std::uint64_t matches_for_each = 100;

class Adaptive final : public RoundByRound {
 public:
    Adaptive(const AdaptiveOptions& options, const std::vector<Entry>& entries, std::uint64_t seed)
        : options_(options),
          state_(options, entries.size()),
          seed_(rating::derived_seed(seed, purpose_of_adaptive_rounds)) {
        for (const auto& entry : entries) add(entry);
    }

    std::unique_ptr<Schedule> copy() const override { return std::make_unique<Adaptive>(*this); }
    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }
    std::string answer() const override {
        if (!over_ || !state_.answered()) return {};
        return "its question is answered, after " + base::counted(played_, "match", "matches");
    }
    std::string ended_early() const override { return ended_early_; }
    bool has_places() const override { return true; }
    void end_by_time() override { time_is_over_ = true; }

    std::optional<std::vector<std::size_t>> places() const override {
        std::vector<std::size_t> places(players_.size());
        for (std::size_t place = 0; place < places.size(); ++place)
            places[state_.order()[place]] = place + 1;
        return places;
    }

    void withdraw(Entrant entrant, std::uint32_t round) override {
        players_[entrant].away_from = round;
    }
    bool come_back(Entrant entrant, std::uint32_t /*round*/) override {
        if (over_) return false;
        players_[entrant].away_from = std::numeric_limits<std::uint32_t>::max();
        players_[entrant].missed = 0;
        return true;
    }
    std::optional<Entrant> enter(const Entry& entry, std::uint32_t round) override {
        if (over_ || round <= drawn() || players_.size() >= adaptive_entrants_most)
            return std::nullopt;
        add(entry);
        players_.back().here_from = round;
        state_.enter();
        look_at_ = 0;
        return players_.size() - 1;
    }

 private:
    bool tries_again() override {
        open_again();
        before_end_.reset();
        look_at_ = 0;
        return true;
    }
    bool take_end_back() override {
        if (!before_end_) return false;
        auto before = *std::exchange(before_end_, std::nullopt);
        state_ = std::move(before.state);
        players_ = std::move(before.players);
        look_at_ = before.look_at;
        open_again();
        return true;
    }
    void open_again() {
        over_ = time_is_over_ = false;
        ended_early_.clear();
    }

    struct Player {
        std::uint32_t here_from = 1;
        std::uint32_t away_from = std::numeric_limits<std::uint32_t>::max();
        bool here = true;
        int missed = 0;  // matches in a row
    };
    using Matches = std::vector<std::vector<Entrant>>;
    // How it stood before it took in the results of its last round.
    struct BeforeEnd {
        AdaptiveState state;
        std::vector<Player> players;
        std::uint64_t look_at = 0;
    };

    void add(const Entry& entry) {
        auto& player = players_.emplace_back();
        player.here_from = entry.first_round;
        if (entry.last_round < player.away_from) player.away_from = entry.last_round + 1;
    }

    std::optional<Round> draw(std::uint32_t round,
                              const std::vector<MatchResult>& results) override {
        before_end_ = BeforeEnd{state_, players_, look_at_};
        auto drawn = draw_or_end(round, results);
        if (drawn) before_end_.reset();
        return drawn;
    }

    std::optional<Round> draw_or_end(std::uint32_t round, const std::vector<MatchResult>& results) {
        for (const auto& result : results) write_down(result);
        note_who_is_here(round);
        if (played_ >= look_at_) look();
        const auto most = adaptive_matches_most(options_, players_.size());
        if (state_.answered()) {
            over_ = true;
            return std::nullopt;
        }
        if (played_ >= most) return end(fmt::format("its {} matches are played", most));
        if (time_is_over_) return end("its time is over");
        rating::Random lots(rating::derived_seed(seed_, round));
        Round drawn;
        free_.clear();
        for (const auto& player : players_)
            free_.push_back(player.here && player.missed < missed_most);
        drawn.matches = round <= options_.opening ? opening(lots) : telling(lots);
        if (drawn.matches.empty())
            return end(
                "nobody is left whose matches could tell more: bots left, didn't come, or "
                "played the same games again");
        if (drawn.matches.size() > most - played_) drawn.matches.resize(most - played_);
        played_ += drawn.matches.size();
        return drawn;
    }

    void look() {
        state_.look();
        look_at_ = played_ + played_ / matches_for_each_look + 1;
    }

    // Who left is no answer any more: all is looked at anew when somebody leaves or comes.
    void note_who_is_here(std::uint32_t round) {
        for (Entrant each = 0; each < players_.size(); ++each) {
            auto& player = players_[each];
            const bool here = player.here_from <= round && round < player.away_from;
            if (here == player.here) continue;
            player.here = here;
            state_.set_here(each, here);
            look_at_ = 0;
        }
    }

    std::optional<Round> end(const std::string& why) {
        over_ = true;
        state_.look();
        if (!state_.answered()) ended_early_ = "the question isn't answered, and " + why;
        return std::nullopt;
    }

    void write_down(const MatchResult& result) {
        for (std::size_t seat = 0; seat < result.seats.size(); ++seat) {
            auto& missed = players_[result.seats[seat]].missed;
            missed = result.absent[seat] ? missed + 1 : 0;
        }
        const auto known = known_matches(result);
        state_.record(result);
        if (known_matches(result) < known) look_at_ = 0;  // another program plays
    }
    double known_matches(const MatchResult& result) const {
        return state_.matches(result.seats[0]) + state_.matches(result.seats[1]);
    }

    // Seats two of the free.
    std::vector<Entrant> seated(Entrant a, Entrant b) {
        free_[a] = free_[b] = false;
        auto& one = as_first_[{a, b}];
        auto& other = as_first_[{b, a}];
        if (one <= other) {
            ++one;
            return {a, b};
        }
        ++other;
        return {b, a};
    }

    Matches opening(rating::Random& lots) {
        std::vector<Entrant> here;
        for (Entrant each = 0; each < players_.size(); ++each)
            if (free_[each]) here.push_back(each);
        lots.shuffle(std::span<Entrant>(here));
        Matches matches;
        for (std::size_t k = 0; k + 1 < here.size(); k += 2)
            matches.push_back(seated(here[k], here[k + 1]));
        return matches;
    }

    bool may_meet(Entrant a, Entrant b) const {
        return a != b && free_[a] && free_[b] && !state_.settled(a, b);
    }

    bool is_newcomer(Entrant entrant) const {
        return state_.matches(entrant) < static_cast<double>(options_.opening);
    }

    // Who entered late, or plays with another program, meets as many as the others did in the
    // opening: drawn by lot, of those who are known where they are free.
    Matches of_newcomers(rating::Random& lots) {
        Matches matches;
        for (Entrant each = 0; each < players_.size(); ++each) {
            if (!free_[each] || !is_newcomer(each)) continue;
            std::vector<Entrant> known;
            std::vector<Entrant> others;
            for (Entrant other = 0; other < players_.size(); ++other)
                if (may_meet(each, other)) (is_newcomer(other) ? others : known).push_back(other);
            const auto& from = known.empty() ? others : known;
            if (!from.empty()) matches.push_back(seated(each, from[lots.below(from.size())]));
        }
        return matches;
    }

    Matches telling(rating::Random& lots) {
        const auto wanted =
            std::max(matches_of_round_least, players_.size() / entrants_for_each_match);
        auto matches = of_newcomers(lots);
        while (matches.size() < wanted) {
            auto pair = disputed(lots);
            if (!pair) pair = least_sure();
            if (!pair) break;
            const auto [a, b] = *telling_most(*pair);
            matches.push_back(seated(a, b));
        }
        return matches;
    }

    std::vector<double> possible_field(rating::Random& lots) const {
        std::vector<double> shares;
        for (Entrant each = 0; each < players_.size(); ++each)
            shares.push_back(state_.model().share(each) +
                             boldness * std::sqrt(state_.model().variance(each)) * lots.normal());
        return shares;
    }

    std::optional<AskedPair> disputed(rating::Random& lots) const {
        const auto one = possible_field(lots);
        for (int count = 0; count < draws_most; ++count) {
            const auto pair = state_.disputed(one, possible_field(lots), lots);
            if (pair && telling_most(*pair)) return pair;
        }
        return std::nullopt;
    }

    // Of the asked pairs that aren't told apart, the one whose difference is the smallest part of
    // its error.
    std::optional<AskedPair> least_sure() const {
        std::optional<AskedPair> found;
        double least = 0;
        for (const auto& pair : state_.asked()) {
            if (pair.told) continue;
            const double ahead =
                state_.model().share(pair.above) - state_.model().share(pair.below);
            const double errors = ahead * ahead / state_.model().variance(pair.above, pair.below);
            if ((found && errors >= least) || !telling_most(pair)) continue;
            found = pair;
            least = errors;
        }
        return found;
    }

    // The match that makes the pair's difference surest: of the two, or of one of them with
    // somebody else, where the two have met so often that only their own deviation would be learnt.
    std::optional<std::pair<Entrant, Entrant>> telling_most(const AskedPair& pair) const {
        std::optional<std::pair<Entrant, Entrant>> best;
        double most = 0;
        for (const auto one : {pair.above, pair.below}) {
            for (Entrant other = 0; other < players_.size(); ++other) {
                if (one == other || !free_[one] || !free_[other]) continue;
                const double gain = state_.model().gain(pair.above, pair.below, one, other);
                if (gain <= most || state_.settled(one, other)) continue;
                most = gain;
                best = {one, other};
            }
        }
        return best;
    }

    AdaptiveOptions options_;
    AdaptiveState state_;
    std::uint64_t seed_;
    std::vector<Player> players_;
    std::vector<bool> free_;  // to sit down in the round that is drawn
    // By both entrants: how often the first of the two had the first seat against the other.
    std::map<std::pair<Entrant, Entrant>, std::uint32_t> as_first_;
    std::uint64_t played_ = 0;
    std::uint64_t look_at_ = 1;  // so many matches must be played
    bool time_is_over_ = false;
    bool over_ = false;
    std::optional<BeforeEnd> before_end_;  // where it ended
    std::string ended_early_;
};

}  // namespace

std::uint64_t adaptive_matches_most(const AdaptiveOptions& options, std::size_t entrants) {
    return options.matches != 0 ? options.matches : matches_for_each * entrants;
}

std::unique_ptr<Schedule> adaptive(const AdaptiveOptions& options,
                                   const std::vector<Entry>& entries, std::uint64_t seed) {
    return std::make_unique<Adaptive>(options, entries, seed);
}

}  // namespace referee::formats
