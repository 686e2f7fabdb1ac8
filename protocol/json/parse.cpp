// Document::parse: nlohmann's SAX events into the tape of tokens.

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/quick_parser.h"

namespace protocol::json {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t few_members = 16;  // up to here comparing all pairs is cheapest
constexpr int out_of_range_error = 406;  // nlohmann's id for a number beyond a double
constexpr std::size_t message_bytes_max = 200;
constexpr std::size_t quoted_bytes_max = 64;  // of a name or a number in a message

// Reads the text and lets the builder see how far the lexer is.
class CountingIterator {
 public:
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;
    using iterator_category = std::forward_iterator_tag;

    CountingIterator() = default;
    CountingIterator(const char* at, const char** seen) : at_(at), seen_(seen) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        *seen_ = at_;
        return *this;
    }
    CountingIterator operator++(int) {
        auto old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
    const char* at_ = nullptr;
    const char** seen_ = nullptr;
};

std::size_t count_lines(std::string_view text, std::size_t bytes) {
    bytes = std::min(bytes, text.size());
    return static_cast<std::size_t>(
               std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bytes), '\n')) +
           1;
}

// nlohmann's message without its prefix: "[json.exception.parse_error.101] parse error at line 1,
// column 5: syntax error while parsing value - unexpected ..." -> "unexpected ...". It quotes what
// was read last, however long and whatever bytes that was. A string is not quoted: it may be a
// token or a password, and messages are logged and recorded. A wrong word behind a string is.
std::string plain_message(std::string_view text, std::string_view last_token) {
    constexpr std::string_view dash = " - ";
    if (const auto at = text.find(dash); at != std::string_view::npos)
        text.remove_prefix(at + dash.size());
    std::string message(text);
    if (last_token.starts_with('"')) {
        message.resize(std::min(text.find("; last read: "), text.size()));
        const auto word = base::trimmed(last_token.substr(last_token.rfind('"') + 1), ":,[{ \t\r");
        if (message == "invalid literal" && !word.empty())
            message += fmt::format("; last read: '{}'", word);
    }
    return base::visible_line(base::readable(message, message_bytes_max));
}

// Whether the token that was read last is the beginning of a string with bytes that are no UTF-8.
// `behind` is the text behind it: a token may end inside a sequence that is well formed.
bool is_ill_formed_string(std::string_view token, std::string_view behind) {
    if (!token.starts_with('"')) return false;
    std::string text(token);
    text += behind.substr(0, base::utf8_sequence_bytes_max - 1);
    for (std::size_t at = 0; at < token.size();) {
        const auto bytes = base::utf8_sequence_bytes(std::string_view(text).substr(at));
        if (bytes == 0) return true;
        at += bytes;
    }
    return false;
}

}  // namespace

// The receiver of nlohmann's events. Each returns false to stop the parser, with error_ set.
class TapeBuilder {
 public:
    using Token = Document::Token;

    TapeBuilder(Document& document, const ParseOptions& options, std::string_view text)
        : document_(document),
          options_(options),
          text_(text),
          seen_(text.data()),
          open_(document.open_),
          names_(document.names_) {
        open_.clear();
    }

    const char** seen() { return &seen_; }
    // What failed. Requires: something did.
    ParseError take_error() { return std::move(*error_); }

