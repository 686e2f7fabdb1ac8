#include "protocol/json/document.h"

#include <array>

namespace protocol::json {

std::string_view describe(Kind kind) {
    constexpr std::array<std::string_view, 7> kinds{
        "null",     "a boolean", "an integer", "a number with a fraction or an exponent",
        "a string", "an array",  "an object"};
    return kinds.at(static_cast<std::size_t>(kind));
}

Kind View::kind() const {
    return document_ == nullptr ? Kind::null : document_->token(token_).kind;
}

std::optional<bool> View::boolean() const {
    if (kind() != Kind::boolean) return std::nullopt;
    return document_->token(token_).boolean;
}

std::optional<std::int64_t> View::integer() const {
    if (kind() != Kind::integer) return std::nullopt;
    const auto& token = document_->token(token_);
    if (token.is_unsigned) return std::nullopt;
    return token.integer;
}

std::optional<std::uint64_t> View::unsigned_integer() const {
    if (kind() != Kind::integer) return std::nullopt;
    const auto& token = document_->token(token_);
    if (token.is_unsigned) return token.unsigned_integer;
    if (token.integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(token.integer);
}

std::optional<double> View::number() const {
    if (kind() == Kind::real) return document_->token(token_).real;
    if (kind() != Kind::integer) return std::nullopt;
    const auto& token = document_->token(token_);
    return token.is_unsigned ? static_cast<double>(token.unsigned_integer)
                             : static_cast<double>(token.integer);
}

std::optional<std::string_view> View::string() const {
    if (kind() != Kind::string) return std::nullopt;
    return document_->text_of(document_->token(token_));
}

std::vector<std::string> View::texts() const {
    std::vector<std::string> texts;
    for (const auto element : elements()) texts.emplace_back(element.text());
    return texts;
}

std::size_t View::size() const {
    if (kind() != Kind::array && kind() != Kind::object) return 0;
    return document_->token(token_).size;
}

View View::at(std::size_t i) const {
    if (i >= size() || kind() != Kind::array) return {};
    auto token = token_ + 1;
    for (; i > 0; --i) token = document_->token(token).next;
    return {document_, token};
}

View View::find(std::string_view name) const {
    if (kind() != Kind::object) return {};
    const auto end = document_->token(token_).next;
    for (auto key = token_ + 1; key < end; key = document_->token(key + 1).next) {
        if (document_->text_of(document_->token(key)) == name) return {document_, key + 1};
    }
    return {};
}

Elements View::elements() const {
    Elements range;
    if (kind() != Kind::array) return range;
    range.begin_.at_ = {document_, token_ + 1};
    range.end_.at_ = {document_, document_->token(token_).next};
    return range;
}

Members View::members() const {
    Members range;
    if (kind() != Kind::object) return range;
    range.begin_.key_ = {document_, token_ + 1};
    range.end_.key_ = {document_, document_->token(token_).next};
    return range;
}

std::size_t View::line() const {
    return document_ == nullptr ? 0 : document_->token(token_).line;
}

void View::write(Writer& writer) const {
    if (document_ != nullptr && document_->as_given()) {
        writer.raw(document_->given(document_->token(token_)));
        return;
    }
    switch (kind()) {
        case Kind::null:
            writer.null();
            return;
        case Kind::boolean:
            writer.boolean(document_->token(token_).boolean);
            return;
        case Kind::integer: {
            const auto& token = document_->token(token_);
            token.is_unsigned ? writer.unsigned_integer(token.unsigned_integer)
                              : writer.integer(token.integer);
            return;
        }
        case Kind::real:
            writer.raw(document_->text_of(document_->token(token_)));
            return;
        case Kind::string:
            writer.string(document_->text_of(document_->token(token_)));
            return;
        case Kind::array:
            writer.begin_array();
            for (const auto element : elements()) element.write(writer);
            writer.end_array();
            return;
        case Kind::object:
            writer.begin_object();
            for (const auto& member : members()) member.write(writer);
            writer.end_object();
            return;
    }
}

std::string View::json_text() const {
    std::string text;
    Writer writer(text);
    write(writer);
    return text;
}

void Member::write(Writer& writer) const {
    const auto& document = *value.document_;
    if (document.as_given()) {
        const auto given = document.given(document.token(value.token_));
        writer.raw({name.data() - 1, given.data() + given.size()});  // from the quote on
    } else {
        writer.key(name);
        value.write(writer);
    }
}

std::string_view Document::given(const Token& token) const {
    const std::string_view text(texts_);
    if (token.kind == Kind::array || token.kind == Kind::object)
        return text.substr(token.text, token.end - token.text);
    const std::size_t quote = token.kind == Kind::string ? 1 : 0;
    return text.substr(token.text - quote, token.size + 2 * quote);
}

Elements::Iterator& Elements::Iterator::operator++() {
    at_.token_ = at_.document_->token(at_.token_).next;
    return *this;
}

Member Members::Iterator::operator*() const {
    const View value(key_.document_, key_.token_ + 1);
    return {*key_.string(), value};
}

Members::Iterator& Members::Iterator::operator++() {
    key_.token_ = key_.document_->token(key_.token_ + 1).next;
    return *this;
}

}  // namespace protocol::json
