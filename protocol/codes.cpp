#include "protocol/codes.h"

#include "protocol/base/names.h"

namespace protocol {
namespace {

using base::in_order;
using base::Named;
using base::row_of;
using base::value_named;
using base::values_in;

struct NamedError {
    ErrorCode value;
    std::string_view name;
    bool closes = false;
};

// In the order of the enumerations: name_of() indexes, and a test walks all of them.
constexpr std::array<NamedError, 44> errors = {{
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

constexpr std::array<Named<FaultCode>, 9> faults = {{
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

constexpr std::array<Named<Consequence>, 5> consequences = {{
    {Consequence::none, "none"},
    {Consequence::missing_move, "missing_move"},
    {Consequence::lost_turn, "lost_turn"},
    {Consequence::strike, "strike"},
    {Consequence::forfeit, "forfeit"},
}};

constexpr std::array<Named<NoteCode>, 11> notes = {{
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

constexpr std::array<Named<ByeReason>, 6> bye_reasons = {{
    {ByeReason::finished, "finished"},
    {ByeReason::shutdown, "shutdown"},
    {ByeReason::replaced, "replaced"},
    {ByeReason::refused, "refused"},
    {ByeReason::released, "released"},
    {ByeReason::leaving, "leaving"},
}};

constexpr std::array<Named<StateForm>, 2> state_forms = {{
    {StateForm::full, "full"},
    {StateForm::delta, "delta"},
}};

constexpr std::array<Named<Purpose>, 3> purposes = {{
    {Purpose::play, "play"},
    {Purpose::ask, "ask"},
    {Purpose::submit, "submit"},
}};

constexpr std::array<Named<SubmissionStatus>, 5> submission_statuses = {{
    {SubmissionStatus::waiting, "waiting"},
    {SubmissionStatus::building, "building"},
    {SubmissionStatus::failed, "failed"},
    {SubmissionStatus::built, "built"},
    {SubmissionStatus::plays, "plays"},
}};

static_assert(in_order(submission_statuses) && in_order(purposes) && in_order(errors) &&
              in_order(faults) && in_order(consequences) && in_order(notes) &&
              in_order(bye_reasons) && in_order(state_forms));

constexpr auto error_codes = values_in(errors);
constexpr auto fault_codes = values_in(faults);
constexpr auto note_codes = values_in(notes);
constexpr auto bye_codes = values_in(bye_reasons);

}  // namespace

std::string_view name_of(ErrorCode code) {
    return row_of(errors, code).name;
}
bool closes(ErrorCode code) {
    return row_of(errors, code).closes;
}
std::span<const ErrorCode> all_error_codes() {
    return error_codes;
}

std::string_view name_of(FaultCode code) {
    return row_of(faults, code).name;
}
std::optional<FaultCode> fault_code(std::string_view name) {
    return value_named(faults, name);
}
std::span<const FaultCode> all_fault_codes() {
    return fault_codes;
}

std::string_view name_of(Consequence consequence) {
    return row_of(consequences, consequence).name;
}
std::optional<Consequence> consequence(std::string_view name) {
    return value_named(consequences, name);
}

std::string_view name_of(NoteCode code) {
    return row_of(notes, code).name;
}
std::span<const NoteCode> all_note_codes() {
    return note_codes;
}

std::string_view name_of(ByeReason reason) {
    return row_of(bye_reasons, reason).name;
}
std::span<const ByeReason> all_bye_reasons() {
    return bye_codes;
}

std::string_view name_of(Purpose purpose) {
    return row_of(purposes, purpose).name;
}
std::optional<Purpose> purpose(std::string_view name) {
    return value_named(purposes, name);
}

std::string_view name_of(SubmissionStatus status) {
    return row_of(submission_statuses, status).name;
}
std::optional<SubmissionStatus> submission_status(std::string_view name) {
    return value_named(submission_statuses, name);
}

std::string_view name_of(StateForm form) {
    return row_of(state_forms, form).name;
}
std::optional<StateForm> state_form(std::string_view name) {
    return value_named(state_forms, name);
}

std::optional<ClockKind> clock_kind(std::string_view name) {
    return value_named(base::clock_kinds, name);
}
std::optional<Measure> measure(std::string_view name) {
    return value_named(base::measures, name);
}

}  // namespace protocol
