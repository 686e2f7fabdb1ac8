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

constexpr std::string_view blanks = " \t\r\n";

struct Token {
    enum class Kind : std::uint8_t { text, open_text, word, mark };
    Kind kind;
    std::string_view bytes;
};

bool is_mark(const Token& token, std::string_view marks) {
    return token.kind == Token::Kind::mark && marks.find(token.bytes) != std::string_view::npos;
}

// Where a token is that begins there or behind comments and blanks.
std::size_t begin_of_token(std::string_view text, std::size_t at) {
    while (true) {
        at = std::min(text.find_first_not_of(blanks, at), text.size());
        const auto rest = text.substr(at);
        if (rest.starts_with("//")) {
            at = std::min(text.find('\n', at), text.size());
        } else if (rest.starts_with("/*")) {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
        } else {
            return at;
        }
    }
}

// A token as far as it can be read. Requires: the text isn't empty and begins with it.
Token token_at(std::string_view text) {
    if (std::string_view("{}[]:,").find(text.front()) != std::string_view::npos)
        return {Token::Kind::mark, text.substr(0, 1)};
    if (text.front() != '"')
        return {Token::Kind::word, text.substr(0, text.find_first_of("{}[]:,\"/ \t\r\n", 1))};
    for (std::size_t at = 1; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == '"') return {Token::Kind::text, text.substr(0, at + 1)};
        if (text[at] == '\\' && text.substr(at + 1, 1) != "\n") ++at;
    }
    return {Token::Kind::open_text, text.substr(0, text.find('\n'))};
}

bool begins_value(const Token& token) {
    return token.kind != Token::Kind::mark || is_mark(token, "{[");
}

bool ends_value(const Token& token) {
    return token.kind != Token::Kind::mark || is_mark(token, "}]");
}

bool is_known_word(std::string_view word) {
    return word == "true" || word == "false" || word == "null" ||
           std::string_view("-0123456789").find(word.front()) != std::string_view::npos;
}

// Reads the tokens of a text one after the other, and says what can't stand there. What can't is
// always a mistake, wherever the parser noticed it.
class Search {
 public:
    explicit Search(std::string_view text) : text_(text) {}

    // Among those that begin up to there.
    std::optional<ConfigError> mistake_up_to(std::size_t offset) {
        std::size_t at = begin_of_token(text_, 0);
        while (at < text_.size() && at <= offset) {
            const auto token = token_at(text_.substr(at));
            if (auto found = mistake(token)) return found;
            take(token);
            at = begin_of_token(text_, at + token.bytes.size());
        }
        if (offset < text_.size() || open_.empty()) return std::nullopt;
        const auto& opened = open_.back();
        return wrong(
            text_.substr(text_.size()),
            fmt::format("the text ends too early: expected a closing {} for the {} in line {}",
                        opened.bytes == "{" ? "}" : "]", opened.bytes, line_of(opened.bytes)));
    }

 private:
    void take(const Token& token) {
        if (is_mark(token, "{[")) open_.push_back(token);
        if (is_mark(token, "}]") && !open_.empty()) open_.pop_back();
        is_name_ = token.kind == Token::Kind::text && !open_.empty() && open_.back().bytes == "{" &&
                   last_ && is_mark(*last_, "{,");
        last_ = token;
    }
    std::optional<ConfigError> mistake(const Token& token) const {
        if (token.kind == Token::Kind::open_text)
            return wrong(token.bytes,
                         "a text begins with a quote in this line and has no closing quote there; "
                         "expected one, such as in \"walls\"");
        if (token.kind == Token::Kind::word && !is_known_word(token.bytes))
            return wrong(token.bytes,
                         "a word without quotes; expected a text such as \"walls\", a number, "
                         "true or false");
        if (!last_) return std::nullopt;
        const auto before = last_->bytes;
        if (ends_value(*last_) && begins_value(token)) {
            if (is_name_)
                return wrong(before,
                             "a colon is missing behind a member's name; expected it as in "
                             "\"port\": 7777");
            const auto line = line_of(token.bytes);
            return wrong(before,
                         "a comma is missing at the end of this line's value, before what follows" +
                             (line == line_of(before) ? "" : " in line " + std::to_string(line)) +
                             "; expected values to be parted as in [1, 2]");
        }
        if (before == "," && is_mark(token, "}]"))
            return wrong(before, "a comma too many: nothing follows it before the closing " +
                                     std::string(token.bytes));
        return std::nullopt;
    }
    ConfigError wrong(std::string_view part, std::string message) const {
        return {line_of(part), "", std::move(message)};
    }
    // Of a part of the text.
    std::size_t line_of(std::string_view part) const {
        return 1 + static_cast<std::size_t>(std::count(text_.data(), part.data(), '\n'));
    }

    std::string_view text_;
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

void read_numbers(json::Reader& reader, std::string_view name, std::vector<std::uint32_t>& into,
                  std::uint32_t least, std::uint32_t most, const std::string& expected) {
    const auto list = reader.optional_array(name);
    for (const auto element : list.elements()) {
        const auto number = element.view().unsigned_integer();
        if (number && *number >= least && *number <= most) {
            into.push_back(static_cast<std::uint32_t>(*number));
        } else {
            reader.mistakes().add(element.view().line(), reader.path_of(name),
                                  "expected " + expected);
        }
    }
}

bool may_listen_on(const std::string& address) {
    boost::system::error_code error;
    boost::asio::ip::make_address(address, error);
    return !error;
}

ConfigError syntax_mistake(std::string_view text, const ParseError& error) {
    if (error.fault == ParseFault::syntax) {
        if (auto found = Search(text).mistake_up_to(error.offset)) return *std::move(found);
    }
    return {error.line, "", without_quotation(error)};
}

}  // namespace referee::config
