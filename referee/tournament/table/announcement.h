#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "protocol/messages.h"
#include "referee/game/play/play.h"
#include "referee/net/lobby/bot.h"
#include "referee/roster/pseudonyms/pseudonyms.h"

// What a table says to its bots: a play's facts as lines of the protocol, appended to a session's
// outbox.

namespace referee::table {

using engines::Seat;

// What a table needs to know of the match around its game.
struct MatchFacts {
    std::string match_id;
    std::uint32_t games_max = 1;  // the most games that the match may have
    // Nothing else is played, and this game was annulled often enough: no bot is excused any more
    // because the referee lacked a processor in the middle of its turn.
    bool alone = false;
    // What each bot is told the others are called; null: their names.
    std::shared_ptr<const pseudonyms::Pseudonyms> pseudonyms = nullptr;
};

void encode_start(std::string& out, const play::Play& play, const MatchFacts& match, Seat seat,
                  bool resumed);
// All turns so far, in pieces.
void encode_past(std::string& out, const play::Play& play);
// `delta`: the patch to send instead of the state; null: the state is sent.
void encode_turn(std::string& out, const play::Play& play, Seat seat, Duration budget,
                 const std::string* delta);
void encode_fault(std::string& out, const std::string& game_id, const Fault& fault);
// For a move of the seat that was not the awaited answer: an error or a note.
void encode_fate(std::string& out, const play::Play& play, Seat seat, play::AnswerFate fate,
                 std::int64_t turn);
// The end of the game, or a note where the game doesn't count, to a bot that reads names as the
// mask lets it.
void encode_end(std::string& out, const engines::Game& rules, const GameResult& result,
                const pseudonyms::NameMask& name_mask);

// Says that a move's debug text was longer than what is kept.
void encode_debug_cut(std::string& out, const play::Play& play, std::int64_t turn);

// The fault of a bot whose connection ended during its game: crashed where its process has ended,
// flooding where it was shown out for that, otherwise disconnected.
Fault disconnection(const lobby::Bot& one, session::CloseCause cause);

}  // namespace referee::table
