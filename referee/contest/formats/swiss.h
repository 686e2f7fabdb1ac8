#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"

namespace referee::formats {

// ---- swiss_pairs.cpp ----------------------------------------------------------------------------

// The FIDE (Dutch) system for two seats: seat 0 is white. `numbers` gives the entrants in ranking
// order; late entries follow.
std::unique_ptr<Schedule> swiss_of_pairs(const FormatConfig& config, std::vector<Entry> entries,
                                         std::vector<Entrant> numbers, std::uint64_t seed);

// Whether the first of the ranking order begins with seat 0: drawn by lot, from the seed.
bool first_begins_in_first_seat(std::uint64_t seed);

// ---- swiss.cpp ----------------------------------------------------------------------------------

// Pods of more than two seats (pods.h).
std::unique_ptr<Schedule> swiss_of_pods(const FormatConfig& config, std::vector<Entry> entries,
                                        std::vector<Entrant> numbers, std::uint64_t seed);

// Advice on a Swiss that was checked, also one that is a stage, for so many entrants: empty where
// there is none to give.
std::string swiss_advice(const FormatConfig& format, const MatchConfig& match,
                         std::size_t entrants);

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
    void wish_bye(Entrant entrant, std::uint32_t round, std::optional<ByeKind> kind) final {
        entries_[entrant].ask_for_bye(round, kind);
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
    bool plays(Entrant entrant, std::uint32_t round) const {
        return entries_[entrant].plays(round);
    }
    // Byes of those who don't play: half a point where that was asked for, else none. A late entry
    // gets those of the rounds that it missed when its first round is drawn.
    std::vector<Bye> byes_of_absent(std::uint32_t round) const;
    // The teams of more than one entrant.
    std::vector<std::vector<Entrant>> teams() const;
    // Those of them who take part, in the order of the list.
    std::vector<Entrant> named(const std::vector<std::string>& bots) const;
    const std::vector<ForbiddenPairs>& forbidden() const { return forbidden_; }
    const std::vector<Entrant>& numbers() const { return numbers_; }
    std::uint32_t rounds() const { return rounds_; }
    // The place in numbers().
    std::size_t index_of(Entrant entrant) const;
    bool tries_again() final;
    // No more rounds, and why.
    void end_early(std::uint32_t round, const std::string& why);

 private:
    // The last of numbers() has just entered.
    virtual void add_number() = 0;
    // Who may not meet whom has changed.
    virtual void keep_apart() = 0;
    virtual void write_down(const MatchResult& result) = 0;
    // Requires: a round that the tournament has.
    virtual std::optional<Round> draw_round(std::uint32_t round) = 0;
    std::optional<Round> draw(std::uint32_t round, const std::vector<MatchResult>& results) final;

    FormatConfig config_;
    std::vector<Entry> entries_;
    std::vector<Entrant> entered_late_;  // while the tournament was running
    std::vector<ForbiddenPairs> forbidden_;
    std::vector<Entrant> numbers_;
    std::uint32_t rounds_;
    std::string ended_early_;
};

}  // namespace referee::formats
