#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/writer.h"

namespace protocol::json {

enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };

// "an object", "an integer", ...: for messages that say what was found.
std::string_view describe(Kind kind);

class Document;
class Elements;
class Members;

// One value of a parsed document. Cheap to copy; valid until the document is parsed into again or
// destroyed. A default-made view is *absent*: false as a condition, of kind null.
class View {
 public:
    View() = default;

    explicit operator bool() const { return document_ != nullptr; }
    Kind kind() const;
    bool is_null() const { return kind() == Kind::null; }
    bool is_array() const { return kind() == Kind::array; }
    bool is_object() const { return kind() == Kind::object; }

    // The value where it is of that kind (and in range), else nothing. 5.0 is not an integer.
    std::optional<bool> boolean() const;
    std::optional<std::int64_t> integer() const;
    std::optional<std::uint64_t> unsigned_integer() const;
    std::optional<double> number() const;  // an integer or a real
    std::optional<std::string_view> string() const;
    std::string_view text() const { return string().value_or(""); }
    std::vector<std::string> texts() const;  // of the elements

    // Elements of an array, members of an object; 0 for anything else.
    std::size_t size() const;
    // Element i of an array (absent beyond the end, or where this is no array). Walks: to visit
    // all of them use elements().
    View at(std::size_t i) const;
    // Member `name` of an object; absent where there is none, or where this is no object.
    View find(std::string_view name) const;
    // In the order of the text; empty where this is no array, or no object.
    Elements elements() const;
    Members members() const;

    // The line (from 1) on which the value ends. Needs ParseOptions::lines.
    std::size_t line() const;

    // The same value again: integers and strings exactly, reals as they were spelt.
    void write(Writer& writer) const;
    // That as a text of its own; "null" of an absent view.
    std::string json_text() const;

 private:
    friend class Document;
    friend class Elements;
    friend class Members;
    friend struct Member;
    friend class TapeBuilder;
    View(const Document* document, std::uint32_t token) : document_(document), token_(token) {}

    const Document* document_ = nullptr;
    std::uint32_t token_ = 0;
};

struct Member {
    std::string_view name;
    View value;

    void write(Writer& writer) const;  // with its name
};

class Elements {
 public:
    class Iterator {
     public:
        using value_type = View;
        using difference_type = std::ptrdiff_t;
        View operator*() const { return at_; }
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return at_.token_ == other.at_.token_; }

     private:
        friend class View;
        View at_;
    };
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

 private:
    friend class View;
    Iterator begin_, end_;
};

class Members {
 public:
    class Iterator {
     public:
        using value_type = Member;
        using difference_type = std::ptrdiff_t;
        Member operator*() const;
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return key_.token_ == other.key_.token_; }

     private:
        friend class View;
        View key_;
    };
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

 private:
    friend class View;
    Iterator begin_, end_;
};

// Those members of an object that `keeps(member)` wants, into an object that is begun.
template <typename Keeps>
void write_members(Writer& writer, View object, Keeps keeps) {
    for (const auto& member : object.members())
        if (keeps(member)) member.write(writer);
}

// The object again. Behind a member's name `write_other(name, value)` may write something else in
// place of its value: it says whether it has.
template <typename WriteOther>
void rewrite(Writer& writer, View object, WriteOther write_other) {
    writer.begin_object();
    for (const auto& [name, value] : object.members()) {
        writer.key(name);
        if (!write_other(name, value)) value.write(writer);
    }
    writer.end_object();
}

struct ParseOptions {
    // Arrays and objects inside one another: params of a game may hold a whole map, and records,
    // replays and configs have these in them. Lines of the protocol are bounded in limits.h.
    std::size_t depth_max = 64;
    bool comments = false;  // // and /* */ are skipped, as in a config
    bool lines = false;     // keep line numbers, for messages about files
};

enum class ParseFault : std::uint8_t {
    syntax,
    invalid_utf8,
    byte_order_mark,
    too_deep,
    duplicate_member,
    integer_too_large,  // beyond 64 bits
    number_too_large,   // 1e400
};

struct ParseError {
    ParseFault fault;
    std::size_t offset;   // bytes read when it was noticed
    std::size_t line;     // from 1
    std::string message;  // one sentence, without the position
};

// A reusable parser (parse.cpp) and the tape of tokens that it fills: parsing again keeps the
// memory.
// Accepts exactly one JSON value and white space around it. Duplicate members, integers beyond
// 64 bits, numbers beyond a double, a byte order mark and deeper nesting than allowed are errors.
class Document {
 public:
    Document() = default;
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // All views of the text before are invalid, whether this one is read or not.
    base::Result<void, ParseError> parse(std::string_view text, const ParseOptions& options = {});
    // The value of the last successful parse; absent where there was none.
    View root() const { return tape_.empty() ? View() : View(this, 0); }

    // Gives the memory back where more than `bytes_max` is kept. Forgets the text then, and all
    // views are invalid.
    void trim(std::size_t bytes_max);

 private:
    friend class View;
    friend class Elements;
    friend class Members;
    friend struct Member;
    friend class TapeBuilder;
    friend class QuickParser;

    struct Token {
        Kind kind = Kind::null;
        bool is_unsigned = false;  // an integer above the signed range
        bool as_given = false;     // the root's: texts_ is the text, and all as a Writer writes it
        std::uint32_t next = 0;    // the token behind this value
        std::uint32_t size = 0;    // elements, members, or bytes of text
        std::uint32_t line = 0;
        std::size_t text = 0;  // where strings and reals have their text
        union {
            std::int64_t integer = 0;
            std::uint64_t unsigned_integer;
            double real;
            bool boolean;
            std::size_t end;  // of an array or an object, where all is as given
        };
    };

    const Token& token(std::uint32_t i) const { return tape_[i]; }
    std::string_view text_of(const Token& token) const {
        return {texts_.data() + token.text, token.size};
    }

    bool as_given() const { return tape_.front().as_given; }
    // The value as it stands in the text. Requires as_given().
    std::string_view given(const Token& token) const;

    std::vector<Token> tape_;
    std::string texts_;
    // While parsing: the open arrays and objects, and one object's names.
    std::vector<std::uint32_t> open_;
    std::vector<std::string_view> names_;
};

}  // namespace protocol::json
