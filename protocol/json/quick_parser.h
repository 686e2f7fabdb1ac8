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
    // What the document holds is overwritten.
    QuickParser(Document& document, std::string_view text, std::size_t depth_max)
        : text_(document.texts_), tape_(document.tape_), depth_max_(depth_max) {
        text_ = text;  // without escapes strings stand in it as they are
        at_ = text_.data();
    }

    // Whether it read the text. If not, the document holds a part of it.
    bool parse();

 private:
    bool value(std::size_t depth);
    bool object(std::size_t depth);
    bool array(std::size_t depth);
    bool string();
    bool integer();
    bool word(std::string_view expected);
    // Adds a value that begins here to the tape.
    Document::Token& add(Kind kind, const char* begin) {
        if (used_ == tape_.size()) grow();
        auto& token = tape_[used_++] = {};
        token.kind = kind;
        token.next = static_cast<std::uint32_t>(used_);
        token.text = static_cast<std::size_t>(begin - text_.data());
        return token;
    }
    void grow();
    void close(std::uint32_t opened, std::uint32_t size);
    bool members_differ(std::uint32_t opened) const;

    void skip_blanks() {
        if (*at_ <= ' ') skip_some_blanks();
    }
    void skip_some_blanks();
    // Whether this character is next; takes it.
    bool take(char expected) {
        if (*at_ != expected) return false;
        ++at_;
        return true;
    }

    std::string& text_;
    const char* at_;                      // at its end is a NUL, which nothing here takes
    std::vector<Document::Token>& tape_;  // what is behind those used is old
    std::size_t used_ = 0;
    std::size_t depth_max_;
    bool blanks_ = false;  // were skipped
};

}  // namespace protocol::json
