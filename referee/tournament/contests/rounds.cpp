#include "referee/tournament/contests/rounds.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::contests {
namespace {

// Nothing where neither a match nor a bye was drawn.
std::optional<std::uint32_t> round_of(const Rounds::Next& drawn) {
    if (const auto* bye = std::get_if<formats::Bye>(&drawn)) return bye->round;
    if (const auto* pairing = std::get_if<formats::Pairing>(&drawn)) return pairing->round;
    return std::nullopt;
}

}  // namespace

void Rounds::make_schedule(const std::vector<formats::Entry>& field) {
    if (schedule_ == nullptr)
        schedule_ = formats::make_schedule(config_.format, field, config_.seed);
}

Rounds::Next Rounds::next() {
    if (prepared_) return *std::exchange(prepared_, std::nullopt);
    return schedule_->next();
}

void Rounds::note(const Next& drawn) {
    const auto round = round_of(drawn);
    last_ = std::max(last_, round.value_or(0));
    drawn_out_ = drawn_out_ || !round;
}

std::uint32_t Rounds::first_undrawn() const {
    return std::max(last_, prepared_ ? round_of(*prepared_).value_or(0) : 0) + 1;
}

std::optional<std::uint32_t> Rounds::planned(std::size_t entrants) const {
    if (schedule_ != nullptr && config_.format.kind() == formats::FormatKind::swiss)
        return schedule_->rounds_planned();
    return formats::planned_rounds(config_.format, entrants);
}

formats::MatchTerms Rounds::terms() const {
    const auto& format = formats::stage_of(config_.format, schedule_->stage());
    return formats::terms_of(format, config_.seed);
}

bool Rounds::drawing_due() const {
    return !drawn_out_ && !prepared_ && (schedule_ == nullptr || schedule_->drawing_due());
}

Drawing Rounds::drawing(const std::vector<formats::Entry>& field, std::uint64_t changes) const {
    REFEREE_ASSERT(drawing_due());
    Drawing drawing;
    drawing.changes_ = changes;
    if (schedule_ != nullptr) {
        drawing.schedule_ = schedule_->copy();
    } else {
        drawing.format_ = config_.format;
        drawing.entries_ = field;
        drawing.seed_ = config_.seed;
    }
    return drawing;
}

void Rounds::adopt(Drawing drawing, std::uint64_t changes) {
    REFEREE_ASSERT(drawing.next_.has_value());
    if (drawing.changes_ != changes) return;
    schedule_ = std::move(drawing.schedule_);
    prepared_ = std::move(drawing.next_);
}

void Drawing::run() {
    REFEREE_ASSERT(!next_);
    if (schedule_ == nullptr)
        schedule_ = formats::make_schedule(format_, std::move(entries_), seed_);
    next_ = schedule_->next();
}

}  // namespace referee::contests
