#include "protocol/bad_line.h"

#include <array>

#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"

namespace protocol {
namespace {

template <typename Value>
struct Answered {
    Value value;
    ErrorCode code;
};

constexpr std::array<Answered<json::ParseFault>, 7> of_faults = {{
    {json::ParseFault::syntax, ErrorCode::invalid_json},
    {json::ParseFault::invalid_utf8, ErrorCode::invalid_utf8},
    {json::ParseFault::byte_order_mark, ErrorCode::byte_order_mark},
    {json::ParseFault::too_deep, ErrorCode::too_deep},
    {json::ParseFault::duplicate_member, ErrorCode::duplicate_member},
    {json::ParseFault::integer_too_large, ErrorCode::integer_too_large},
    {json::ParseFault::number_too_large, ErrorCode::number_too_large},
}};
constexpr std::array<Answered<json::MistakeKind>, 4> of_mistakes = {{
    {json::MistakeKind::missing, ErrorCode::missing_member},
    {json::MistakeKind::unknown, ErrorCode::invalid_value},
    {json::MistakeKind::wrong_kind, ErrorCode::wrong_type},
    {json::MistakeKind::wrong_value, ErrorCode::invalid_value},
}};
static_assert(base::in_order(of_faults) && base::in_order(of_mistakes));

std::string words_of(const json::Mistake& mistake) {
    if (mistake.kind == json::MistakeKind::missing) return "is missing";
    if (mistake.kind == json::MistakeKind::wrong_kind) {
        return "should be " + std::string(json::describe(mistake.wanted)) + ", but is " +
               std::string(json::describe(mistake.found));
    }
    return mistake.expected.empty() ? mistake.message : "should be " + mistake.expected;
}

}  // namespace

base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document) {
    const auto parsed = document.parse(line, {.depth_max = limits::depth_max});
    if (parsed && document.root().is_object()) return document.root();
    ProtocolError error;
    if (!parsed) {
        const auto& wrong = parsed.error();
        error.code = base::row_of(of_faults, wrong.fault).code;
        error.message = "a message is one JSON object on a line, but this one has " +
                        wrong.message + " (at byte " + std::to_string(wrong.offset) + ")";
        return base::failure(std::move(error));
    }
    error.code = ErrorCode::not_an_object;
    error.message = "a message is a JSON object, but this is " +
                    std::string(json::describe(document.root().kind()));
    return base::failure(std::move(error));
}

ProtocolError refusal(const json::Mistake& mistake) {
    ProtocolError error;
    error.code = base::row_of(of_mistakes, mistake.kind).code;
    error.message = '"' + mistake.path + "\" " + words_of(mistake);
    // The message's own member, whatever is inside it.
    error.member = mistake.path.substr(0, mistake.path.find_first_of(".["));
    return error;
}

bool may_hold_token(std::string_view line) {
    const auto lower = base::small(std::string(line));
    for (const auto* sign : {"tok", "pass", "log", "name"}) {
        if (lower.find(sign) != std::string::npos) return true;
    }
    // A name can be spelt with escapes, as in "\u0074oken". Escapes of control characters spell no
    // letters.
    for (auto at = lower.find("\\u00"); at != std::string::npos; at = lower.find("\\u00", at + 1)) {
        constexpr std::size_t tens =
            4;  // behind the backslash: the first of the two digits that matter
        if (at + tens < lower.size() && lower[at + tens] >= '2' && lower[at + tens] <= '7')
            return true;
    }
    return false;
}

ProtocolError line_too_long(std::size_t line_bytes_max) {
    ProtocolError error;
    error.code = ErrorCode::line_too_long;
    error.message =
        "a line has at most " + std::to_string(line_bytes_max) +
        " bytes, but this one has more: the connection is closed, and in a game that is flooding";
    error.expected = example(BotMessage::move);
    return error;
}

bool is_plain_text(const ProtocolError& error) {
    const bool no_object =
        error.code == ErrorCode::invalid_json || error.code == ErrorCode::not_an_object;
    return no_object && !error.received.starts_with('{');
}

void tell_plain_text(ProtocolError& error, bool over_standard_output, std::uint64_t count) {
    if (count > 1) {
        error.message = "again no JSON object: line " + std::to_string(count) + " of this kind";
        error.expected.clear();
        return;
    }
    if (error.received.find(" HTTP/") != std::string::npos) {
        error.message =
            "this is HTTP, and bots dial in here: pages, where there are some, have another "
            "address, which the daemon's log tells";
        return;
    }
    error.message += over_standard_output
                         ? "; standard output belongs to the protocol: print everything else to "
                           "standard error"
                         : "; each line of this connection must be such an object: print "
                           "everything else elsewhere";
}

}  // namespace protocol
