#include "referee/config/read_values.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "protocol/base/text.h"
#include "referee/config/config.h"

namespace referee::config {
namespace {

using json::ParseError;
using json::ParseFault;

struct Token {
    enum class Kind : std::uint8_t { text, open_text, word, mark };
    Kind kind = Kind::mark;
    std::string_view bytes;
    std::size_t line = 1;  // of its first byte
    std::size_t offset = 0;
};

// Splits a text into tokens as far as it can be read; comments and white space are passed over.
class Tokens {
 public:
    explicit Tokens(std::string_view text) : text_(text) {}

    std::optional<Token> next() {
        skip();
        if (at_ >= text_.size()) return std::nullopt;
        const auto begin = at_;
        const auto line = line_;
        const auto kind = take();
        return Token{kind, text_.substr(begin, at_ - begin), line, begin};
    }
    // Behind the last token.
    std::size_t line() const { return line_; }

 private:
    static bool is_mark(char c) { return std::string_view("{}[]:,").find(c) != npos; }
    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

    void skip() {
        while (at_ < text_.size()) {
            const auto rest = text_.substr(at_);
            if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest.starts_with("/*")) {
                const auto end = text_.find("*/", at_ + 2);
                move_to(end == npos ? text_.size() : end + 2);
            } else if (is_space(rest.front())) {
                move_to(at_ + 1);
            } else {
                return;
            }
        }
    }
    void move_to(std::size_t end) {
        line_ += static_cast<std::size_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }
    Token::Kind take() {
        const char first = text_[at_++];
        if (is_mark(first)) return Token::Kind::mark;
        if (first == '"') return take_text();
        while (at_ < text_.size() && !is_mark(text_[at_]) && !is_space(text_[at_]) &&
               text_[at_] != '"' && text_[at_] != '/')
            ++at_;
        return Token::Kind::word;
    }
    Token::Kind take_text() {
        for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '"') {
                ++at_;
                return Token::Kind::text;
            }
            if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
        }
        return Token::Kind::open_text;
    }

    static constexpr auto npos = std::string_view::npos;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

bool is_mark(const Token& token, std::string_view marks) {
    return token.kind == Token::Kind::mark && marks.find(token.bytes) != std::string_view::npos;
}

bool begins_value(const Token& token) {
    return token.kind != Token::Kind::mark || is_mark(token, "{[");
}

bool ends_value(const Token& token) {
    return token.kind != Token::Kind::mark || is_mark(token, "}]");
}

bool is_known_word(std::string_view word) {
    if (word == "true" || word == "false" || word == "null") return true;
    return !word.empty() &&
           std::string_view("-0123456789").find(word.front()) != std::string_view::npos;
}

// Reads the tokens one after the other, and says what can't stand there. What can't is always a
// mistake, wherever the parser noticed it.
class Search {
 public:
    std::optional<ConfigError> take(const Token& token) {
        auto found = mistake(token);
        if (is_mark(token, "{[")) open_.push_back(token);
        if (is_mark(token, "}]") && !open_.empty()) open_.pop_back();
        is_name_ = token.kind == Token::Kind::text && !open_.empty() && open_.back().bytes == "{" &&
                   last_ && is_mark(*last_, "{,");
        last_ = token;
        return found;
    }
    // What is still open when the text ends.
    std::optional<ConfigError> at_end(std::size_t line) const {
        if (open_.empty()) return std::nullopt;
        const auto& opened = open_.back();
        return ConfigError{
            line, "",
            fmt::format("the text ends too early: expected a closing {} for the {} in line {}",
                        opened.bytes == "{" ? "}" : "]", opened.bytes, opened.line)};
    }

 private:
    std::optional<ConfigError> mistake(const Token& token) const {
        if (token.kind == Token::Kind::open_text)
            return ConfigError{token.line, "",
                               "a text begins with a quote in this line and has no closing quote "
                               "there; expected one, such as in \"walls\""};
        if (token.kind == Token::Kind::word && !is_known_word(token.bytes))
            return ConfigError{token.line, "",
                               "a word without quotes; expected a text such as \"walls\", a "
                               "number, true or false"};
        if (!last_) return std::nullopt;
        if (ends_value(*last_) && begins_value(token)) {
            if (is_name_)
                return ConfigError{last_->line, "",
                                   "a colon is missing behind a member's name; expected it as in "
                                   "\"port\": 7777"};
            return ConfigError{
                last_->line, "",
                "a comma is missing at the end of this line's value, before what "
                "follows" +
                    (token.line == last_->line ? std::string()
                                               : " in line " + std::to_string(token.line)) +
                    "; expected values to be parted as in [1, 2]"};
        }
        if (is_mark(*last_, ",") && is_mark(token, "}]"))
            return ConfigError{last_->line, "",
                               "a comma too many: nothing follows it before the closing " +
                                   std::string(token.bytes)};
        return std::nullopt;
    }

    std::vector<Token> open_;
    std::optional<Token> last_;
    bool is_name_ = false;  // the last token was a member's name
};

std::string without_quotation(const ParseError& error) {
    if (error.fault == ParseFault::integer_too_large)
        return "an integer beyond 64 bits; expected a smaller one, or a text in quotes";
    if (error.fault == ParseFault::number_too_large) return "a number beyond what a double holds";
    return error.message.substr(0, error.message.find("; last read: "));
}

}  // namespace

void read_secret(json::Reader& reader, std::string_view name, std::string& value) {
    const auto given = reader.optional(name);
    if (!given) return;
    if (const auto text = given.view().string()) {
        value = *text;
    } else {
        given.wrong(
            "expected a text in quotes, such as \"plum-4242\"; what stands there is not "
            "shown, because it may be a secret");
    }
}

bool is_object_of_secrets(const json::Placed& given, std::string_view like) {
    if (given.view().is_object()) return true;
    given.wrong("expected an object such as " + std::string(like) +
                "; what stands there is not shown, because it may be a secret");
    return false;
}

json::Placed read_object_of_secrets(json::Reader& reader, std::string_view name) {
    const auto given = reader.optional(name);
    if (!given || is_object_of_secrets(given, "{...}")) return given;
    return {json::View(), given.mistakes()};
}

void read_score(json::Reader& reader, std::string_view name, engines::Score& value,
                const ScoreRange& range) {
    const auto given = reader.optional(name);
    if (!given) return;
    const double halves = given.view().number().value_or(-1) * 2;
    if (halves >= static_cast<double>(range.least.in_halves()) &&
        halves <= static_cast<double>(range.most.in_halves()) && halves == std::floor(halves)) {
        value = engines::Score::halves(static_cast<std::int64_t>(halves));
        return;
    }
    given.expected("points from " + range.least.text() + " to " + range.most.text() +
                   " in whole or half points, such as 1 or 0.5");
}

bool may_listen_on(const std::string& address) {
    boost::system::error_code error;
    boost::asio::ip::make_address(address, error);
    return !error;
}

ConfigError syntax_mistake(std::string_view text, const ParseError& error) {
    if (error.fault == ParseFault::syntax) {
        Tokens tokens(text);
        Search search;
        while (const auto token = tokens.next()) {
            if (token->offset > error.offset) break;
            if (auto found = search.take(*token)) return *std::move(found);
        }
        if (error.offset >= text.size()) {
            if (auto found = search.at_end(tokens.line())) return *std::move(found);
        }
    }
    return {error.line, "", without_quotation(error)};
}

}  // namespace referee::config
