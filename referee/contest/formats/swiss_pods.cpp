#include <utility>

#include "referee/contest/formats/pods.h"
#include "referee/contest/formats/swiss.h"
#include "referee/contest/formats/swiss_rounds.h"
#include "referee/contest/formats/terms.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {

namespace {

constexpr std::uint64_t purpose_of_rounds = 4;

// Pods are judged on the entrants in the order of their numbers, so that numbers, not places in
// the config, decide between equals.
class SwissOfPods final : public SwissRounds {
 public:
    SwissOfPods(const FormatConfig& config, std::vector<Entry> entries,
                std::vector<Entrant> in_order, std::uint64_t seed)
        : SwissRounds(config, std::move(entries), std::move(in_order)),
          seed_(rating::derived_seed(seed, purpose_of_rounds)) {
        pods_.seats = options().seats;
        pods_.seats_min = options().seats_min;
        for (std::size_t number = 0; number < numbers().size(); ++number) add_number();
        set_teams();
    }

    std::unique_ptr<Schedule> copy() const override { return std::make_unique<SwissOfPods>(*this); }

 private:
    void entered() override {
        add_number();
        set_teams();
    }
    // Looked at when a round is drawn.
    void keep_apart() override {}

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
        pods_.seats_had.emplace_back(options().seats, 0);
        pods_.smaller_pods.push_back(0);
        pods_.byes.push_back(0);
    }

    void set_teams() {
        pods_.team.assign(numbers().size(), 0);
        if (!options().keep_teams_apart) return;
        std::uint32_t name = 0;
        for (const auto& team : field().teams()) {
            ++name;
            for (const auto member : team) pods_.team[index_of(member)] = name;
        }
    }

    void set_apart(std::uint32_t round) {
        pods_.apart.clear();
        for (const auto& pairs : forbidden()) {
            if (round < pairs.first_round || round > pairs.last_round) continue;
            const auto entrants = pods_.entrants();
            pods_.apart.resize(entrants * entrants, false);
            const auto named = field().named(pairs.bots);
            for (const auto a : named)
                for (const auto b : named)
                    pods_.apart[index_of(a) * entrants + index_of(b)] = a != b;
        }
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
            const auto number = index_of(result.seats[a]);
            pods_.points_halves[number] += sign * result.points[a].in_halves();
            if (result.absent[a]) continue;  // an absent bot sat nowhere and met nobody
            add(pods_.seats_had[number][a]);
            if (result.seats.size() < options().seats) add(pods_.smaller_pods[number]);
            for (std::size_t b = 0; b < result.seats.size(); ++b) {
                if (a == b || result.absent[b]) continue;
                add(pods_.met[number * entrants + index_of(result.seats[b])]);
            }
        }
    }

    std::optional<Round> draw(std::uint32_t round,
                              const std::vector<MatchResult>& results) override {
        for (const auto& result : results) write_down(result);
        if (round > rounds()) return std::nullopt;
        if (is_deserted(round)) {
            end_early(round, "drawn: fewer than two bots are left");
            return std::nullopt;
        }
        pods_.plays.clear();
        for (const auto entrant : numbers()) pods_.plays.push_back(field().plays(entrant, round));
        set_apart(round);
        auto drawn_pods = pair_pods(pods_, rating::derived_seed(seed_, round));
        if (drawn_pods.judgement.forbidden > 0) {
            end_early(round, pods_.apart.empty() ? "drawn: team-mates would have to meet"
                                                 : "drawn: bots would have to meet that must not");
            return std::nullopt;
        }
        Round drawn_round;
        for (auto& pod : drawn_pods.pods) {
            for (auto& member : pod) member = numbers()[member];
            drawn_round.matches.push_back(std::move(pod));
        }
        for (const auto number : drawn_pods.byes) {
            ++pods_.byes[number];
            pods_.points_halves[number] += config().bye_points.in_halves();
            drawn_round.byes.push_back(
                {round, numbers()[number], config().bye_points, ByeKind::pairing});
        }
        for (const auto& bye : field().byes(round, draw_of_match(config()))) {
            pods_.points_halves[index_of(bye.entrant)] += bye.points.in_halves();
            drawn_round.byes.push_back(bye);
        }
        return drawn_round;
    }

    std::uint64_t seed_;
    PodField pods_;
};

}  // namespace

std::unique_ptr<Schedule> swiss_of_pods(const FormatConfig& config, std::vector<Entry> entries,
                                        std::vector<Entrant> numbers, std::uint64_t seed) {
    return std::make_unique<SwissOfPods>(config, std::move(entries), std::move(numbers), seed);
}

}  // namespace referee::formats
