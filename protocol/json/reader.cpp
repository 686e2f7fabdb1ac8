#include "protocol/json/reader.h"

#include <algorithm>
#include <set>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"

namespace protocol::json {
namespace {

constexpr std::size_t name_shown_max = 64;
constexpr std::size_t value_shown_max = 60;

// A stranger's name in a one-line message: left out where it is long or not plain.
std::string shown(std::string_view name) {
    const bool plain = base::is_one_printable_line(name);
    return plain && name.size() <= name_shown_max ? std::string(name) : "(a name)";
}

// The value itself where it is short, else its kind.
std::string shown(View value) {
    if (!value) return "nothing";
    if (value.is_array() || value.is_object()) return std::string(describe(value.kind()));
    auto text = value.json_text();
    return text.size() <= value_shown_max ? base::visible_line(text)
                                          : std::string(describe(value.kind()));
}

// Each word once: where a kind isn't known, the members of all kinds are expected.
std::string listed(std::span<const std::string_view> words) {
    std::string list;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (std::find(words.begin(), word, *word) != word) continue;
        if (!list.empty()) list += ", ";
        (list += '"').append(*word) += '"';
    }
    return list;
}

std::string meant(std::string_view name, std::span<const std::string_view> words) {
    return base::did_you_mean(name, {words.begin(), words.end()});
}

template <typename Number>
std::string integers(const Bounds<Number>& bounds) {
    using Range = std::numeric_limits<Number>;
    std::string text = "an integer";
    if (bounds.most != Range::max()) {
        text += " from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
    } else if (bounds.least != Range::min() || Range::min() == 0) {
        text += " of at least " + std::to_string(bounds.least);
    }
    if (!bounds.example.empty()) (text += ", such as ").append(bounds.example);
    return text;
}

std::string with_example(std::string text, std::string_view like, std::string_view usual) {
    if (like.empty()) return text.append(" ").append(usual);
    return text.append(" such as ").append(like);
}

}  // namespace

std::vector<Mistake> Mistakes::by_lines() const {
    std::vector<Mistake> told;
    std::set<std::string, std::less<>> of_wrong_kind;
    for (const auto& mistake : found_) {
        if (of_wrong_kind.contains(mistake.path)) continue;
        if (mistake.kind == MistakeKind::wrong_kind) of_wrong_kind.insert(mistake.path);
        told.push_back(mistake);
    }
    std::ranges::stable_sort(told, {}, &Mistake::line);
    return told;
}

std::string Place::path() const {
    std::string path = above == nullptr ? std::string() : above->path();
    if (index != no_index) return path + '[' + std::to_string(index) + ']';
    if (!path.empty()) path += '.';
    return path + shown(name);
}

// ---- A value at its place ----------------------------------------------------------------------

void Placed::note(MistakeKind kind, Kind wanted, std::string expected,
                  std::string_view advice) const {
    if (!mistakes_->wants_more()) return;
    if (!value_) kind = MistakeKind::missing;
    Mistake mistake;
    mistake.kind = kind;
    mistake.path = path();
    mistake.line = line_;
    mistake.message = "expected " + expected + ", found " + shown(value_);
    // 5.0 would look like what was asked for.
    if (wanted == Kind::integer && value_.kind() == Kind::real)
        mistake.message.append(", ").append(describe(Kind::real));
    mistake.message += advice;
    mistake.expected = std::move(expected);
    mistake.wanted = wanted;
    mistake.found = value_.kind();
    mistakes_->add(std::move(mistake));
}

void Placed::expected(std::string_view what) const {
    note(MistakeKind::wrong_value, Kind::null, std::string(what));
}

void Placed::wrong(std::string message) const {
    mistakes_->add({.kind = value_ ? MistakeKind::wrong_value : MistakeKind::missing,
                    .path = path(),
                    .line = line_,
                    .expected = {},
                    .message = std::move(message)});
}

template <typename Number>
std::optional<Number> Placed::within(const Bounds<Number>& bounds,
                                     std::optional<Number> read) const {
    if (read && *read >= bounds.least && *read <= bounds.most) return read;
    const bool is_integer = value_.kind() == Kind::integer;
    note(is_integer ? MistakeKind::wrong_value : MistakeKind::wrong_kind, Kind::integer,
         integers(bounds));
    return std::nullopt;
}

std::optional<std::int64_t> Placed::integer(const Bounds<std::int64_t>& bounds) const {
    return within(bounds, value_.integer());
}

std::optional<std::uint64_t> Placed::unsigned_integer(const Bounds<std::uint64_t>& bounds) const {
    return within(bounds, value_.unsigned_integer());
}

std::optional<double> Placed::number(double least, double most) const {
    const auto read = value_.number();
    if (read && *read >= least && *read <= most) return read;
    std::string expected = "a number from ";
    Writer(expected).real(least);
    expected += " to ";
    Writer(expected).real(most);
    note(read ? MistakeKind::wrong_value : MistakeKind::wrong_kind, Kind::real,
         std::move(expected));
    return std::nullopt;
}

std::optional<bool> Placed::boolean() const {
    const auto read = value_.boolean();
    if (!read) note(MistakeKind::wrong_kind, Kind::boolean, "true or false");
    return read;
}

std::optional<std::string_view> Placed::text() const {
    const auto read = value_.string();
    if (!read) note(MistakeKind::wrong_kind, Kind::string, "a text \"...\"");
    return read;
}

