#include "protocol/refusal.h"

namespace protocol {
namespace {

ErrorCode code_of(json::ParseFault fault) {
    switch (fault) {
        case json::ParseFault::syntax:
            return ErrorCode::invalid_json;
        case json::ParseFault::invalid_utf8:
            return ErrorCode::invalid_utf8;
        case json::ParseFault::byte_order_mark:
            return ErrorCode::byte_order_mark;
        case json::ParseFault::too_deep:
            return ErrorCode::too_deep;
        case json::ParseFault::duplicate_member:
            return ErrorCode::duplicate_member;
        case json::ParseFault::integer_too_large:
            return ErrorCode::integer_too_large;
        case json::ParseFault::number_too_large:
            return ErrorCode::number_too_large;
    }
    return ErrorCode::invalid_json;
}

ErrorCode code_of(json::MistakeKind kind) {
    switch (kind) {
        case json::MistakeKind::missing:
            return ErrorCode::missing_member;
        case json::MistakeKind::wrong_kind:
            return ErrorCode::wrong_type;
        case json::MistakeKind::unknown:
        case json::MistakeKind::wrong_value:
            return ErrorCode::invalid_value;
    }
    return ErrorCode::invalid_value;
}

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
        error.code = code_of(wrong.fault);
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
    error.code = code_of(mistake.kind);
    error.message = '"' + mistake.path + "\" " + words_of(mistake);
    // The message's own member, whatever is inside it.
    error.member = mistake.path.substr(0, mistake.path.find_first_of(".["));
    return error;
}

}  // namespace protocol
