#include "referee/contest/formats/swiss.h"

#include <algorithm>
#include <map>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/pods.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

// Below, everybody can meet everybody: a table of all rounds is found whatever came before.
constexpr std::size_t entrants_at_risk = 5;

// Whether everybody has each seat equally often in every match, so that there is no colour to
// balance.
bool balances_seats(const MatchConfig& match, std::size_t seats) {
    if (match.solo) return true;
    return match.seat_order == SeatOrder::rotate && !match.best_of && match.games % seats == 0;
}

std::string advice_on(const SwissOptions& its, const MatchConfig& match, std::size_t entrants) {
    if (its.seats != 2 || entrants < entrants_at_risk) return {};
    const auto rounds = rounds_of(its, entrants);
    // From so many rounds on a Swiss of two seats often comes to one that can't be paired, because
    // those who are left have met. Of simulated tournaments (6 to 20 bots, a fifth of games drawn)
    // nearly none ended early with fewer; with so many 34 % of 6 bots did in 4 rounds (21 % without
    // colours), 20 % of 16 in 14, 30 % in 15 (15 %).
    const auto risk = rounds_without_repeats(entrants, 2) - 1;
    if (rounds < risk) return {};
    std::string advice =
        base::counted(rounds, "round") + " of a swiss are many for " +
        base::counted(entrants, "bot") +
        ": it may come to a round that can't be paired, because those who are left "
        "have met, and then it ends early; expected at most " +
        std::to_string(risk - 1) + R"(, or "kind": "round_robin" with all )" +
        std::to_string(rounds_without_repeats(entrants, 2));
    if (its.colours && balances_seats(match, 2))
        advice +=
            R"(; its matches have each bot in each seat equally often, so "colours": false, with )"
            "which seats forbid no pair, makes that rarer";
    return advice;
}

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
        keep_apart();
    }

    std::unique_ptr<Schedule> copy() const override { return std::make_unique<SwissOfPods>(*this); }

 private:
    void add_number() override {
        const std::size_t before = pods_.entrants();
        std::vector<std::uint16_t> met((before + 1) * (before + 1), 0);
        for (std::size_t a = 0; a < before; ++a) {
            for (std::size_t b = 0; b < before; ++b)
                met[a * (before + 1) + b] = pods_.met[a * before + b];
        }
        pods_.met = std::move(met);
        pods_.points_halves.push_back(0);
        pods_.seats_had.emplace_back(options().seats, 0);
        pods_.smaller_pods.push_back(0);
        pods_.byes.push_back(0);
    }

    // Forbidden pairs are looked at when a round is drawn.
    void keep_apart() override {
        pods_.team.assign(numbers().size(), 0);
        if (!options().keep_teams_apart) return;
        std::uint32_t name = 0;
        for (const auto& team : teams()) {
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
            const auto kept_apart = named(pairs.bots);
            for (const auto a : kept_apart)
                for (const auto b : kept_apart)
                    pods_.apart[index_of(a) * entrants + index_of(b)] = a != b;
        }
    }

    void write_down(const MatchResult& result) override { count(result, 1); }

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

    std::optional<Round> draw_round(std::uint32_t round) override {
        pods_.plays.clear();
        for (const auto entrant : numbers()) pods_.plays.push_back(plays(entrant, round));
        set_apart(round);
        auto drawn_pods = pair_pods(pods_, rating::derived_seed(seed_, round));
        if (drawn_pods.judgement.forbidden()) {
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
        for (const auto& bye : byes_of_absent(round)) {
            pods_.points_halves[index_of(bye.entrant)] += bye.points.in_halves();
            drawn_round.byes.push_back(bye);
        }
        return drawn_round;
    }

    std::uint64_t seed_;
    PodField pods_;
};

}  // namespace

std::string swiss_advice(const FormatConfig& format, const MatchConfig& match,
                         std::size_t entrants) {
    if (const auto* swiss = format.as<SwissOptions>()) return advice_on(*swiss, match, entrants);
    auto field = entrants;
    for (const auto& stage : stages_of(format)) {
        if (stage.advance != 0) field = std::min(field, stage.advance);
        const auto* swiss = stage.format.as<SwissOptions>();
        if (swiss == nullptr) continue;
        if (auto advice = advice_on(*swiss, match, field); !advice.empty()) return advice;
    }
    return {};
}

