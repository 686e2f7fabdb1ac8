#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/json/document.h"

namespace protocol::json {

// Reads what programs usually write: texts of plain ASCII without escapes, integers of up to 18
// digits, no comments. That takes a fifth of the time that nlohmann's parser takes. Whatever else
// stands there, right or wrong, it leaves to that one, which says what is wrong; so both never
// disagree about a text that this one reads. tests/fuzz holds them against each other.
class QuickParser {
 public:
    // `document` is empty.
    QuickParser(Document& document, std::string_view text, std::size_t depth_max)
        : document_(document),
          text_(text),
          at_(text.data()),
          end_(at_ + text.size()),
          depth_max_(depth_max) {}

    // Whether it read the text. If not, the document holds a part of it.
    bool parse();

 private:
    bool value(std::size_t depth);
    bool object(std::size_t depth);
    bool array(std::size_t depth);
    bool string();
    bool integer();
    bool word(std::string_view expected);
    // Adds a value to the tape.
    Document::Token& add(Kind kind) {
        auto& token = document_.tape_.emplace_back();
        token.kind = kind;
        token.next = static_cast<std::uint32_t>(document_.tape_.size());
        return token;
    }
    void close(std::uint32_t opened, std::uint32_t size);
    bool members_differ(std::uint32_t opened) const;

    void skip_blanks() {
        while (at_ != end_ && *at_ <= ' ' &&
               (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r'))
            ++at_;
    }
    // Whether this character is next; takes it.
    bool take(char expected) {
        if (at_ == end_ || *at_ != expected) return false;
        ++at_;
        return true;
    }

    Document& document_;
    std::string_view text_;
    const char* at_;
    const char* end_;
    std::size_t depth_max_;
};

}  // namespace protocol::json
