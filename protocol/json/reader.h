#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "protocol/json/document.h"

// Reads the members of JSON objects into values, and says of each that is not what it should be
// where it stands and what was expected there:
//
//     json::Mistakes mistakes;
//     json::Reader params(document.root(), mistakes, "params");
//     const auto size = params.integer("size", {3, 99, "5"});
//     if (mistakes) return base::failure(mistakes.first().text());
//     // params.size: expected an integer from 3 to 99, such as 5, found 2
//
// What is wrong is noted and reads as empty, so that a caller reads all it wants and asks once.

namespace protocol::json {

enum class MistakeKind : std::uint8_t {
    missing,      // a member that must be there
    unknown,      // a member that nobody asked for
    wrong_kind,   // a string where a number should be
    wrong_value,  // of the right kind, but not one of those that are expected
};

struct Mistake {
    MistakeKind kind = MistakeKind::wrong_value;
    std::string path;      // "tournaments[2].clock.budget"; empty: the whole text
    std::size_t line = 0;  // where the text was parsed with lines
    // What should stand there, "an integer from 3 to 99"; empty where `message` says it otherwise.
    std::string expected;
    std::string message;  // "expected an integer from 3 to 99, found \"5\""
    // Of a wrong_kind, where just one kind is right.
    Kind wanted = Kind::null;
    Kind found = Kind::null;

    // With the path before it, where there is one.
    std::string text() const { return path.empty() ? message : path + ": " + message; }
};

// How a text is read.
struct ReadingRules {
    bool keeps_all = false;       // every mistake, else the first alone
    bool null_is_absent = false;  // a member that may be left out may be null too
    // Readers keep in mind which members were asked for, for no_others().
    bool remembers_names = false;
};

// The mistakes that were found while one text was read, in the order in which they were found.
class Mistakes {
 public:
    explicit Mistakes(ReadingRules rules = {}) : rules_(rules) {}

    const ReadingRules& rules() const { return rules_; }
    explicit operator bool() const { return !found_.empty(); }
    std::size_t count() const { return found_.size(); }
    // Requires that there is one.
    const Mistake& first() const { return found_.front(); }
    const std::vector<Mistake>& all() const { return found_; }
    // By lines. Of a value that is of the wrong kind nothing else is told.
    std::vector<Mistake> by_lines() const;

    // Whether a further one would be kept.
    bool wants_more() const { return rules_.keeps_all || found_.empty(); }
    void add(Mistake mistake) {
        if (wants_more()) found_.push_back(std::move(mistake));
    }
    // One in these very words.
    void add(std::size_t line, std::string path, std::string message) {
        add({.path = std::move(path), .line = line, .expected = {}, .message = std::move(message)});
    }

 private:
    ReadingRules rules_;
    std::vector<Mistake> found_;
};

// The integers that are right. Bounds that are those of the type are not told.
template <typename Number>
struct Bounds {
    Number least = std::numeric_limits<Number>::min();
    Number most = std::numeric_limits<Number>::max();
    std::string_view example = {};  // "5"
};

// Where a value stands: a name or an index below another place. Places are linked, and become text
// only for a mistake: each must outlive those below it.
struct Place {
    const Place* above = nullptr;
    std::string_view name;  // empty: `index` counts, or it is the whole text
    std::size_t index = no_index;

    static constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();
    std::string path() const;
};

class PlacedElements;

// A value at its place; absent (false) where nothing stands there. Each reading notes a mistake,
// and gives nothing, where the value is missing or is not what was asked for. Cheap to copy; valid
// as long as the document, and the value or reader that it came from.
class Placed {
 public:
    // A whole text, or what stands under `root` in paths.
    Placed(View value, Mistakes& mistakes, std::string_view root = {})
        : Placed(value, value.line(), Place{.name = root}, mistakes) {}
    Placed(View value, std::size_t line, const Place& place, Mistakes& mistakes)
        : value_(value), line_(line), place_(place), mistakes_(&mistakes) {}

    explicit operator bool() const { return static_cast<bool>(value_); }
    View view() const { return value_; }
    std::string path() const { return place_.path(); }
    const Place& place() const { return place_; }
    Mistakes& mistakes() const { return *mistakes_; }

    std::optional<std::int64_t> integer(const Bounds<std::int64_t>& bounds = {}) const;
    std::optional<std::uint64_t> unsigned_integer(const Bounds<std::uint64_t>& bounds = {}) const;
    // An integer of any type.
    template <typename Number>
    std::optional<Number> integer_of(const Bounds<Number>& bounds = {}) const {
        if constexpr (std::is_same_v<Number, std::uint64_t>) {
            return unsigned_integer(bounds);
        } else {
            const auto read = integer({bounds.least, bounds.most, bounds.example});
            return read ? std::optional<Number>(static_cast<Number>(*read)) : std::nullopt;
        }
    }
    std::optional<double> number(double least, double most) const;
    std::optional<bool> boolean() const;
    std::optional<std::string_view> text() const;
    // One of some words: its place among them.
    std::optional<std::size_t> word(std::span<const std::string_view> words) const;
    // Whether it is an array, or an object; `like` is one: "{\"size\": 5}".
    bool array(std::string_view like = {}) const;
    bool object(std::string_view like = {}) const;