SwissRounds::SwissRounds(const FormatConfig& config, std::vector<Entry> entries,
                         std::vector<Entrant> numbers)
    : config_(config),
      entries_(std::move(entries)),
      forbidden_(options().forbidden_pairs),
      numbers_(std::move(numbers)),
      rounds_(rounds_of(options(), entries_.size())) {}

void SwissRounds::withdraw(Entrant entrant, std::uint32_t round) {
    REFEREE_ASSERT(entrant < entries_.size());
    auto& last = entries_[entrant].last_round;
    last = std::min(last, std::max(round, drawn() + 1) - 1);
}

std::optional<Entrant> SwissRounds::enter(const Entry& entry, std::uint32_t round) {
    if (round <= drawn() || round > rounds_) return std::nullopt;
    const Entrant entrant = entries_.size();
    entries_.push_back(entry);
    entries_.back().first_round = round;
    entered_late_.push_back(entrant);
    numbers_.push_back(entrant);
    add_number();
    keep_apart();
    return entrant;
}

bool SwissRounds::come_back(Entrant entrant, std::uint32_t round) {
    if (round > rounds_) return false;
    entries_[entrant].last_round = UINT32_MAX;
    return true;
}

void SwissRounds::forbid(const ForbiddenPairs& pairs, bool lifted) {
    lifted ? lift(forbidden_, pairs) : formats::forbid(forbidden_, pairs);
    keep_apart();
}

std::size_t SwissRounds::index_of(Entrant entrant) const {
    return static_cast<std::size_t>(std::ranges::find(numbers_, entrant) - numbers_.begin());
}

bool SwissRounds::tries_again() {
    ended_early_.clear();
    return drawn() < rounds_;
}

std::optional<RoundByRound::Round> SwissRounds::draw(std::uint32_t round,
                                                     const std::vector<MatchResult>& results) {
    for (const auto& result : results) write_down(result);
    if (round > rounds_) return std::nullopt;
    const auto left = std::ranges::count_if(
        entries_, [round](const auto& entry) { return entry.last_round >= round; });
    // No more rounds are drawn, so that the others can be let in again; those on record are.
    if (on_record() || left >= 2) return draw_round(round);
    end_early(round, "drawn: fewer than two bots are left");
    return std::nullopt;
}

void SwissRounds::end_early(std::uint32_t round, const std::string& why) {
    ended_early_ = fmt::format("round {} can't be {}", round, why);
}

std::vector<Bye> SwissRounds::byes_of_absent(std::uint32_t round) const {
    std::vector<Bye> byes;
    for (const auto entrant : entered_late_) {
        if (entries_[entrant].first_round != round) continue;
        for (std::uint32_t missed = 1; missed < round; ++missed)
            byes.push_back({missed, entrant, {}, ByeKind::zero_point});
    }
    for (Entrant entrant = 0; entrant < entries_.size(); ++entrant) {
        const auto& entry = entries_[entrant];
        const bool late = base::contains(entered_late_, entrant);
        if (entry.plays(round) || (late && round < entry.first_round)) continue;
        if (entry.is_there(round) && entry.bye_asked_for(round) == ByeKind::half_point) {
            byes.push_back({round, entrant, draw_of_match(config_), ByeKind::half_point});
        } else {
            byes.push_back({round, entrant, {}, ByeKind::zero_point});
        }
    }
    return byes;
}

std::vector<Entrant> SwissRounds::named(const std::vector<std::string>& bots) const {
    std::vector<Entrant> found;
    for (const auto& bot : bots) {
        if (const auto entrant = entrant_named(entries_, bot)) found.push_back(*entrant);
    }
    return found;
}

std::vector<std::vector<Entrant>> SwissRounds::teams() const {
    std::map<std::string, std::vector<Entrant>> by_name;
    for (Entrant entrant = 0; entrant < entries_.size(); ++entrant) {
        if (!entries_[entrant].team.empty()) by_name[entries_[entrant].team].push_back(entrant);
    }
    std::vector<std::vector<Entrant>> teams;
    for (auto& [name, members] : by_name) {
        if (members.size() > 1) teams.push_back(std::move(members));
    }
    return teams;
}

std::unique_ptr<Schedule> swiss_of_pods(const FormatConfig& config, std::vector<Entry> entries,
                                        std::vector<Entrant> numbers, std::uint64_t seed) {
    return std::make_unique<SwissOfPods>(config, std::move(entries), std::move(numbers), seed);
}

}  // namespace referee::formats
