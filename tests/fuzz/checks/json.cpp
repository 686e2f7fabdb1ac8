// The parser of JSON, held against nlohmann's own tree. It accepts the same texts with the same
// values, but for what document.h says: it refuses duplicate members, integers beyond 64 bits, deep
// nesting, a byte order mark, and a NUL byte.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "tests/fuzz/target.h"
#include "tests/json.h"

namespace fuzz {
namespace {

namespace json = protocol::json;
using Json = nlohmann::json;

constexpr std::size_t readable_bytes_max = 40;
constexpr std::size_t escaped_byte_bytes = 4;  // \xNN

// What a text holds that our parser refuses and nlohmann's doesn't.
class Strictness : public nlohmann::json_sax<Json> {
 public:
    std::size_t depth_most = 0;
    bool has_duplicates = false;
    bool has_large_integer = false;

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& spelling) override {
        has_large_integer |= spelling.find_first_of(".eE") == std::string::npos;
        return true;
    }
    bool string(string_t& /*value*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*unknown*/) override { return open(); }
    bool key(string_t& name) override {
        has_duplicates |= !names_.back().insert(name).second;
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*unknown*/) override { return open(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const Json::exception& /*error*/) override {
        return false;
    }

 private:
    bool open() {
        names_.emplace_back();
        depth_most = std::max(depth_most, names_.size());
        return true;
    }
    bool close() {
        names_.pop_back();
        return true;
    }

    std::vector<std::set<std::string>> names_;
};

bool same(json::View ours, const Json& theirs) {
    switch (ours.kind()) {
        case json::Kind::null:
            return theirs.is_null();
        case json::Kind::boolean:
            return theirs.is_boolean() && theirs == ours.boolean().value();
        case json::Kind::integer:
            if (const auto value = ours.integer())
                return theirs.is_number_integer() && theirs == *value;
            return theirs.is_number_unsigned() && theirs == ours.unsigned_integer().value();
        case json::Kind::real:
            return theirs.is_number_float() && theirs.get<double>() == ours.number().value();
        case json::Kind::string:
            return theirs.is_string() && theirs.get_ref<const std::string&>() == *ours.string();
        case json::Kind::array: {
            if (!theirs.is_array() || theirs.size() != ours.size()) return false;
            auto at = theirs.begin();
            for (const auto element : ours.elements()) {
                if (!same(element, *at++)) return false;
            }
            return true;
        }
        case json::Kind::object: {
            if (!theirs.is_object() || theirs.size() != ours.size()) return false;
            for (const auto [name, value] : ours.members()) {
                const auto found = theirs.find(name);
                if (found == theirs.end() || !same(value, *found)) return false;
            }
            return true;
        }
    }
    return false;
}

Complaint check_accepted(const json::Document& document, const Json& theirs,
                         const Strictness& strictness, std::size_t depth_max) {
    if (theirs.is_discarded()) return "nlohmann refuses what is accepted";
    if (strictness.has_duplicates) return "a duplicate member is accepted";
    if (strictness.has_large_integer) return "an integer beyond 64 bits is accepted";
    if (strictness.depth_most > depth_max) return "too deep a text is accepted";
    if (!same(document.root(), theirs)) return "other values than nlohmann's";
    const auto text = document.root().json_text();
    json::Document again;
    if (!again.parse(text, {.depth_max = depth_max}) || !same(again.root(), theirs))
        return "written again it is another value: " + text;
    std::string twice;
    json::Writer second(twice);
    again.root().write(second);
    return twice == text ? Complaint() : "written twice it is another text: " + twice;
}

Complaint check_refused(const json::ParseError& error, std::string_view text, const Json& theirs,
                        const Strictness& strictness, std::size_t depth_max) {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (error.offset > text.size()) return "an error behind the text";
    if (error.line < 1 || error.line > lines) return "an error in a line that isn't there";
    if (error.message.empty() || !base::is_utf8(error.message))
        return "an error that can't be told";
    switch (error.fault) {
        case json::ParseFault::byte_order_mark:
            return text.starts_with("\xEF\xBB\xBF") ? "" : "there is no byte order mark";
        case json::ParseFault::too_deep:
            return strictness.depth_most > depth_max ? "" : "it isn't too deep";
        case json::ParseFault::duplicate_member:
            return strictness.has_duplicates ? "" : "no member stands twice";
        case json::ParseFault::integer_too_large:
            return strictness.has_large_integer ? "" : "no integer is too large";
        case json::ParseFault::invalid_utf8:
            if (base::is_utf8(text)) return "the text is UTF-8";
            break;
        default:
            break;
    }
    const bool has_nul = text.find('\0') != std::string_view::npos;
    return theirs.is_discarded() || has_nul ? "" : "nlohmann accepts it";
}

Complaint check_parse(std::string_view text, bool comments) {
    const Json theirs = Json::parse(text, nullptr, false, comments);
    Strictness strictness;
    Json::sax_parse(text, &strictness, Json::input_format_t::json, true, comments);
    for (const auto& options :
         {json::ParseOptions{.comments = comments},
          json::ParseOptions{.depth_max = 3, .comments = comments, .lines = true}}) {
        json::Document document;
        const auto parsed = document.parse(text, options);
        auto wrong =
            parsed ? check_accepted(document, theirs, strictness, options.depth_max)
                   : check_refused(parsed.error(), text, theirs, strictness, options.depth_max);
        if (!wrong.empty()) return wrong;
        if (document.parse(text, options).has_value() != parsed.has_value())
            return "a document that is used again answers otherwise";
    }
    return {};
}

// Any double and any text, as they are written.
Complaint check_writer(std::string_view bytes) {
    const auto text = base::readable(bytes, readable_bytes_max);
    if (!base::is_utf8(text)) return "readable() makes text that is no UTF-8";
    if (text.size() > readable_bytes_max + escaped_byte_bytes + std::string_view("...").size())
        return "readable() makes " + std::to_string(text.size()) + " bytes";
    if (base::is_utf8(bytes) && !base::is_utf8(base::utf8_prefix(bytes, readable_bytes_max)))
        return "utf8_prefix() cuts a sequence";
    double number = 0;
    std::memcpy(&number, bytes.data(), std::min(sizeof number, bytes.size()));
    if (!std::isfinite(number)) return {};
    std::string written;
    json::Writer(written).begin_array().real(number).string(text).end_array();
    const auto read = Json::parse(written, nullptr, false);
    const bool right = read.is_array() && read[0].get<double>() == number && read[1] == text;
    return right ? Complaint() : "written as " + written;
}

}  // namespace

Complaint check_json(std::string_view bytes) {
    for (const bool comments : {false, true}) {
        if (auto wrong = check_parse(bytes, comments); !wrong.empty()) return wrong;
    }
    return check_writer(bytes);
}

}  // namespace fuzz
