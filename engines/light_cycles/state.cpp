#include "engines/light_cycles/light_cycles.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::light_cycles {
namespace {

constexpr std::size_t listed_moves_max = 1000;  // of a team in a turn

std::string cell_text(std::int64_t x, std::int64_t y) {
    return fmt::format("[{}, {}]", x, y);
}

Choice read_choice(json::View entry) {
    Choice choice;
    choice.kind = Choice::Kind::malformed;
    if (!entry.is_array() || entry.size() != 2) return choice;
    const auto x = entry.at(0);
    const auto y = entry.at(1);
    if (x.kind() != json::Kind::integer || y.kind() != json::Kind::integer) return choice;
    // An integer beyond the signed range is outside of any grid.
    return {Choice::Kind::cell, x.integer().value_or(-1), y.integer().value_or(-1)};
}

// By verdict.
constexpr std::array<std::string_view, 10> codes{
    "moved",      "moved",    "missing_cell", "malformed_cell", "outside",
    "not_a_step", "occupied", "contest_lost", "contest_tied",   "over_mean"};

std::string_view code_of(Verdict verdict) {
    return codes.at(static_cast<std::size_t>(verdict));
}

bool is_fault(Verdict verdict) {
    return verdict >= Verdict::missing && verdict <= Verdict::occupied;
}

// "second cycle (cycle 7)": of its team, and as states and moves count them.
std::string own_name(std::size_t cycle, std::size_t cycles_per_team) {
    constexpr std::array<std::string_view, 5> ordinals{"first ", "second ", "third ", "fourth ",
                                                       "fifth "};
    const auto own = cycle % cycles_per_team;
    const auto ordinal = cycles_per_team == 1    ? ""
                         : own < ordinals.size() ? std::string(ordinals[own])
                                                 : fmt::format("{}th ", own + 1);
    return fmt::format("{}cycle (cycle {})", ordinal, cycle);
}

}  // namespace

CyclesState::CyclesState(Setup setup)
    : arena_(std::move(setup)),
      choices_(arena_.cycles()),
      before_(arena_.cycles()),
      charges_(arena_.teams()),
      ends_(arena_.teams()) {}

Seats CyclesState::to_move() const {
    Seats seats;
    if (ended()) return seats;
    for (Seat team = 0; team < arena_.teams(); ++team) seats.set(team, arena_.living_of(team) > 0);
    return seats;
}

// Entries past the last cycle are ignored; cycles without an entry have a missing one.
void CyclesState::read_team(Seat team, json::View move, std::span<Choice> choices) const {
    std::fill(choices.begin(), choices.end(), Choice{});
    std::size_t i = 0;
    for (const auto entry : move.elements()) {
        if (i == choices.size()) return;
        if (arena_.living(team * arena_.cycles_per_team() + i)) choices[i] = read_choice(entry);
        ++i;
    }
}

void CyclesState::apply(std::span<const Answer> answers, std::vector<Note>& notes) {
    REFEREE_ASSERT(!over() && answers.size() == seats());
    const auto own = arena_.cycles_per_team();
    std::array<bool, teams_max> was_in{};
    for (Seat team = 0; team < seats(); ++team) {
        was_in[team] = arena_.living_of(team) > 0;
        charges_[team] = answers[team].used_us;
        if (was_in[team]) {
            read_team(team, answers[team].move, std::span(choices_).subspan(team * own, own));
        }
    }
    for (std::size_t cycle = 0; cycle < arena_.cycles(); ++cycle) {
        const auto entries = answers[arena_.team_of(cycle)].move.size();
        before_[cycle] = before(cycle, choices_[cycle], entries);
    }
    const auto verdicts = arena_.play(choices_, charges_);
    find_rivals(verdicts);
    forfeited_last_ = false;
    for (Seat team = 0; team < seats(); ++team) {
        if (!was_in[team]) continue;
        const auto first = notes.size();
        note_team(team, answers[team], verdicts, notes);
        keep_ends(std::span(notes).subspan(first));
    }
}

// What is told of a team's turn: its terminations, and whether it is out.
void CyclesState::note_team(Seat team, const Answer& answer, std::span<const Verdict> verdicts,
                            std::vector<Note>& notes) const {
    const auto own = arena_.cycles_per_team();
    auto whole = check_whole_move(team, answer.move);
    for (std::size_t cycle = team * own; cycle < (team + 1) * own; ++cycle) {
        const Verdict verdict = verdicts[cycle];
        if (verdict == Verdict::moved || verdict == Verdict::ignored) continue;
        if (verdict == Verdict::over_mean) {
            notes.push_back(note_of_mean(team));
            break;
        }
        if (!whole) {
            notes.push_back(std::move(whole.error()));
            break;
        }
        notes.push_back(note_of_cycle(cycle, verdict, choices_[cycle], before_[cycle]));
    }
    if (arena_.living_of(team) > 0) return;
    notes.push_back({team, false, "team_out",
                     fmt::format("Team {} has no living cycle left; it was out in turn {}.", team,
                                 arena_.turn())});
}

