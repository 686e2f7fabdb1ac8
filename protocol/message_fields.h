#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>

#include "protocol/json/reader.h"
#include "protocol/messages.h"

// What messages are called, and their members, each once, in their order in the line: encode.cpp
// writes them by these lists, and decode_from_referee.cpp reads what the referee sends. What a bot
// sends is read in decode_from_bot.cpp, where each member has rules of its own.

namespace protocol {

// A member that may be left out may be null too; members that nobody knows are passed over.
inline constexpr json::ReadingRules message_rules{.null_is_absent = true};

}  // namespace protocol

namespace protocol::fields {

enum class Presence : std::uint8_t {
    needed,      // always told; without it the message is refused
    told,        // always told; a client does without it
    if_any,      // told where there is something to tell
    object,      // a payload that is needed, and is an object
    array,       // the same, an array
    only_tells,  // an object or several: a mistake in it does not spoil the message
};

template <Presence presence, typename Row, typename Value, std::size_t size>
struct MemberField {
    const char (&name)[size];
    Value Row::*value;
    std::int64_t least = 0;  // of a number
};

template <Presence presence = Presence::needed, typename Row, typename Value, std::size_t size>
constexpr MemberField<presence, Row, Value, size> field(const char (&name)[size], Value Row::*value,
                                                        std::int64_t least = 0) {
    return {name, value, least};
}
template <typename Row, typename Value, std::size_t size>
constexpr auto told(const char (&name)[size], Value Row::*value) {
    return field<Presence::told>(name, value);
}
template <typename Row, typename Value, std::size_t size>
constexpr auto if_any(const char (&name)[size], Value Row::*value) {
    return field<Presence::if_any>(name, value);
}

template <typename Row>
inline constexpr auto members_of = std::make_tuple();

template <>
inline constexpr auto members_of<Login> =
    std::make_tuple(told("name", &Login::name), if_any("token", &Login::token),
                    if_any("password", &Login::password), if_any("client", &Login::client),
                    if_any("version", &Login::version), told("games", &Login::games),
                    told("parallel", &Login::parallel), told("state", &Login::state),
                    if_any("purpose", &Login::purpose), if_any("protocol", &Login::other_protocol));
template <>
inline constexpr auto members_of<Ready> = std::make_tuple(told("game_id", &Ready::game_id));
template <>
inline constexpr auto members_of<Move> = std::make_tuple(told("game_id", &Move::game_id),
                                                         told("turn", &Move::turn),
                                                         told("move", &Move::move),
                                                         if_any("debug", &Move::debug));
template <>
inline constexpr auto members_of<AskGames> = std::make_tuple(if_any("tournament",
                                                                    &AskGames::tournament),
                                                             if_any("before", &AskGames::before),
                                                             told("limit", &AskGames::limit));
template <>
inline constexpr auto members_of<AskGame> = std::make_tuple(told("game_id", &AskGame::game_id));
template <>
inline constexpr auto members_of<Submit> = std::make_tuple(told("file", &Submit::file),
                                                           told("bytes", &Submit::bytes),
                                                           told("sha256", &Submit::sha256));
template <>
inline constexpr auto members_of<Piece> = std::make_tuple(told("data", &Piece::data));

template <>
inline constexpr auto members_of<Ping> = std::make_tuple(field("id", &Ping::id));
template <>
inline constexpr auto members_of<Pong> = std::make_tuple(field("id", &Pong::id));
// The referee always has a reason.
template <>
inline constexpr auto members_of<Bye> = std::make_tuple(if_any("reason", &Bye::reason),
                                                        if_any("message", &Bye::message));

template <>
inline constexpr auto members_of<Hello::Limits> = std::make_tuple(
    told("line_bytes", &Hello::Limits::line_bytes), told("depth", &Hello::Limits::depth),
    told("debug_bytes", &Hello::Limits::debug_bytes),
    told("name_bytes", &Hello::Limits::name_bytes),
    told("games_parallel", &Hello::Limits::games_parallel),
    told("login_ms", &Hello::Limits::login_ms), told("ready_ms", &Hello::Limits::ready_ms),
    told("backlog_bytes", &Hello::Limits::backlog_bytes),
    told("backlog_ms", &Hello::Limits::backlog_ms));
template <>
inline constexpr auto members_of<Hello> =
    std::make_tuple(field("protocol", &Hello::protocol), told("server", &Hello::server),
                    told("version", &Hello::version), told("session", &Hello::session),
                    field<Presence::only_tells>("limits", &Hello::limits));

template <>
inline constexpr auto members_of<Welcome> =
    std::make_tuple(field("name", &Welcome::name), told("session", &Welcome::session),
                    field("protocol", &Welcome::protocol), field("parallel", &Welcome::parallel, 1),
                    field("state", &Welcome::state), field("games", &Welcome::games),
                    if_any("purpose", &Welcome::purpose), if_any("page", &Welcome::page));

template <>
inline constexpr auto members_of<ClockTerms> = std::make_tuple(
    field("kind", &ClockTerms::kind), field("measure", &ClockTerms::measure),
    field("budget_us", &ClockTerms::budget_us), told("hard_limit_us", &ClockTerms::hard_limit_us),
    if_any("increment_us", &ClockTerms::increment_us));
template <>
inline constexpr auto members_of<Start> = std::make_tuple(
    field("match", &Start::match), field("game_id", &Start::game_id),
    field("game_number", &Start::game_number, 1), field("games", &Start::games, 1),
    field("game", &Start::game), field("seat", &Start::seat), field("names", &Start::names),
    field<Presence::object>("params", &Start::params), field("clock", &Start::clock),
    field("turn", &Start::turn), field("state", &Start::state), if_any("resumed", &Start::resumed));

template <>
inline constexpr auto members_of<History> = std::make_tuple(
    field("game_id", &History::game_id), field("from_turn", &History::from_turn),
    field<Presence::array>("turns", &History::turns), field("last", &History::last));

template <>
inline constexpr auto members_of<TurnNote> = std::make_tuple(told("seat", &TurnNote::seat),
                                                             told("code", &TurnNote::code),
                                                             told("message", &TurnNote::message));
template <>
inline constexpr auto members_of<LastAnswer> = std::make_tuple(
    field("turn", &LastAnswer::turn), field("charged_us", &LastAnswer::charged_us),
    told("allowed_us", &LastAnswer::allowed_us), if_any("wall_us", &LastAnswer::wall_us),
    if_any("round_trip_us", &LastAnswer::round_trip_us),
    if_any("allowance_us", &LastAnswer::allowance_us), if_any("jitter_us", &LastAnswer::jitter_us),
    if_any("waited_us", &LastAnswer::waited_us), if_any("corrected_us", &LastAnswer::corrected_us),
    if_any("cause", &LastAnswer::cause), if_any("doubted_us", &LastAnswer::doubted_us),
    told("late", &LastAnswer::late), field("move", &LastAnswer::move),
    field<Presence::only_tells>("notes", &LastAnswer::notes));
// Behind them `delta` or `state`, then `last`.
template <>
inline constexpr auto members_of<Turn> = std::make_tuple(field("game_id", &Turn::game_id),
                                                         field("turn", &Turn::turn),
                                                         field("budget_us", &Turn::budget_us));

template <>
inline constexpr auto members_of<Evidence> = std::make_tuple(
    if_any("received", &Evidence::received), if_any("sent_us", &Evidence::sent_us),
    if_any("received_us", &Evidence::received_us), if_any("noticed_us", &Evidence::noticed_us),
    if_any("charged_us", &Evidence::charged_us), if_any("allowed_us", &Evidence::allowed_us),
    if_any("round_trip_us", &Evidence::round_trip_us),
    if_any("allowance_us", &Evidence::allowance_us), if_any("budget_us", &Evidence::budget_us),
    if_any("measure", &Evidence::measure), if_any("method", &Evidence::method),
    if_any("exit_status", &Evidence::exit_status), if_any("signal", &Evidence::signal),
    if_any("stderr_tail", &Evidence::stderr_tail));
template <>
inline constexpr auto members_of<Fault> = std::make_tuple(
    field("game_id", &Fault::game_id), field("turn", &Fault::turn), field("seat", &Fault::seat),
    field("code", &Fault::code), field("message", &Fault::message), told("rule", &Fault::rule),
    if_any("rule_text", &Fault::rule_text), field("consequence", &Fault::consequence),
    field<Presence::only_tells>("evidence", &Fault::evidence));

template <>
inline constexpr auto members_of<Note> = std::make_tuple(
    field("code", &Note::code), field("message", &Note::message), if_any("game_id", &Note::game_id),
    if_any("turn", &Note::turn), if_any("wait_us", &Note::wait_us),
    if_any("took_us", &Note::took_us), if_any("over_us", &Note::over_us));

template <>
inline constexpr auto members_of<SeatResult> =
    std::make_tuple(field("name", &SeatResult::name), field("score", &SeatResult::score),
                    field("place", &SeatResult::place, 1), told("reason", &SeatResult::reason));
template <>
inline constexpr auto members_of<End> = std::make_tuple(
    field("game_id", &End::game_id), field("outcome", &End::outcome), field("seats", &End::seats),
    if_any("seed", &End::seed), field("turns", &End::turns), told("reason", &End::reason));

template <>
inline constexpr auto members_of<MatchEnd> = std::make_tuple(
    field("match", &MatchEnd::match), field("names", &MatchEnd::names),
    field<Presence::array>("scores", &MatchEnd::scores), field("placing", &MatchEnd::placing),
    field("games", &MatchEnd::games), told("reason", &MatchEnd::reason));

template <>
inline constexpr auto members_of<GameList::Line> = std::make_tuple(
    field("game_id", &GameList::Line::game_id), told("tournament", &GameList::Line::tournament),
    told("game", &GameList::Line::game), field("names", &GameList::Line::names),
    field("seat", &GameList::Line::seat), field("status", &GameList::Line::status),
    if_any("place", &GameList::Line::place), if_any("score", &GameList::Line::score),
    told("faults", &GameList::Line::faults), told("turns", &GameList::Line::turns),
    told("reason", &GameList::Line::reason), told("ago_ms", &GameList::Line::ago_ms),
    if_any("ruling", &GameList::Line::ruling));
template <>
inline constexpr auto members_of<GameList> = std::make_tuple(field("games", &GameList::games),
                                                             told("more", &GameList::more));

template <>
inline constexpr auto members_of<GameStory::Debug> = std::make_tuple(
    field("turn", &GameStory::Debug::turn), field("debug", &GameStory::Debug::text));
template <>
inline constexpr auto members_of<GameStory> =
    std::make_tuple(field("game_id", &GameStory::game_id), field("story", &GameStory::story),
                    told("debug", &GameStory::debug),
                    if_any("stderr_tail", &GameStory::stderr_tail), if_any("cut", &GameStory::cut));

template <>
inline constexpr auto members_of<Received> = std::make_tuple(field("bytes", &Received::bytes),
                                                             field("of", &Received::of));

template <>
inline constexpr auto members_of<SubmissionList::Version> = std::make_tuple(
    field("version", &SubmissionList::Version::version, 1),
    told("file", &SubmissionList::Version::file), told("bytes", &SubmissionList::Version::bytes),
    told("sha256", &SubmissionList::Version::sha256),
    field("status", &SubmissionList::Version::status),
    if_any("reason", &SubmissionList::Version::reason),
    if_any("output", &SubmissionList::Version::output),
    told("ago_ms", &SubmissionList::Version::ago_ms));
template <>
inline constexpr auto members_of<SubmissionList> = std::make_tuple(
    field("versions", &SubmissionList::versions), told("plays", &SubmissionList::plays));

// In memory an error is another struct for the referee than for a client.
template <typename Error>
inline constexpr auto members_of_error = std::make_tuple(field("code", &Error::code),
                                                         field("message", &Error::message),
                                                         if_any("expected", &Error::expected),
                                                         if_any("member", &Error::member),
                                                         if_any("received", &Error::received));
template <>
inline constexpr auto members_of<ProtocolError> = members_of_error<ProtocolError>;
template <>
inline constexpr auto members_of<ErrorMessage> = members_of_error<ErrorMessage>;

template <typename Message>
struct TypeName {
    std::string_view name;
};
inline constexpr auto type_names = std::make_tuple(
    TypeName<Login>{"login"}, TypeName<Ready>{"ready"}, TypeName<Move>{"move"},
    TypeName<AskGames>{"games"}, TypeName<AskGame>{"game"}, TypeName<Submit>{"submit"},
    TypeName<Piece>{"piece"}, TypeName<AskSubmissions>{"submissions"},
    TypeName<Withdraw>{"withdraw"}, TypeName<Ping>{"ping"}, TypeName<Pong>{"pong"},
    TypeName<Bye>{"bye"}, TypeName<Hello>{"hello"}, TypeName<Welcome>{"welcome"},
    TypeName<Start>{"start"}, TypeName<History>{"history"}, TypeName<Turn>{"turn"},
    TypeName<Fault>{"fault"}, TypeName<Note>{"note"}, TypeName<End>{"end"},
    TypeName<MatchEnd>{"match_end"}, TypeName<GameList>{"game_list"},
    TypeName<GameStory>{"game_story"}, TypeName<Received>{"received"},
    TypeName<SubmissionList>{"submission_list"}, TypeName<ProtocolError>{"error"},
    TypeName<ErrorMessage>{"error"});
template <typename Message>
inline constexpr auto type_name = std::get<TypeName<Message>>(type_names).name;

}  // namespace protocol::fields
