#include "referee/connect/relay/game_log.h"

#include <algorithm>
#include <variant>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "referee/connect/relay/relay.h"

namespace referee::relay {
namespace {

using base::visible_line;

std::string turn_text(std::int64_t turn) {
    return fmt::format("turn {}: ", turn);
}

std::string clock_text(const protocol::ClockTerms& clock) {
    if (clock.kind == protocol::ClockKind::none) return "no budget";
    return milliseconds_text(clock.budget_us) +
           (clock.kind == protocol::ClockKind::turn ? " a turn" : " for the whole game");
}

void add_to(RelayTally& tally, const std::vector<std::int64_t>& places, std::size_t seat) {
    if (places[seat] != 1) {
        ++tally.lost;
    } else if (std::ranges::count(places, 1) > 1) {
        ++tally.drawn;
    } else {
        ++tally.won;
    }
}

double number_in(const protocol::Payload& value) {
    return value.view().number().value_or(0);
}

std::vector<std::string> owned(const std::vector<std::string_view>& names) {
    return {names.begin(), names.end()};
}

GameStory beginning_of(const protocol::Start& start) {
    GameStory story;
    story.add("game " + visible_line(start.game_id) + ", " + visible_line(start.game) + ", match " +
              visible_line(start.match));
    for (std::size_t seat = 0; seat < start.names.size(); ++seat) {
        story.add(fmt::format("seat {}: {}{}", seat, visible_line(start.names[seat]),
                              static_cast<std::int64_t>(seat) == start.seat ? " (you)" : ""));
    }
    story.add("params: " + start.params.json_text());
    story.add("clock: " + clock_text(start.clock) +
              (start.clock.measure == protocol::Measure::cpu ? ", processor time" : ", wall time"));
    return story;
}

}  // namespace

void GameStory::add(const std::string& line) {
    if (cut_) return;
    cut_ = text_.size() + line.size() > story_bytes_max;
    end(cut_ ? "... what follows is left out, but for the end" : line);
}

void GameLog::told(std::string_view line) {
    const auto message = protocol::decode_from_referee(line, document_);
    std::visit([this](const auto& one) { take(one); }, message);
}

void GameLog::said(std::string_view line) {
    const auto message = protocol::decode_from_bot(line, document_);
    const auto* const move = std::get_if<protocol::Move>(&message);
    if (move == nullptr || move->debug.empty()) return;
    if (auto* const on = game(move->game_id))
        on->story.add(turn_text(move->turn) + "debug: " + base::visible_lines(move->debug, "    "));
}

void GameLog::program_ended(const std::string& how, bool begun_again) {
    for (auto& [id, game] : games_) {
        game.story.add("your program ended: " + how);
        if (game.program_end.empty()) game.program_end = how;
        if (begun_again) continue;
        close(id, game,
              title(id, game) + " goes on without your program, which ended: " + game.program_end);
    }
    if (!begun_again) games_.clear();
}

// A game that was lost sight of may still get its end, after one reconnect; not after two.
void GameLog::take(const protocol::Welcome& /*welcome*/) {
    std::erase_if(games_, [this](const auto& one) { return one.second.login < logins_; });
    ++logins_;
}

void GameLog::take(const protocol::Start& start) {
    std::erase_if(kinds_, [&](const auto& kind) { return kind.first == start.match; });
    kinds_.emplace_back(start.match, start.game);
    if (kinds_.size() > matches_remembered_max) kinds_.pop_front();
    auto& begun = games_[std::string(start.game_id)];
    begun.login = logins_;
    if (start.resumed && !begun.kind.empty()) {
        begun.story.add(turn_text(start.turn + 1) + "the connection was lost, and is there again");
        return;
    }
    begun = {.kind = std::string(start.game),
             .names = owned(start.names),
             .seat = static_cast<std::size_t>(start.seat),
             .login = logins_,
             .story = beginning_of(start)};
}

void GameLog::take(const protocol::Turn& turn) {
    auto* const on = game(turn.game_id);
    if (on == nullptr || !turn.last) return;
    const auto& last = *turn.last;
    on->story.add(turn_text(last.turn) +
                  (last.move ? "your move " + last.move.json_text() : "no move of yours counts") +
                  ", charged " + milliseconds_text(last.charged_us) + (last.late ? ", late" : ""));
    for (const auto& note : last.notes)
        on->story.add("    " + visible_line(note.code) + ": " + visible_line(note.message));
    on->longest_us = std::max(on->longest_us, last.charged_us);
    played_well_ |= static_cast<bool>(last.move) && !last.late;
}

void GameLog::take(const protocol::Fault& fault) {
    auto* const on = game(fault.game_id);
    if (on == nullptr) return;
    const bool own = static_cast<std::size_t>(fault.seat) == on->seat;
    on->story.add(turn_text(fault.turn) + (own ? "your fault, " : "a fault of another, ") +
                  std::string(protocol::name_of(fault.code)) + ": " +
                  (own ? cause_of(fault) : visible_line(fault.message)));
    if (!own) return;
    const std::string outcome(outcome_of(fault.consequence));
    if (!outcome.empty()) on->story.add("    " + outcome);
    if (fault.evidence.received)
        on->story.add("    received: " + visible_line(*fault.evidence.received));
    ++on->faults;
    if (fault.evidence.charged_us)
        on->longest_us = std::max(on->longest_us, *fault.evidence.charged_us);
    if (fault.consequence == protocol::Consequence::forfeit) {
        on->forfeit = fmt::format(" on turn {}: {}", fault.turn, cause_of(fault));
        return;  // told with the end
    }
    if (on->faults > faults_told_max) return;
    news_.push_back(fmt::format("{}, turn {}: {}{}{}", title(fault.game_id, *on), fault.turn,
                                cause_of(fault), outcome.empty() ? "" : "; ", outcome));
    if (on->faults == faults_told_max)
        news_.push_back("more faults of this game are only counted; its story has all");
}

void GameLog::take(const protocol::Note& note) {
    auto* const on = game(note.game_id);
    if (on == nullptr) {
        news_.push_back(visible_line(note.message));
        return;
    }
    on->story.add((note.turn ? turn_text(*note.turn) : std::string()) + "note " +
                  visible_line(note.code) + ": " + visible_line(note.message));
    if (note.over_us && note.turn && on->faults <= faults_told_max)
        news_.push_back(fmt::format("{}, turn {}: your answer came {} too late",
                                    title(note.game_id, *on), *note.turn,
                                    milliseconds_text(*note.over_us)));
    const bool over = note.code == protocol::name_of(protocol::NoteCode::annulled) ||
                      note.code == protocol::name_of(protocol::NoteCode::interrupted);
    if (!over) return;
    auto ended = games_.extract(games_.find(note.game_id));
    close(ended.key(), ended.mapped(),
          title(ended.key(), ended.mapped()) + " doesn't count (" + visible_line(note.code) +
              "): " + visible_line(note.message));
}

void GameLog::take(const protocol::End& end) {
    Game unknown;
    auto* on = game(end.game_id);
    if (on == nullptr) {
        for (const auto& seat : end.seats) unknown.names.emplace_back(seat.name);
        const auto seat = own_seat(unknown.names);
        if (!seat) return;
        unknown.seat = *seat;
        unknown.kind = "-";
        on = &unknown;
    }
    if (on->seat >= end.seats.size()) return;
    const auto& own = end.seats[on->seat];
    const auto score = number_in(own.score);
    std::vector<std::int64_t> places;
    auto scores = score_text(score);
    for (const auto& seat : end.seats) {
        places.push_back(seat.place);
        if (&seat != &own) scores += " : " + score_text(number_in(seat.score));
    }
    played_well_ |= on->faults == 0 && on != &unknown && end.turns > 0;
    count(end.game_id, *on, places, score);
    auto sentence =
        title(end.game_id, *on) + ": " + verdict_of(places, on->seat, score_text(score));
    sentence += on->forfeit.empty() ? fmt::format(" after {} turns", end.turns) : on->forfeit;
    if (end.seats.size() > 1) sentence += " (" + scores + ")";
    if (on->forfeit.empty()) sentence += ": " + visible_line(own.reason);
    if (!on->program_end.empty()) sentence += "; your program ended in it: " + on->program_end;
    if (on->faults > 0) sentence += "; faults of yours: " + std::to_string(on->faults);
    close(end.game_id, *on, sentence);
    if (const auto known = games_.find(end.game_id); known != games_.end()) games_.erase(known);
}

void GameLog::take(const protocol::MatchEnd& end) {
    ++matches_;
    const auto names = owned(end.names);
    const auto seat = own_seat(names);
    if (!seat || end.placing.size() != names.size()) return;
    const auto known = std::ranges::find(
        kinds_, end.match, [](const auto& kind) { return std::string_view(kind.first); });
    Counted counted{std::string(end.match),
                    {known == kinds_.end() ? "-" : known->second, others_text(names, *seat)},
                    {}};
    add_to(counted.added.of_matches, end.placing, *seat);
    remember(counted_matches_, std::move(counted));
    if (known != kinds_.end()) kinds_.erase(known);
    if (counted_matches_.size() > matches_remembered_max) counted_matches_.pop_front();
}

void GameLog::take(const protocol::ErrorMessage& error) {
    if (is_parting(error.code)) return;  // told as what it is, the end of the connection
    news_.push_back("the referee refused a line (" + visible_line(error.code) +
                    "): " + visible_line(error.message));
}

std::size_t GameLog::games_on() const {
    return static_cast<std::size_t>(
        std::ranges::count(games_, logins_, [](const auto& one) { return one.second.login; }));
}

GameLog::Game* GameLog::game(std::string_view id) {
    return base::find_in(games_, id);
}

std::optional<std::size_t> GameLog::own_seat(const std::vector<std::string>& names) const {
    const auto own = std::ranges::find(names, name_);
    if (own == names.end()) return std::nullopt;
    return static_cast<std::size_t>(own - names.begin());
}

void GameLog::count(std::string_view id, const Game& game, const std::vector<std::int64_t>& places,
                    double score) {
    Counted counted{std::string(id), {game.kind, others_text(game.names, game.seat)}, {}};
    counted.added.games = 1;
    counted.added.faults = game.faults;
    counted.added.score = score;
    if (places.size() > 1) add_to(counted.added.of_games, places, game.seat);
    auto& sum = standings_[counted.key];
    sum.alone = places.size() == 1;
    sum.best = sum.games == 0 ? score : std::max(sum.best, score);
    sum.longest_us = std::max(sum.longest_us, game.longest_us);
    remember(counted_, std::move(counted));
    if (counted_.size() > games_remembered_max) counted_.pop_front();
}

void GameLog::remember(std::deque<Counted>& counted, Counted more) {
    const auto known = std::ranges::find(counted, more.id, &Counted::id);
    if (known != counted.end()) {
        add(standings_[known->key], known->added, true);
        counted.erase(known);
    }
    add(standings_[more.key], more.added);
    counted.push_back(std::move(more));
}

void GameLog::close(std::string_view id, Game& game, const std::string& sentence) {
    news_.push_back(sentence);
    game.story.end(sentence);
    stories_.push_back({std::string(id), game.story.text()});
}

std::string GameLog::title(std::string_view id, const Game& game) {
    const auto others = others_text(game.names, game.seat);
    return "game " + visible_line(id) + " (" + game.kind +
           (others.empty() ? "" : " against " + others) + ")";
}

}  // namespace referee::relay