// Whether each entry of the move can be judged by itself.
CheckResult CyclesState::check_whole_move(Seat team, json::View move) const {
    if (move.is_array()) return {};
    const auto cells = arena_.cycles_per_team();
    const std::string expected =
        "Expected a list of " + base::counted(cells, "cell such as [[168, 45]]",
                                              "cells such as [[168, 45], [168, 85], [168, 125]]");
    const std::string end = ": all its living cycles are terminated.";
    if (move.is_null()) {
        const auto reason = "No move was given. " + expected;
        return base::failure(Note{team, true, "missing_move", reason + end, reason});
    }
    const auto reason = expected + ", found " + std::string(json::describe(move.kind()));
    return base::failure(Note{team, true, "malformed_move", reason + end, reason});
}

// "its own team's second cycle (cycle 1)", "cycle 7 (team 2)".
std::string CyclesState::name_of(std::size_t cycle, Seat reader) const {
    const auto team = arena_.team_of(cycle);
    if (team == reader) return "its own team's " + own_name(cycle, arena_.cycles_per_team());
    return fmt::format("cycle {} (team {})", cycle, team);
}

Note CyclesState::note_of_cycle(std::size_t cycle, Verdict verdict, const Choice& choice,
                                const Before& before) const {
    const auto& [at, free, holder, entries, shut_in_by] = before;
    const bool shut_in = is_fault(verdict) && free == "";
    const Seat team = arena_.team_of(cycle);
    const auto cell = cell_text(choice.x, choice.y);
    const auto from = cell_text(at.x, at.y);
    const auto rival = name_of(holder, team) + " chose " + cell + ", too";
    std::string why;
    switch (verdict) {
        case Verdict::missing:
            why = fmt::format("the move has {} of {} entries, and none for it, which stood at {}",
                              entries, arena_.cycles_per_team(), from);
            break;
        case Verdict::malformed:
            why = "its entry, for a cell beside " + from +
                  ", where it stood, is no cell [x, y] of two integers";
            break;
        case Verdict::outside:
            why = fmt::format("{} is outside of the grid of {} x {}; it stood at {}", cell,
                              arena_.setup().width, arena_.setup().height, from);
            break;
        case Verdict::not_a_step:
            why =
                cell + " is not one step up, down, left or right from " + from + ", where it stood";
            break;
        case Verdict::occupied:
            why = cell + " was occupied by " +
                  (holder == cycle ? "its own trail" : "the trail of " + name_of(holder, team)) +
                  "; it stood at " + from;
            break;
        case Verdict::contest_lost:
            why = fmt::format(
                "{}, and team {} had used less time so far, which decides ({}, team {} {})", rival,
                arena_.team_of(holder), base::milliseconds(arena_.used_us(arena_.team_of(holder))),
                team, base::milliseconds(arena_.used_us(team)));
            break;
        case Verdict::contest_tied:
            why =
                rival + (arena_.team_of(holder) == team
                             ? ", so neither got it"
                             : ", and both teams had used the same time so far, so neither got it");
            break;
        default:
            break;
    }
    if (shut_in) {  // whatever it had chosen
        why = "every cell beside " + from + ", where it stood, was taken" + shut_in_by +
              ", so no move was legal";
    } else if (free && verdict != Verdict::malformed) {  // any cell would have failed in its form
        why += "; " + *free + " was free";
    }
    return {team, is_fault(verdict), shut_in ? "shut_in" : code_of(verdict),
            "Its " + own_name(cycle, arena_.cycles_per_team()) + " is terminated: " + why + ".",
            fmt::format("cycle {}: {}", cycle, why)};
}

void CyclesState::forfeit(Seat seat) {
    REFEREE_ASSERT(!over() && seat < seats());
    arena_.eliminate(seat);
    forfeited_last_ = true;
}

void CyclesState::write_cycles(json::Writer& writer) const {
    writer.begin_array();
    for (std::size_t cycle = 0; cycle < arena_.cycles(); ++cycle) {
        const Cell at = arena_.position(cycle);
        writer.begin_array().integer(at.x).integer(at.y).end_array();
    }
    writer.end_array();
}

void CyclesState::write_used(json::Writer& writer) const {
    writer.begin_array();
    for (Seat team = 0; team < seats(); ++team) writer.integer(arena_.used_us(team));
    writer.end_array();
}

void CyclesState::write_state(json::Writer& writer) const {
    writer.begin_object().member("turn", arena_.turn()).key("cycles");
    write_cycles(writer);
    writer.key("used_us");
    write_used(writer);
    writer.end_object();
}

bool CyclesState::write_delta(json::Writer& writer) const {
    writer.begin_array();
    write_change(writer, "replace", "/cycles", [&] { write_cycles(writer); });
    if (!forfeited_last_) {
        write_replace(writer, "/turn", arena_.turn());
        write_change(writer, "replace", "/used_us", [&] { write_used(writer); });
    }
    writer.end_array();
    return true;
}