std::optional<std::size_t> Placed::word(std::span<const std::string_view> words) const {
    const auto read = value_.string();
    const auto at = read ? std::find(words.begin(), words.end(), *read) : words.end();
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    note(read ? MistakeKind::wrong_value : MistakeKind::wrong_kind, Kind::string,
         "one of " + listed(words), read ? meant(*read, words) : std::string());
    return std::nullopt;
}

bool Placed::array(std::string_view like) const {
    if (value_.is_array()) return true;
    note(MistakeKind::wrong_kind, Kind::array, with_example("a list", like, "[...]"));
    return false;
}

bool Placed::object(std::string_view like) const {
    if (value_.is_object()) return true;
    note(MistakeKind::wrong_kind, Kind::object, with_example("an object", like, "{...}"));
    return false;
}

Placed Placed::element(std::size_t i) const& {
    const auto value = value_.at(i);
    return {value, value ? value.line() : line_, Place{&place_, {}, i}, *mistakes_};
}

PlacedElements Placed::elements() const& {
    return PlacedElements(*this);
}

Placed PlacedElements::Iterator::operator*() const {
    const auto value = *at_;
    return {value, value.line(), Place{&of_->place(), {}, index_}, of_->mistakes()};
}

// ---- An object's members -----------------------------------------------------------------------

Reader::Reader(View object, Mistakes& mistakes, std::string_view root)
    : object_(object), place_{.name = root}, mistakes_(&mistakes) {}

Reader::Reader(const Placed& object)
    : object_(object.view()), place_(object.place()), mistakes_(&object.mistakes()) {}

Placed Reader::at(std::string_view name, View value) const {
    return {value, value ? value.line() : object_.line(), Place{&place_, name}, *mistakes_};
}

Placed Reader::optional(std::string_view name) {
    const auto& rules = mistakes_->rules();
    if (rules.remembers_names) asked_.push_back(name);
    const auto value = object_.find(name);
    return at(name, rules.null_is_absent && value.is_null() ? View() : value);
}

Placed Reader::member(std::string_view name) {
    if (mistakes_->rules().remembers_names) asked_.push_back(name);
    return at(name, object_.find(name));
}

View Reader::value(std::string_view name) {
    const auto given = member(name);
    if (!given) given.expected("a value");
    return given.view();
}

std::string_view Reader::text(std::string_view name) {
    return member(name).text().value_or(std::string_view());
}

std::int64_t Reader::integer(std::string_view name, const Bounds<std::int64_t>& bounds) {
    return member(name).integer(bounds).value_or(bounds.least);
}

std::uint64_t Reader::unsigned_integer(std::string_view name) {
    return member(name).unsigned_integer().value_or(0);
}

bool Reader::boolean(std::string_view name) {
    return member(name).boolean().value_or(false);
}

Placed Reader::array(std::string_view name, std::string_view like) {
    const auto given = member(name);
    return given.array(like) ? given : at(name, {});
}

Placed Reader::object(std::string_view name, std::string_view like) {
    const auto given = member(name);
    return given.object(like) ? given : at(name, {});
}

std::vector<std::string_view> Reader::texts(std::string_view name) {
    std::vector<std::string_view> read;
    const auto list = array(name);
    read.reserve(list.size());
    for (const auto element : list.elements()) read.push_back(element.text().value_or(""));
    return read;
}

std::optional<std::string_view> Reader::optional_text(std::string_view name) {
    const auto given = optional(name);
    return given ? given.text() : std::nullopt;
}

std::optional<std::int64_t> Reader::optional_integer(std::string_view name,
                                                     const Bounds<std::int64_t>& bounds) {
    const auto given = optional(name);
    return given ? given.integer(bounds) : std::nullopt;
}

std::optional<bool> Reader::optional_boolean(std::string_view name) {
    const auto given = optional(name);
    return given ? given.boolean() : std::nullopt;
}

Placed Reader::optional_array(std::string_view name) {
    const auto given = optional(name);
    return !given || given.array() ? given : at(name, {});
}

Placed Reader::optional_object(std::string_view name) {
    const auto given = optional(name);
    return !given || given.object() ? given : at(name, {});
}

std::optional<std::size_t> Reader::optional_word(std::string_view name,
                                                 std::span<const std::string_view> words) {
    const auto given = optional(name);
    return given ? given.word(words) : std::nullopt;
}

void Reader::text(std::string_view name, std::string& into) {
    if (const auto read = optional_text(name)) into = *read;
}

void Reader::boolean(std::string_view name, bool& into) {
    if (const auto read = optional_boolean(name)) into = *read;
}

void Reader::number(std::string_view name, double& into, double least, double most) {
    const auto given = optional(name);
    if (!given) return;
    if (const auto read = given.number(least, most)) into = *read;
}

void Reader::texts(std::string_view name, std::vector<std::string>& into) {
    const auto list = optional_array(name);
    if (!list) return;
    into.clear();
    for (const auto element : list.elements()) {
        const auto read = element.text();
        if (!read) return;
        into.emplace_back(*read);
    }
}

std::string Reader::path_of(std::string_view name) const {
    return Place{&place_, name}.path();
}

void Reader::wrong(std::string_view name, std::string message) {
    at(name, object_.find(name)).wrong(std::move(message));
}

void Reader::only(std::span<const std::string_view> names) {
    for (const auto [name, value] : object_.members()) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        mistakes_->add(
            {.kind = MistakeKind::unknown,
             .path = path_of(name),
             .line = value.line(),
             .expected = {},
             .message = "no such member here; expected " + listed(names) + meant(name, names)});
    }
}

}  // namespace protocol::json
