#include "protocol/codes.h"

#include "protocol/base/names.h"

namespace protocol {
namespace {

using base::in_order;
using base::Named;

struct NamedError {
    ErrorCode value;
    std::string_view name;
    bool closes = false;
};

// In the order of the enumerations: name_of() indexes, and a test walks all of them.
template <typename Value>
constexpr auto table_of = nullptr;

template <>
constexpr std::array<NamedError, 44> table_of<ErrorCode> = {{
    {ErrorCode::line_too_long, "line_too_long", true},
    {ErrorCode::invalid_json, "invalid_json"},
    {ErrorCode::invalid_utf8, "invalid_utf8"},
    {ErrorCode::byte_order_mark, "byte_order_mark"},
    {ErrorCode::too_deep, "too_deep"},
    {ErrorCode::duplicate_member, "duplicate_member"},
    {ErrorCode::integer_too_large, "integer_too_large"},
    {ErrorCode::number_too_large, "number_too_large"},
    {ErrorCode::not_an_object, "not_an_object"},
    {ErrorCode::missing_member, "missing_member"},
    {ErrorCode::wrong_type, "wrong_type"},
    {ErrorCode::invalid_value, "invalid_value"},
    {ErrorCode::unknown_type, "unknown_type"},
    {ErrorCode::login_expected, "login_expected"},
    {ErrorCode::already_logged_in, "already_logged_in"},
    {ErrorCode::unknown_game, "unknown_game"},
    {ErrorCode::not_to_move, "not_to_move"},
    {ErrorCode::already_answered, "already_answered"},
    {ErrorCode::future_turn, "future_turn"},
    {ErrorCode::no_such_game, "no_such_game"},
    {ErrorCode::nothing_kept, "nothing_kept"},
    {ErrorCode::too_many_questions, "too_many_questions"},
    {ErrorCode::no_submissions, "no_submissions"},
    {ErrorCode::submission_refused, "submission_refused"},
    {ErrorCode::too_many_submissions, "too_many_submissions"},
    {ErrorCode::tls_expected, "tls_expected", true},
    {ErrorCode::login_timeout, "login_timeout", true},
    {ErrorCode::unknown_name, "unknown_name", true},
    {ErrorCode::wrong_token, "wrong_token", true},
    {ErrorCode::wrong_password, "wrong_password", true},
    {ErrorCode::token_needed, "token_needed", true},
    {ErrorCode::too_many_tries, "too_many_tries", true},
    {ErrorCode::not_on_roster, "not_on_roster", true},
    {ErrorCode::name_too_similar, "name_too_similar", true},
    {ErrorCode::too_many_registrations, "too_many_registrations", true},
    {ErrorCode::registrations_full, "registrations_full", true},
    {ErrorCode::approval_needed, "approval_needed", true},
    {ErrorCode::name_refused, "name_refused", true},
    {ErrorCode::program_plays, "program_plays", true},
    {ErrorCode::already_connected, "already_connected", true},
    {ErrorCode::no_common_game, "no_common_game", true},
    {ErrorCode::too_many_connections, "too_many_connections", true},
    {ErrorCode::flooding, "flooding", true},
    {ErrorCode::backlog, "backlog", true},
}};

template <>
constexpr std::array<Named<FaultCode>, 9> table_of<FaultCode> = {{
    {FaultCode::late, "late"},
    {FaultCode::malformed, "malformed"},
    {FaultCode::illegal, "illegal"},
    {FaultCode::disconnected, "disconnected"},
    {FaultCode::crashed, "crashed"},
    {FaultCode::hung, "hung"},
    {FaultCode::over_budget, "over_budget"},
    {FaultCode::flooding, "flooding"},
    {FaultCode::protocol, "protocol"},
}};

template <>
constexpr std::array<Named<Consequence>, 5> table_of<Consequence> = {{
    {Consequence::none, "none"},
    {Consequence::missing_move, "missing_move"},
    {Consequence::lost_turn, "lost_turn"},
    {Consequence::strike, "strike"},
    {Consequence::forfeit, "forfeit"},
}};

template <>
constexpr std::array<Named<NoteCode>, 11> table_of<NoteCode> = {{
    {NoteCode::old_turn, "old_turn"},
    {NoteCode::game_over, "game_over"},
    {NoteCode::debug_cut, "debug_cut"},
    {NoteCode::annulled, "annulled"},
    {NoteCode::restored, "restored"},
    {NoteCode::interrupted, "interrupted"},
    {NoteCode::left_matches, "left_matches"},
    {NoteCode::clock_changed, "clock_changed"},
    {NoteCode::withdrawn, "withdrawn"},
    {NoteCode::admitted, "admitted"},
    {NoteCode::other_protocol, "other_protocol"},
}};

template <>
constexpr std::array<Named<ByeReason>, 6> table_of<ByeReason> = {{
    {ByeReason::finished, "finished"},
    {ByeReason::shutdown, "shutdown"},
    {ByeReason::replaced, "replaced"},
    {ByeReason::refused, "refused"},
    {ByeReason::released, "released"},
    {ByeReason::leaving, "leaving"},
}};

template <>
constexpr std::array<Named<StateForm>, 2> table_of<StateForm> = {{
    {StateForm::full, "full"},
    {StateForm::delta, "delta"},
}};

template <>
constexpr std::array<Named<Purpose>, 3> table_of<Purpose> = {{
    {Purpose::play, "play"},
    {Purpose::ask, "ask"},
    {Purpose::submit, "submit"},
}};

template <>
constexpr std::array<Named<SubmissionStatus>, 5> table_of<SubmissionStatus> = {{
    {SubmissionStatus::waiting, "waiting"},
    {SubmissionStatus::building, "building"},
    {SubmissionStatus::failed, "failed"},
    {SubmissionStatus::built, "built"},
    {SubmissionStatus::plays, "plays"},
}};

template <>
constexpr auto table_of<ClockKind> = base::clock_kinds;
template <>
constexpr auto table_of<Measure> = base::measures;

}  // namespace

template <Code Value>
std::string_view name_of(Value value) {
    static_assert(in_order(table_of<Value>));
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
template std::optional<FaultCode> code_named(std::string_view name);
template std::optional<Consequence> code_named(std::string_view name);
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

bool closes(ErrorCode code) {
    return base::row_of(table_of<ErrorCode>, code).closes;
}

}  // namespace protocol
