#include "protocol/member_reader.h"

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

std::string quoted(std::string_view name) {
    return '"' + std::string(name) + '"';
}

}  // namespace

void MemberReader::fail(ErrorCode code, std::string_view member, std::string_view should) {
    if (error_) return;
    error_.emplace();
    error_->code = code;
    error_->member = member;
    error_->message = quoted(member) + ' ' + std::string(should);
}

json::View MemberReader::required(std::string_view name) {
    const auto value = object_.find(name);
    if (!value) fail(ErrorCode::missing_member, name, "is missing");
    return value;
}

json::View MemberReader::optional(std::string_view name) {
    const auto value = object_.find(name);
    return value.is_null() ? json::View() : value;
}

json::View MemberReader::of_kind(json::View value, std::string_view name, json::Kind kind) {
    if (!value) return {};
    if (value.kind() == kind) return value;
    fail(ErrorCode::wrong_type, name,
         "should be " + std::string(json::describe(kind)) + ", but is " +
             std::string(json::describe(value.kind())));
    return {};
}

std::int64_t MemberReader::integer_in(json::View value, std::string_view name, std::int64_t min,
                                      std::int64_t max) {
    const auto number = value.integer();
    if (number && *number >= min && *number <= max) return *number;
    if (of_kind(value, name, json::Kind::integer)) {
        fail(ErrorCode::invalid_value, name,
             "should be from " + std::to_string(min) + " to " + std::to_string(max));
    }
    return min;
}

std::string_view MemberReader::text(std::string_view name) {
    return of_kind(required(name), name, json::Kind::string).string().value_or("");
}

std::int64_t MemberReader::integer(std::string_view name, std::int64_t min, std::int64_t max) {
    return integer_in(required(name), name, min, max);
}

std::uint64_t MemberReader::unsigned_integer(std::string_view name) {
    const auto value = of_kind(required(name), name, json::Kind::integer);
    if (!value) return 0;
    const auto number = value.unsigned_integer();
    if (!number) fail(ErrorCode::invalid_value, name, "should not be negative");
    return number.value_or(0);
}

bool MemberReader::boolean(std::string_view name) {
    return of_kind(required(name), name, json::Kind::boolean).boolean().value_or(false);
}

json::View MemberReader::value(std::string_view name) {
    return required(name);
}

json::View MemberReader::array(std::string_view name) {
    return of_kind(required(name), name, json::Kind::array);
}

json::View MemberReader::object(std::string_view name) {
    return of_kind(required(name), name, json::Kind::object);
}

std::vector<std::string_view> MemberReader::texts(std::string_view name) {
    std::vector<std::string_view> found;
    const auto list = array(name);
    found.reserve(list.size());
    for (const auto element : list.elements()) {
        const auto text = element.string();
        if (!text) fail(ErrorCode::wrong_type, name, "should be an array of strings");
        found.push_back(text.value_or(""));
    }
    return found;
}

std::optional<std::string_view> MemberReader::optional_text(std::string_view name) {
    return of_kind(optional(name), name, json::Kind::string).string();
}

std::optional<std::int64_t> MemberReader::optional_integer(std::string_view name, std::int64_t min,
                                                           std::int64_t max) {
    const auto value = optional(name);
    if (!value) return std::nullopt;
    return integer_in(value, name, min, max);
}

std::optional<bool> MemberReader::optional_boolean(std::string_view name) {
    return of_kind(optional(name), name, json::Kind::boolean).boolean();
}

json::View MemberReader::optional_object(std::string_view name) {
    return of_kind(optional(name), name, json::Kind::object);
}

json::View MemberReader::optional_array(std::string_view name) {
    return of_kind(optional(name), name, json::Kind::array);
}

std::optional<ProtocolError> parse_object(std::string_view line, json::Document& document) {
    ProtocolError error;
    if (const auto parse_error = document.parse(line, {.depth_max = limits::depth_max})) {
        error.code = code_of(parse_error->fault);
        error.message = "a message is one JSON object on a line, but this one has " +
                        parse_error->message + " (at byte " + std::to_string(parse_error->offset) +
                        ")";
    } else if (!document.root().is_object()) {
        error.code = ErrorCode::not_an_object;
        error.message = "a message is a JSON object, but this is " +
                        std::string(json::describe(document.root().kind()));
    } else {
        return std::nullopt;
    }
    return error;
}

}  // namespace protocol
