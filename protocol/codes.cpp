#include "protocol/codes.h"

#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>

#include "protocol/base/clock_kind.h"
#include "protocol/base/enum_names.h"

namespace protocol {

// Each is called on the wire as it is called here.
BOOST_DESCRIBE_ENUM(ErrorCode, line_too_long, invalid_json, invalid_utf8, byte_order_mark, too_deep,
                    duplicate_member, integer_too_large, number_too_large, not_an_object,
                    missing_member, wrong_type, invalid_value, unknown_type, login_expected,
                    already_logged_in, unknown_game, not_to_move, already_answered, future_turn,
                    no_such_game, nothing_kept, too_many_questions, no_submissions,
                    submission_refused, too_many_submissions, tls_expected, login_timeout,
                    unknown_name, wrong_token, wrong_password, token_needed, too_many_tries,
                    not_on_roster, name_too_similar, too_many_registrations, registrations_full,
                    approval_needed, name_refused, program_plays, already_connected, no_common_game,
                    too_many_connections, flooding, backlog)
BOOST_DESCRIBE_ENUM(FaultCode, late, malformed, illegal, disconnected, crashed, hung, over_budget,
                    flooding, protocol)
BOOST_DESCRIBE_ENUM(Consequence, none, missing_move, lost_turn, strike, forfeit)
BOOST_DESCRIBE_ENUM(NoteCode, old_turn, game_over, debug_cut, annulled, restored, interrupted,
                    left_matches, clock_changed, withdrawn, admitted, other_protocol)
BOOST_DESCRIBE_ENUM(ByeReason, finished, shutdown, replaced, refused, released, leaving)
BOOST_DESCRIBE_ENUM(StateForm, full, delta)
BOOST_DESCRIBE_ENUM(Purpose, play, ask, submit)
BOOST_DESCRIBE_ENUM(SubmissionStatus, waiting, building, failed, built, plays)

namespace {

template <typename Value, template <typename...> class List, typename... Described>
constexpr std::array<base::Named<Value>, sizeof...(Described)> table_in(List<Described...>) {
    return {{{Described::value, Described::name}...}};
}

// In the order of the enumerations: name_of() indexes, and a test walks all of them.
template <typename Value>
constexpr auto table_of = table_in<Value>(boost::describe::describe_enumerators<Value>());
template <>
constexpr auto table_of<ClockKind> = base::clock_kinds;
template <>
constexpr auto table_of<Measure> = base::measures;

}  // namespace

template <Code Value>
std::string_view name_of(Value value) {
    static_assert(base::in_order(table_of<Value>));
    return base::row_of(table_of<Value>, value).name;
}
template std::string_view name_of(ErrorCode value);
template std::string_view name_of(FaultCode value);
template std::string_view name_of(Consequence value);
template std::string_view name_of(NoteCode value);
template std::string_view name_of(ByeReason value);
template std::string_view name_of(StateForm value);
template std::string_view name_of(Purpose value);
template std::string_view name_of(SubmissionStatus value);

template <typename Value>
std::optional<Value> code_named(std::string_view name) {
    return base::value_named(table_of<Value>, name);
}
template std::optional<ErrorCode> code_named(std::string_view name);
template std::optional<FaultCode> code_named(std::string_view name);
template std::optional<Consequence> code_named(std::string_view name);
template std::optional<ByeReason> code_named(std::string_view name);
template std::optional<StateForm> code_named(std::string_view name);
template std::optional<Purpose> code_named(std::string_view name);
template std::optional<SubmissionStatus> code_named(std::string_view name);
template std::optional<ClockKind> code_named(std::string_view name);
template std::optional<Measure> code_named(std::string_view name);

template <Code Value>
std::span<const Value> all_codes() {
    static constexpr auto codes = base::values_in(table_of<Value>);
    return codes;
}
template std::span<const ErrorCode> all_codes();
template std::span<const FaultCode> all_codes();
template std::span<const NoteCode> all_codes();
template std::span<const ByeReason> all_codes();

// Those that say why somebody was not let in, or was shown out, are last.
bool closes(ErrorCode code) {
    return code == ErrorCode::line_too_long || code >= ErrorCode::tls_expected;
}

}  // namespace protocol
