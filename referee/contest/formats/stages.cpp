#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/standings/standings.h"

namespace referee::formats {
namespace {

constexpr std::uint64_t purpose_of_stages = 5;

class Stages final : public Schedule {
 public:
    Stages(const StagesOptions& options, std::vector<Entry> entries, std::uint64_t seed)
        : stages_(options.stages), entries_(std::move(entries)), seed_(seed) {
        field_ = numbers_of(entries_.size());
        ended_as_.assign(entries_.size(), 0);
        begin_stage();
    }

    std::unique_ptr<Schedule> copy() const override {
        auto twin = std::make_unique<Stages>(*this);
        twin->current_ = current_->copy();
        return twin;
    }

    Next next() override {
        for (;;) {
            auto next = current_->next();
            if (auto* pairing = std::get_if<Pairing>(&next)) {
                last_match_ = std::max(last_match_, match_base_ + pairing->match);
                last_round_ = std::max(last_round_, round_base_ + pairing->round);
                pairing->match += match_base_;
                pairing->round += round_base_;
                for (auto& seat : pairing->seats) seat = field_[seat];
                return next;
            }
            if (auto* bye = std::get_if<Bye>(&next)) {
                byes_.push_back(*bye);
                last_round_ = std::max(last_round_, round_base_ + bye->round);
                bye->round += round_base_;
                bye->entrant = field_[bye->entrant];
                return next;
            }
            if (std::holds_alternative<Wait>(next)) return next;
            if (!end_stage()) return Finished{};
        }
    }

    void record(const MatchResult& result) override {
        auto inner = result;
        REFEREE_ASSERT(result.match > match_base_ && result.round > round_base_);
        inner.match -= match_base_;
        inner.round -= round_base_;
        for (auto& seat : inner.seats) seat = place_of(seat).value();
        results_.put(inner);
        current_->record(inner);
    }

    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }

    std::optional<std::vector<std::size_t>> places() const override {
        auto places = ended_as_;
        const auto now = current_places();
        for (std::size_t i = 0; i < field_.size(); ++i) places[field_[i]] = now[i];
        return places;
    }
    bool has_places() const override { return true; }

    bool takes_wishes() const override { return current_->takes_wishes(); }
    // Of this stage, and of those behind it.
    void forbid(const ForbiddenPairs& pairs, bool lifted) override {
        wishes_.emplace_back(pairs, lifted);
        forbid_in_this_stage(pairs, lifted);
    }
    void wish_bye(Entrant entrant, std::uint32_t round, std::optional<ByeKind> kind) override {
        REFEREE_ASSERT(round > round_base_);
        if (const auto place = place_of(entrant))
            current_->wish_bye(*place, round - round_base_, kind);
    }
    PairingObstacle obstacle_of(const HandPairing& pairing) const override {
        const auto its = of_this_stage(pairing);
        return its ? current_->obstacle_of(*its) : PairingObstacle::sits_out;
    }
    void pair_by_hand(const HandPairing& pairing, bool taken_back) override {
        if (const auto its = of_this_stage(pairing)) current_->pair_by_hand(*its, taken_back);
    }
    std::optional<std::uint32_t> rounds_planned() const override {
        const auto planned = current_->rounds_planned();
        if (!planned) return std::nullopt;
        return *planned + round_base_;
    }
    std::string answer() const override { return current_->answer(); }
    std::string ended_early() const override { return current_->ended_early(); }
    // A stage that could not begin, because too few were left, is tried again as well.
    bool go_on() override { return current_->go_on() || stage_ + 1 < stages_.size(); }
    std::size_t stage() const override { return stage_; }
    bool drawing_due() const override { return current_->drawing_due(); }

    bool reopen(std::uint64_t match) override {
        // Matches of earlier stages stand: this stage's field came of all their results.
        if (match <= match_base_ || !current_->reopen(match - match_base_)) return false;
        results_.erase(match - match_base_);
        return true;
    }

    // Only the first stage takes late entries: the others are for those who were in the one before.
    std::optional<Entrant> enter(const Entry& entry, std::uint32_t round) override {
        if (stage_ != 0 || !current_->enter(entry, round)) return std::nullopt;
        entries_.push_back(entry);
        entries_.back().first_round = round;
        field_.push_back(entries_.size() - 1);
        ended_as_.push_back(0);
        return field_.back();
    }

    void withdraw(Entrant entrant, std::uint32_t round) override {
        withdrawn_.push_back(entrant);
        if (const auto place = place_of(entrant))
            current_->withdraw(*place, round_of_this_stage(round));
    }

    // An entrant that the stage goes on without stays out.
    bool come_back(Entrant entrant, std::uint32_t round) override {
        const auto place = place_of(entrant);
        if (!place || !current_->come_back(*place, round_of_this_stage(round))) return false;
        std::erase(withdrawn_, entrant);
        entries_[entrant].last_round = UINT32_MAX;
        return true;
    }