    bool null() {
        add(Kind::null);
        return true;
    }
    bool boolean(bool value) {
        add(Kind::boolean).boolean = value;
        return true;
    }
    bool number_integer(std::int64_t value) {
        add(Kind::integer).integer = value;
        return true;
    }
    bool number_unsigned(std::uint64_t value) {
        auto& token = add(Kind::integer);
        token.is_unsigned =
            value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (token.is_unsigned) {
            token.unsigned_integer = value;
        } else {
            token.integer = static_cast<std::int64_t>(value);
        }
        return true;
    }
    bool number_float(double value, const std::string& spelling) {
        if (spelling.find_first_of(".eE") == std::string::npos) {
            return fail(ParseFault::integer_too_large,
                        "an integer beyond 64 bits: " + base::readable(spelling, quoted_bytes_max));
        }
        auto& token = add(Kind::real);
        token.real = value;
        keep_text(token, spelling);
        return true;
    }
    bool string(const std::string& value) {
        keep_text(add(Kind::string), value);
        return true;
    }
    bool binary(const std::vector<std::uint8_t>& /*never in text*/) { return false; }
    bool start_object(std::size_t /*unknown*/) { return open(Kind::object); }
    bool start_array(std::size_t /*unknown*/) { return open(Kind::array); }
    bool key(const std::string& name) {
        keep_text(add(Kind::string), name);
        --document_.tape_[open_.back()].size;  // a member counts once, by its value
        return true;
    }
    bool end_object() { return close() && members_differ(); }
    bool end_array() { return close(); }

    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::json::exception& exception) {
        position_ = position;
        if (exception.id == out_of_range_error)
            return fail(ParseFault::number_too_large, "a number beyond what a double holds");
        if (is_ill_formed_string(last_token, text_.substr(std::min(position, text_.size()))))
            return fail(ParseFault::invalid_utf8, "text that is not valid UTF-8");
        return fail(ParseFault::syntax, plain_message(exception.what(), last_token));
    }

    bool fail(ParseFault fault, std::string message) {
        const auto offset =
            position_ == 0 ? static_cast<std::size_t>(seen_ - text_.data()) : position_;
        // At the text's end nlohmann's lexer counts bytes that aren't there.
        const auto read_before = std::min(offset == 0 ? 0 : offset - 1, text_.size());
        error_ = ParseError{fault, std::min(offset, text_.size()), count_lines(text_, read_before),
                            std::move(message)};
        return false;
    }

 private:
    Token& add(Kind kind) {
        auto& tape = document_.tape_;
        if (!open_.empty()) ++tape[open_.back()].size;
        auto& token = tape.emplace_back();
        token.kind = kind;
        token.next = static_cast<std::uint32_t>(tape.size());
        if (options_.lines) token.line = line_now();
        return token;
    }

    // Lines are counted up to the last byte read but one: the last may be the byte behind a number.
    std::uint32_t line_now() {
        const char* const last = seen_ == text_.data() ? seen_ : seen_ - 1;
        if (last > counted_to_) {
            line_ += static_cast<std::uint32_t>(std::count(counted_to_, last, '\n'));
            counted_to_ = last;
        }
        return line_;
    }

    void keep_text(Token& token, std::string_view text) {
        token.text = document_.texts_.size();
        token.size = static_cast<std::uint32_t>(text.size());
        document_.texts_ += text;
    }

    bool open(Kind kind) {
        if (open_.size() >= options_.depth_max) {
            return fail(ParseFault::too_deep, "arrays or objects in one another deeper than " +
                                                  std::to_string(options_.depth_max) + " levels");
        }
        add(kind);
        open_.push_back(static_cast<std::uint32_t>(document_.tape_.size() - 1));
        return true;
    }

    bool close() {
        closed_ = open_.back();
        open_.pop_back();
        document_.tape_[closed_].next = static_cast<std::uint32_t>(document_.tape_.size());
        return true;
    }

    bool members_differ() {
        names_.clear();
        for (const auto member : View(&document_, closed_).members()) names_.push_back(member.name);
        if (names_.size() > few_members) {
            std::sort(names_.begin(), names_.end());
            const auto twice = std::adjacent_find(names_.begin(), names_.end());
            return twice == names_.end() || fail_duplicate(*twice);
        }
        for (std::size_t i = 1; i < names_.size(); ++i) {
            const auto end = names_.begin() + static_cast<std::ptrdiff_t>(i);
            if (std::find(names_.begin(), end, names_[i]) != end) return fail_duplicate(names_[i]);
        }
        return true;
    }

    bool fail_duplicate(std::string_view name) {
        return fail(ParseFault::duplicate_member,
                    "the member \"" + base::visible_line(base::readable(name, quoted_bytes_max)) +
                        "\" twice");
    }

    Document& document_;
    const ParseOptions& options_;
    std::string_view text_;
    const char* seen_;
    const char* counted_to_ = text_.data();
    std::uint32_t line_ = 1;
    std::uint32_t closed_ = 0;
    std::size_t position_ = 0;  // where nlohmann says that it is; 0: unknown
    std::vector<std::uint32_t>& open_;
    std::vector<std::string_view>& names_;
    std::optional<ParseError> error_;
};

base::Result<void, ParseError> Document::parse(std::string_view text, const ParseOptions& options) {
    if (!options.lines && !options.comments && QuickParser(*this, text, options.depth_max).parse())
        return {};
    tape_.clear();
    texts_.clear();
    if (text.starts_with(byte_order_mark)) {
        return base::failure(ParseError{ParseFault::byte_order_mark, 0, 1,
                                        "a byte order mark before the JSON text"});
    }
    if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
        // nlohmann takes a NUL byte for the end of the text and would not look behind it.
        return base::failure(ParseError{ParseFault::syntax, nul + 1, count_lines(text, nul),
                                        "a NUL byte in the text"});
    }
    TapeBuilder builder(*this, options, text);
    bool good = false;
    constexpr auto format = nlohmann::json::input_format_t::json;
    if (options.lines) {
        const CountingIterator begin(text.data(), builder.seen());
        const CountingIterator end(text.data() + text.size(), builder.seen());
        good = nlohmann::json::sax_parse(begin, end, &builder, format, true, options.comments);
    } else {
        good = nlohmann::json::sax_parse(text.begin(), text.end(), &builder, format, true,
                                         options.comments);
    }
    if (good) return {};
    tape_.clear();
    auto error = builder.take_error();
    if (error.offset > 0 || options.lines) return base::failure(std::move(error));
    // Without lines nobody counted how far it came.
    return parse(text, {options.depth_max, options.comments, true});
}

void Document::trim(std::size_t bytes_max) {
    const auto kept = tape_.capacity() * sizeof(Token) + texts_.capacity() +
                      names_.capacity() * sizeof(std::string_view);
    if (kept <= bytes_max) return;
    // To assign an empty one leaves a string, or a vector, its memory.
    const auto release = [](auto& values) {
        values.clear();
        values.shrink_to_fit();
    };
    release(tape_);
    release(texts_);
    release(open_);
    release(names_);
}

}  // namespace protocol::json