    std::size_t size() const { return value_.size(); }
    // Element i of an array; absent beyond the end, or where this is no array.
    Placed element(std::size_t i) const&;
    PlacedElements elements() const&;
    // Deleted: the element would tell its place by a value that is gone.
    Placed element(std::size_t i) const&& = delete;
    PlacedElements elements() const&& = delete;

    // Notes "expected WHAT, found ...".
    void expected(std::string_view what) const;
    // Notes these very words.
    void wrong(std::string message) const;

 private:
    friend class Reader;
    // `advice` stands behind what was found.
    void note(MistakeKind kind, Kind wanted, std::string expected,
              std::string_view advice = {}) const;
    template <typename Number>
    std::optional<Number> within(const Bounds<Number>& bounds, std::optional<Number> read) const;

    View value_;
    std::size_t line_;  // of the value, or of the object that lacks it
    Place place_;
    Mistakes* mistakes_;
};

// The elements of an array, for a range-for.
class PlacedElements {
 public:
    class Iterator {
     public:
        Iterator(const Placed& of, Elements::Iterator at) : of_(&of), at_(at) {}
        Placed operator*() const;
        Iterator& operator++() {
            ++at_;
            ++index_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

     private:
        const Placed* of_;
        Elements::Iterator at_;
        std::size_t index_ = 0;
    };
    explicit PlacedElements(const Placed& of) : of_(of) {}
    Iterator begin() const { return {of_, of_.view().elements().begin()}; }
    Iterator end() const { return {of_, of_.view().elements().end()}; }

 private:
    const Placed& of_;
};

// The members of one object, by name. A value that is no object has no members. It must outlive the
// values and the readers that come of it.
class Reader {
 public:
    // `root` stands before the names in paths: "params"; empty for a whole file.
    Reader(View object, Mistakes& mistakes, std::string_view root = {});
    explicit Reader(const Placed& object);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // The member; absent where there is none, and then reading it notes a mistake.
    Placed member(std::string_view name);
    // The same for one that may be left out: to be read where it is there. Null counts as absent
    // under rules that say so.
    Placed optional(std::string_view name);

    // Members that must be there; empty where they are not, or wrong.
    View value(std::string_view name);  // of any kind, null too
    std::string_view text(std::string_view name);
    std::int64_t integer(std::string_view name, const Bounds<std::int64_t>& bounds = {0});
    std::uint64_t unsigned_integer(std::string_view name);
    bool boolean(std::string_view name);
    Placed array(std::string_view name, std::string_view like = {});
    Placed object(std::string_view name, std::string_view like = {});
    std::vector<std::string_view> texts(std::string_view name);

    // Members that may be left out.
    std::optional<std::string_view> optional_text(std::string_view name);
    std::optional<std::int64_t> optional_integer(std::string_view name,
                                                 const Bounds<std::int64_t>& bounds = {0});
    std::optional<bool> optional_boolean(std::string_view name);
    Placed optional_array(std::string_view name);
    Placed optional_object(std::string_view name);
    std::optional<std::size_t> optional_word(std::string_view name,
                                             std::span<const std::string_view> words);
    std::optional<std::size_t> optional_word(std::string_view name,
                                             std::initializer_list<std::string_view> words) {
        return optional_word(name, std::span(words.begin(), words.size()));
    }

    // The same into a value, which stays as it is where the member is left out or wrong.
    void text(std::string_view name, std::string& into);
    void boolean(std::string_view name, bool& into);
    void number(std::string_view name, double& into, double least, double most);
    void texts(std::string_view name, std::vector<std::string>& into);
    template <typename Number>
    void integer(std::string_view name, Number& into, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most = std::numeric_limits<Number>::max(),
                 std::string_view example = {}) {
        if (const auto given = optional(name))
            into = given.integer_of<Number>({least, most, example}).value_or(into);
    }

    // A member as it stands there; this does not count as asking for it.
    View given(std::string_view name) const { return object_.find(name); }
    bool has(std::string_view name) const { return static_cast<bool>(object_.find(name)); }
    View object() const { return object_; }
    Mistakes& mistakes() const { return *mistakes_; }
    std::string path_of(std::string_view name) const;
    // Notes these very words of a member, whether it is there or not.
    void wrong(std::string_view name, std::string message);

    // Notes each member that is none of these, or, under rules that remember names, that nobody has
    // asked for until now.
    void only(std::span<const std::string_view> names);
    void only(std::initializer_list<std::string_view> names) {
        only(std::span(names.begin(), names.size()));
    }
    void no_others() { only(asked_); }

 private:
    Placed at(std::string_view name, View value) const;

    View object_;
    Place place_;
    Mistakes* mistakes_;
    std::vector<std::string_view> asked_;
};

}  // namespace protocol::json