 private:
    // In the field of this stage; nothing where it isn't in it.
    std::optional<Entrant> place_of(Entrant entrant) const {
        const auto at = std::ranges::find(field_, entrant);
        if (at == field_.end()) return std::nullopt;
        return static_cast<Entrant>(at - field_.begin());
    }
    // Nothing where one of the two isn't in it.
    std::optional<HandPairing> of_this_stage(const HandPairing& pairing) const {
        const auto first = place_of(pairing.first);
        const auto second = place_of(pairing.second);
        if (!first || !second) return std::nullopt;
        REFEREE_ASSERT(pairing.round > round_base_);
        return HandPairing{pairing.round - round_base_, *first, *second};
    }

    // The first at least.
    std::uint32_t round_of_this_stage(std::uint32_t round) const {
        return round > round_base_ ? round - round_base_ : 1;
    }
    Entry as_of_this_stage(Entry entry) const {
        entry.first_round = round_of_this_stage(entry.first_round);
        if (entry.last_round != UINT32_MAX) entry.last_round -= round_base_;
        for (auto* byes : {&entry.half_point_byes, &entry.zero_point_byes}) {
            std::erase_if(*byes, [this](auto round) { return round <= round_base_; });
            for (auto& round : *byes) round -= round_base_;
        }
        return entry;
    }

    void forbid_in_this_stage(const ForbiddenPairs& pairs, bool lifted) {
        if (!current_->takes_wishes() || pairs.last_round <= round_base_) return;
        auto of_stage = pairs;
        of_stage.first_round = round_of_this_stage(of_stage.first_round);
        if (of_stage.last_round != UINT32_MAX) of_stage.last_round -= round_base_;
        current_->forbid(of_stage, lifted);
    }

    void begin_stage() {
        std::vector<Entry> entries;
        match_base_ = last_match_;
        round_base_ = last_round_;
        for (const auto entrant : field_) entries.push_back(as_of_this_stage(entries_[entrant]));
        results_ = {};
        byes_.clear();
        const auto stage_seed =
            rating::derived_seed(rating::derived_seed(seed_, purpose_of_stages), stage_);
        current_ = make_schedule(stages_[stage_].format, std::move(entries), stage_seed);
        for (const auto& [pairs, lifted] : wishes_) forbid_in_this_stage(pairs, lifted);
    }

    // The places of the stage's field as it stands: the format's own, or by points and tie-breaks.
    std::vector<std::size_t> current_places() const {
        if (auto own = current_->places()) return *own;
        const auto& stage = stages_[stage_];
        standings::StandingsSetup field;
        for (const auto entrant : field_) field.ratings.push_back(entries_[entrant].rating);
        const auto& opponents = fixed_opponents(stage.format);
        field.unranked = opponents;
        field.points = points_of(stage.format);
        auto places =
            standings::standings_of(field, results_.copied(), byes_, stage.ranked_by).ranking.rank;
        for (const auto opponent : opponents) places[opponent] = field_.size();
        return places;
    }

    // The best go on, best first: equal ones in the order in which they stood before.
    bool end_stage() {
        if (stage_ + 1 == stages_.size()) return false;
        const auto places = current_places();
        auto order = numbers_of(field_.size());
        std::ranges::stable_sort(
            order, [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
        std::vector<Entrant> next_field;
        auto ended_as = ended_as_;
        const auto advance = stages_[stage_ + 1].advance;
        const std::size_t wanted = advance == 0 ? field_.size() : advance;
        for (const auto i : order) {
            const Entrant entrant = field_[i];
            const bool gone =
                base::contains(withdrawn_, entrant) || entries_[entrant].last_round <= last_round_;
            if (next_field.size() < wanted && !gone) {
                next_field.push_back(entrant);
            } else {
                ended_as[entrant] = places[i];
            }
        }
        if (next_field.size() < 2) return false;
        // An entrant that withdrew from among the best stays behind those who go on.
        for (auto& place : ended_as) {
            if (place != 0) place = std::max(place, next_field.size() + 1);
        }
        ended_as_ = std::move(ended_as);
        ++stage_;
        field_ = std::move(next_field);
        begin_stage();
        return true;
    }

    std::vector<StageConfig> stages_;
    std::vector<Entry> entries_;
    std::uint64_t seed_;
    std::size_t stage_ = 0;
    std::vector<Entrant> field_;         // of the current stage
    std::shared_ptr<Schedule> current_;  // nobody else's: see copy()
    std::uint64_t match_base_ = 0;
    std::uint64_t last_match_ = 0;
    std::uint32_t round_base_ = 0;
    std::uint32_t last_round_ = 0;
    standings::ResultList results_;  // of the current stage, in its own numbers
    std::vector<Bye> byes_;
    std::vector<std::size_t> ended_as_;  // by entrant: its place, once it is out
    std::vector<Entrant> withdrawn_;
    std::vector<std::pair<ForbiddenPairs, bool>> wishes_;  // with whether they lift
};

}  // namespace

std::unique_ptr<Schedule> stages(const StagesOptions& options, std::vector<Entry> entries,
                                 std::uint64_t seed) {
    return std::make_unique<Stages>(options, std::move(entries), seed);
}

}  // namespace referee::formats