CheckResult CyclesState::check(Seat seat, json::View move) const {
    if (auto whole = check_whole_move(seat, move); !whole) return whole;
    const auto own = arena_.cycles_per_team();
    std::vector<Choice> choices(own);
    read_team(seat, move, choices);
    for (std::size_t i = 0; i < own; ++i) {
        const auto cycle = seat * own + i;
        if (!arena_.living(cycle)) continue;
        const auto verdict = arena_.judge(cycle, choices[i]);
        if (verdict == Verdict::moved) continue;
        return base::failure(
            note_of_cycle(cycle, verdict, choices[i], before(cycle, choices[i], move.size())));
    }
    return {};
}

// Where a living cycle may go; none where it is shut in, or terminated.
std::vector<std::string> CyclesState::ways_of(std::size_t cycle) const {
    constexpr std::array<Cell, 4> steps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    std::vector<std::string> ways;
    if (!arena_.living(cycle)) return ways;
    const Cell at = arena_.position(cycle);
    for (const auto step : steps) {
        const Choice choice{Choice::Kind::cell, at.x + step.x, at.y + step.y};
        if (arena_.judge(cycle, choice) == Verdict::moved) {
            ways.push_back(cell_text(choice.x, choice.y));
        }
    }
    return ways;
}

CyclesState::Before CyclesState::before(std::size_t cycle, const Choice& choice,
                                        std::size_t entries) const {
    Before was{arena_.position(cycle), {}, 0, entries};
    if (!arena_.living(cycle)) return was;
    const auto verdict = arena_.judge(cycle, choice);
    if (verdict == Verdict::moved) return was;
    const auto ways = ways_of(cycle);
    was.free = ways.empty() ? std::string() : ways.front();
    if (ways.empty()) was.shut_in_by = neighbours_of(cycle);
    if (verdict == Verdict::occupied)
        was.holder = arena_.holder({static_cast<int>(choice.x), static_cast<int>(choice.y)});
    return was;
}

// Every choice of a way for each cycle, counted through like the digits of a number. Where that
// would be too many, all cycles take their first way, or all their second, and so on.
std::optional<LegalMoves> CyclesState::legal_moves(Seat seat) const {
    const auto own = arena_.cycles_per_team();
    std::vector<std::vector<std::string>> ways;
    std::size_t choices = 1;
    std::size_t ways_max = 1;
    LegalMoves legal;
    for (std::size_t i = 0; i < own; ++i) {
        ways.push_back(ways_of(seat * own + i));
        if (ways.back().empty()) ways.back().emplace_back("null");
        ways_max = std::max(ways_max, ways.back().size());
        choices *= ways.back().size();
        if (choices <= listed_moves_max) continue;
        legal.all = false;
        choices = listed_moves_max;
    }
    for (std::size_t n = 0; n < (legal.all ? choices : ways_max); ++n) {
        auto& move = legal.moves.emplace_back("[");
        auto rest = n;
        for (const auto& cycle : ways) {
            if (move.size() > 1) move += ',';
            move += cycle[rest % cycle.size()];
            if (legal.all) rest /= cycle.size();
        }
        move += ']';
    }
    return legal;
}

// Each turn a cycle takes a free cell, or the last ones are terminated.
std::optional<std::int64_t> CyclesState::turns_most() const {
    return std::int64_t{arena_.setup().width} * arena_.setup().height + 1;
}

Outcome CyclesState::outcome() const {
    REFEREE_ASSERT(over());
    Outcome outcome;
    std::optional<Seat> winner;
    for (Seat team = 0; team < seats(); ++team) {
        const auto out = arena_.eliminated_turn(team);
        if (!out) winner = team;
        std::int64_t halves = 0;
        for (Seat other = 0; other < seats(); ++other) {
            const auto other_out = arena_.eliminated_turn(other);
            if (other == team || !other_out) continue;
            if (!out || *out > *other_out) {
                halves += 2;
            } else if (*out == *other_out) {
                ++halves;
            }
        }
        outcome.scores.push_back(Score::halves(halves));
    }
    outcome.placing = placing_by_score(outcome.scores);
    json::Writer writer(outcome.detail);
    writer.begin_object().key("winner");
    winner ? writer.unsigned_integer(*winner) : writer.null();
    writer.key("eliminated_turn").begin_array();
    for (Seat team = 0; team < seats(); ++team) {
        const auto out = arena_.eliminated_turn(team);
        out ? writer.integer(*out) : writer.null();
    }
    writer.end_array().member("turns", arena_.turn());
    writer.key("survivors").unsigned_integer(winner ? arena_.living_of(*winner) : 0).end_object();
    return outcome;
}

std::string CyclesState::render() const {
    return draw_arena(arena_);
}

std::string CyclesState::render_for(Seat seat, const Screen& screen) const {
    return draw_around_team(arena_, seat, screen);
}

std::unique_ptr<State> CyclesState::clone() const {
    return std::make_unique<CyclesState>(*this);
}

}  // namespace engines::light_cycles
