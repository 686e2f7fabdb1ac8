#include <algorithm>
#include <utility>

#include "protocol/json/assertion.h"
#include "referee/rating/random.h"
#include "referee/tournament/pods.h"
#include "referee/tournament/round_by_round.h"
#include "referee/tournament/swiss.h"
#include "referee/tournament/swiss_field.h"

namespace referee::tournament {

namespace {

constexpr std::uint64_t purpose_of_rounds = 4;

// Pods are judged on the entrants in the order of their numbers, so that numbers, not places in
// the config, decide between equals.
class SwissOfPods final : public RoundByRound {
 public:
    SwissOfPods(const FormatConfig& config, std::vector<Entry> entries,
                std::vector<Entrant> numbers, std::uint64_t seed)
        : config_(config),
          field_(std::move(entries)),
          numbers_(std::move(numbers)),
          seed_(rating::derived_seed(seed, purpose_of_rounds)) {
        rounds_ = config.rounds != 0 ? config.rounds : default_rounds(field_.size(), config.seats);
        pods_.seats = config.seats;
        pods_.seats_min = config.seats_min;
        for (std::size_t number = 0; number < numbers_.size(); ++number) add_number();
        set_teams();
    }

    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }

    void withdraw(Entrant entrant, std::uint32_t round) override {
        field_.withdraw(entrant, std::max(round, drawn() + 1));
    }

    std::optional<Entrant> enter(const Entry& entry, std::uint32_t round) override {
        if (round <= drawn() || round > rounds_) return std::nullopt;
        const Entrant entrant = field_.enter(entry, round);
        numbers_.push_back(entrant);
        add_number();
        set_teams();
        return entrant;
    }

    bool come_back(Entrant entrant, std::uint32_t round) override {
        if (round > rounds_) return false;
        field_.come_back(entrant);
        return true;
    }

    std::string ended_early() const override { return ended_early_; }

 private:
    void add_number() {
        const std::size_t before = pods_.entrants();
        std::vector<std::uint16_t> met((before + 1) * (before + 1), 0);
        for (std::size_t a = 0; a < before; ++a) {
            for (std::size_t b = 0; b < before; ++b) {
                met[a * (before + 1) + b] = pods_.met[a * before + b];
            }
        }
        pods_.met = std::move(met);
        pods_.points_halves.push_back(0);
        pods_.seats_had.emplace_back(config_.seats, 0);
        pods_.smaller_pods.push_back(0);
        pods_.byes.push_back(0);
    }

    void set_teams() {
        pods_.team.assign(numbers_.size(), 0);
        if (!config_.keep_teams_apart) return;
        std::uint32_t name = 0;
        for (const auto& team : field_.teams()) {
            ++name;
            for (const auto member : team) pods_.team[number_of(member)] = name;
        }
    }

    std::size_t number_of(Entrant entrant) const {
        return static_cast<std::size_t>(std::find(numbers_.begin(), numbers_.end(), entrant) -
                                        numbers_.begin());
    }

    void write_down(const MatchResult& result) { count(result, 1); }

    bool amend(const MatchResult& before, const MatchResult& after) override {
        count(before, -1);
        count(after, 1);
        return true;
    }

    // Adds what a match came to, or takes it away again.
    void count(const MatchResult& result, int sign) {
        const auto add = [sign](auto& number) {
            using Number = std::decay_t<decltype(number)>;
            number = static_cast<Number>(static_cast<std::int64_t>(number) + sign);
        };
        const auto entrants = pods_.entrants();
        for (std::size_t a = 0; a < result.seats.size(); ++a) {
            const auto number = number_of(result.seats[a]);
            pods_.points_halves[number] += sign * result.points[a].in_halves();
            if (result.absent[a]) continue;  // it sat nowhere and met nobody
            add(pods_.seats_had[number][a]);
            if (result.seats.size() < config_.seats) add(pods_.smaller_pods[number]);
            for (std::size_t b = 0; b < result.seats.size(); ++b) {
                if (a == b || result.absent[b]) continue;
                add(pods_.met[number * entrants + number_of(result.seats[b])]);
            }
        }
    }

    std::optional<Round> draw(std::uint32_t round,
                              const std::vector<MatchResult>& results) override {
        for (const auto& result : results) write_down(result);
        if (round > rounds_) return std::nullopt;
        pods_.plays.clear();
        for (const auto entrant : numbers_) pods_.plays.push_back(field_.plays(entrant, round));
        auto drawn_pods = pair_pods(pods_, rating::derived_seed(seed_, round));
        if (drawn_pods.judgement.forbidden > 0) {
            ended_early_ = "round " + std::to_string(round) +
                           " can't be drawn: team-mates would have to meet";
            return std::nullopt;
        }
        Round drawn_round;
        for (auto& pod : drawn_pods.pods) {
            for (auto& member : pod) member = numbers_[member];
            drawn_round.matches.push_back(std::move(pod));
        }
        for (const auto number : drawn_pods.byes) {
            ++pods_.byes[number];
            pods_.points_halves[number] += config_.bye_points.in_halves();
            drawn_round.byes.push_back(
                {round, numbers_[number], config_.bye_points, ByeKind::pairing});
        }
        for (const auto& bye : field_.byes(round, config_.draw_points)) {
            pods_.points_halves[number_of(bye.entrant)] += bye.points.in_halves();
            drawn_round.byes.push_back(bye);
        }
        return drawn_round;
    }

    FormatConfig config_;
    SwissField field_;
    std::vector<Entrant> numbers_;
    std::uint64_t seed_;
    PodField pods_;
    std::uint32_t rounds_ = 0;
    std::string ended_early_;
};

}  // namespace

std::unique_ptr<Schedule> swiss_of_pods(const FormatConfig& config, std::vector<Entry> entries,
                                        std::vector<Entrant> numbers, std::uint64_t seed) {
    return std::make_unique<SwissOfPods>(config, std::move(entries), std::move(numbers), seed);
}

}  // namespace referee::tournament
