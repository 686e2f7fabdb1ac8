// The parts of a tournament that say how a game is judged: clock and faults.

#include "protocol/codes.h"
#include "referee/config/sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t strikes_most = 1000;

template <std::size_t n>
std::vector<std::string_view> words(const std::array<std::string_view, n>& names) {
    return {names.begin(), names.end()};
}

}  // namespace

void read_clock(MemberReader& tournament, const engines::GameInfo& game,
                clock::ClockConfig& clock) {
    clock = clock::default_clock(game);
    const auto object = tournament.object("clock");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("clock"), tournament.errors());
    bool lacks_budget = false;
    const auto kind = reader.word("kind", words(base::clock_kind_names));
    if (kind && static_cast<clock::ClockKind>(*kind) != clock.kind) {
        const auto measure = clock.measure;
        clock = {};
        clock.kind = static_cast<clock::ClockKind>(*kind);
        clock.measure = measure;
        lacks_budget = clock.kind != clock::ClockKind::none && !reader.has("budget");
        if (lacks_budget) {
            reader.wrong("kind", "a clock of kind \"" + std::string(clock::name_of(clock.kind)) +
                                     "\" needs a \"budget\", such as \"1s\"");
        }
    }
    if (const auto measure = reader.word("measure", words(base::measure_names)))
        clock.measure = static_cast<clock::Measure>(*measure);
    if (reader.has("budget")) clock.hard_limit = {};
    reader.time("budget", clock.budget);
    reader.time("increment", clock.increment);
    reader.time("hard_limit", clock.hard_limit);
    reader.boolean("waits_for_late", clock.waits_for_late);
    reader.time("hung_after", clock.hung_after);
    reader.boolean("network_allowance", clock.allowance);
    reader.time("allowance_max", clock.allowance_max);
    reader.no_others();
    if (!clock.waits_for_late && reader.has("hung_after")) {
        reader.wrong("hung_after", "counts only where \"waits_for_late\" is true");
    }
    for (const auto& mistake : clock::mistakes(clock)) {
        const auto colon = mistake.find(": ");
        const auto member = mistake.substr(0, colon);
        if (lacks_budget && member == "budget") continue;  // told with the kind
        reader.wrong(member, mistake.substr(colon + 2));
    }
    clock = clock::completed(clock);
}

void read_faults(MemberReader& tournament, play::FaultPolicy& faults) {
    const auto object = tournament.object("faults");
    if (!object) return;
    MemberReader reader(object, tournament.path_of("faults"), tournament.errors());
    static constexpr std::initializer_list<Consequence> consequences{
        Consequence::none, Consequence::missing_move, Consequence::lost_turn, Consequence::strike,
        Consequence::forfeit};
    std::vector<std::string_view> words;
    for (const auto consequence : consequences) words.push_back(protocol::name_of(consequence));
    for (const auto code : protocol::all_fault_codes()) {
        if (const auto which = reader.word(protocol::name_of(code), words))
            faults.set(code, *(consequences.begin() + *which));
    }
    reader.integer("strikes", faults.strikes_max, 1, strikes_most);
    reader.no_others();
}

}  // namespace referee::config
