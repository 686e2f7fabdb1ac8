#include "referee/connect/relay/game_story.h"

#include "protocol/json/printable.h"
#include "referee/connect/relay/words.h"

namespace referee::relay {
namespace {

using protocol::json::visible_line;

std::string turn_text(std::int64_t turn) {
    return "turn " + std::to_string(turn) + ": ";
}

std::string clock_text(const protocol::ClockTerms& clock) {
    if (clock.kind == protocol::ClockKind::none) return "no budget";
    return milliseconds_text(clock.budget_us) +
           (clock.kind == protocol::ClockKind::turn ? " a turn" : " for the whole game");
}

}  // namespace

GameStory::GameStory(const protocol::Start& start) {
    std::string params;
    protocol::json::Writer writer(params);
    start.params.write(writer);
    line("game " + visible_line(start.game_id) + ", " + visible_line(start.game) + ", match " +
         visible_line(start.match));
    for (std::size_t seat = 0; seat < start.names.size(); ++seat) {
        line("seat " + std::to_string(seat) + ": " + visible_line(start.names[seat]) +
             (static_cast<std::int64_t>(seat) == start.seat ? " (you)" : ""));
    }
    line("params: " + params);
    line("clock: " + clock_text(start.clock) +
         (start.clock.measure == protocol::Measure::cpu ? ", processor time" : ", wall time"));
}

void GameStory::resumed(std::int64_t turn) {
    line(turn_text(turn) + "the connection was lost, and is there again");
}

void GameStory::answered(const protocol::LastAnswer& last) {
    std::string move;
    protocol::json::Writer writer(move);
    last.move.write(writer);
    line(turn_text(last.turn) + (last.move ? "your move " + move : "no move of yours counts") +
         ", charged " + milliseconds_text(last.charged_us) + (last.late ? ", late" : ""));
    for (const auto& note : last.notes)
        line("    " + visible_line(note.code) + ": " + visible_line(note.message));
}

void GameStory::debug(std::int64_t turn, std::string_view text) {
    line(turn_text(turn) + "debug: " + protocol::json::visible_lines(text, "    "));
}

void GameStory::fault(const protocol::Fault& fault, bool own) {
    line(turn_text(fault.turn) + (own ? "your fault, " : "a fault of another, ") +
         std::string(protocol::name_of(fault.code)) + ": " +
         (own ? cause_of(fault) : visible_line(fault.message)));
    if (!own) return;
    if (const auto outcome = outcome_of(fault.consequence); !outcome.empty())
        line("    " + std::string(outcome));
    if (fault.evidence.received) line("    received: " + visible_line(*fault.evidence.received));
}

void GameStory::note(const protocol::Note& note) {
    line((note.turn ? turn_text(*note.turn) : std::string()) + "note " + visible_line(note.code) +
         ": " + visible_line(note.message));
}

void GameStory::ended(std::string_view sentence) {
    text_.append(sentence).append("\n");
}

void GameStory::line(std::string text) {
    if (cut_) return;
    cut_ = text_.size() + text.size() > story_bytes_max;
    text_ += cut_ ? "... what follows is left out, but for the end" : std::move(text);
    text_ += '\n';
}

}  // namespace referee::relay
