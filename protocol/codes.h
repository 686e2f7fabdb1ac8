#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "protocol/base/clock_kind.h"

// The protocol's stable words: what an error, a fault, a note or a goodbye is called on the wire.
// PROTOCOL.md lists each with its cause and its cure. Words are never renamed, only added.

namespace protocol {

// A line that is no valid message, or one that does not fit what is going on. Never an answer to a
// turn; the turn runs on.
enum class ErrorCode : std::uint8_t {
    // What is wrong with the line itself.
    line_too_long,
    invalid_json,
    invalid_utf8,
    byte_order_mark,
    too_deep,
    duplicate_member,
    integer_too_large,
    number_too_large,
    not_an_object,
    // What is wrong with the message.
    missing_member,
    wrong_type,
    invalid_value,
    unknown_type,
    // A good message at the wrong time.
    login_expected,
    already_logged_in,
    unknown_game,
    not_to_move,
    already_answered,
    future_turn,
    // A question about games that are over, and why it is not answered.
    no_such_game,
    nothing_kept,
    too_many_questions,
    // Why a program that is handed in is not taken.
    no_submissions,
    submission_refused,
    too_many_submissions,
    // Why somebody was not let in, or was shown out.
    tls_expected,
    login_timeout,
    unknown_name,
    wrong_token,
    wrong_password,
    token_needed,
    too_many_tries,
    not_on_roster,
    name_too_similar,
    too_many_registrations,
    registrations_full,
    approval_needed,
    name_refused,
    program_plays,
    already_connected,
    no_common_game,
    too_many_connections,
    flooding,
    backlog,
};

// Whether the connection is closed behind such an error.
bool closes(ErrorCode code);

// What a bot did wrong in a game.
enum class FaultCode : std::uint8_t {
    late,
    malformed,
    illegal,
    disconnected,
    crashed,
    hung,
    over_budget,
    flooding,
    protocol,
};

// What follows from a fault.
enum class Consequence : std::uint8_t {
    none,          // told, and that is all
    missing_move,  // the turn is played without this seat's move
    lost_turn,     // the seat's turn (or a part of its move) is lost, as the game's rules say
    strike,        // counted; too many of them forfeit the game
    forfeit,       // the game is lost
};

// Something worth knowing that costs nothing. Engines add codes of their own to a turn's notes.
enum class NoteCode : std::uint8_t {
    old_turn,        // an answer to a turn that is over was dropped
    game_over,       // a message about a game that is over was dropped
    debug_cut,       // debug text beyond the limit was cut off
    annulled,        // the referee's own trouble: the game will be played again
    restored,        // games that were annulled by order count again; the message says why
    interrupted,     // the referee was stopped: the game will be played again
    left_matches,    // matches of a ladder were left before their first turn: the next one waits
    clock_changed,   // the clock asked for can't be had here; the message says which is used
    withdrawn,       // out of a tournament; the message says why, and how to come back
    admitted,        // back in a tournament, or late in it
    other_protocol,  // the login asks for a version of the protocol that is not spoken here
};

// Why a connection ends.
enum class ByeReason : std::uint8_t {
    finished,  // the tournament is over
    shutdown,  // the referee stops; come back later
    replaced,  // a newer login took the place of this connection
    refused,   // an error before it says why
    released,  // a launched bot is not needed any more
    leaving,   // the bot's own goodbye
};

// How much of a growing state a bot wants each turn.
enum class StateForm : std::uint8_t { full, delta };

// What a connection is for.
enum class Purpose : std::uint8_t {
    play,
    ask,     // about games that are over: it plays none, and stands beside the bot's own connection
    submit,  // to hand in a program, which the referee builds and launches; the same else
};

// What became of a program that was handed in.
enum class SubmissionStatus : std::uint8_t {
    waiting,  // for its build
    building,
    failed,  // it does not build, or was no program
    built,   // a newer one plays, or none does
    plays,   // the referee launches it for the name's games
};

using base::ClockKind;
using base::Measure;
using base::name_of;

template <typename Value, typename... Codes>
concept OneOf = (std::same_as<Value, Codes> || ...);
template <typename Value>
concept Code = OneOf<Value, ErrorCode, FaultCode, Consequence, NoteCode, ByeReason, StateForm,
                     Purpose, SubmissionStatus>;

template <Code Value>
std::string_view name_of(Value value);
// Nothing where none has that name. Of what is never read there is none.
template <typename Value>
std::optional<Value> code_named(std::string_view name);
// In their order. Of errors, faults, notes and goodbyes.
template <Code Value>
std::span<const Value> all_codes();

}  // namespace protocol
