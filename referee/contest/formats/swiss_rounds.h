#pragma once

#include <optional>
#include <string>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/round_by_round.h"
#include "referee/contest/formats/swiss_field.h"

namespace referee::formats {

// What a Swiss of pairs and one of pods have in common: who is in it, for how many rounds, and who
// comes and goes between them.
class SwissRounds : public RoundByRound {
 public:
    std::optional<std::uint64_t> matches_total() const final { return std::nullopt; }
    void withdraw(Entrant entrant, std::uint32_t round) final;
    std::optional<Entrant> enter(const Entry& entry, std::uint32_t round) final;
    bool come_back(Entrant entrant, std::uint32_t round) final;
    bool takes_wishes() const final { return true; }
    void forbid(const ForbiddenPairs& pairs, bool lifted) final;
    void wish_bye(Entrant entrant, std::uint32_t round, ByeKind kind, bool taken_back) final {
        field_.wish_bye(entrant, round, kind, taken_back);
    }
    std::optional<std::uint32_t> rounds_planned() const final { return rounds_; }
    std::string ended_early() const final { return ended_early_; }

 protected:
    // Requires: a Swiss. `numbers`: the entrants in the order of their numbers; late ones get the
    // next.
    SwissRounds(const FormatConfig& config, std::vector<Entry> entries,
                std::vector<Entrant> numbers);

    const FormatConfig& config() const { return config_; }
    const SwissOptions& options() const { return std::get<SwissOptions>(config_.options); }
    const SwissField& field() const { return field_; }
    const std::vector<ForbiddenPairs>& forbidden() const { return forbidden_; }
    const std::vector<Entrant>& numbers() const { return numbers_; }
    std::uint32_t rounds() const { return rounds_; }
    // The place in numbers().
    std::size_t index_of(Entrant entrant) const;
    bool tries_again() final;
    // Whether fewer than two are left, who could play that round or a later one: then no more
    // rounds are drawn, so that the others can be let in again. Not where they were drawn on
    // record.
    bool is_deserted(std::uint32_t round) const;
    // No more rounds, and why.
    void end_early(std::uint32_t round, const std::string& why);

 private:
    // The last of numbers() has just entered.
    virtual void entered() = 0;
    // Who may not meet whom has changed.
    virtual void keep_apart() = 0;

    FormatConfig config_;
    SwissField field_;
    std::vector<ForbiddenPairs> forbidden_;
    std::vector<Entrant> numbers_;
    std::uint32_t rounds_;
    std::string ended_early_;
};

}  // namespace referee::formats
