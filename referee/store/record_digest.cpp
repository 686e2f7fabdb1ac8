#include "referee/store/record_digest.h"

#include "engines/score.h"
#include "referee/store/records/record_fields.h"

namespace referee::store {
namespace {

using fields::Absent;
using fields::Description;

// Each value stands behind its name and its length, so no two records have the same text.
class Text {
 public:
    Text(std::string& out, std::optional<std::string_view> replay) : out_(out), replay_(replay) {}

    void name(std::string_view name) {
        out_ += name;
        out_ += '=';
    }
    void bytes(std::string_view bytes) {
        out_ += std::to_string(bytes.size());
        out_ += ':';
        out_ += bytes;
    }
    void count(std::size_t count) { bytes(std::to_string(count)); }
    void large() { bytes(replay_.value_or("")); }

    template <typename Value>
    void value(const Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            bytes(name_of(value));
        } else if constexpr (std::is_same_v<Value, engines::Score>) {
            bytes(std::to_string(value.in_halves()));
        } else if constexpr (std::is_integral_v<Value>) {
            bytes(std::to_string(value));
        } else {
            bytes(value);
        }
    }

 private:
    std::string& out_;
    std::optional<std::string_view> replay_;
};

template <typename Row, typename... Kinds>
void put_fields(Text& text, const Row& row, const std::tuple<Kinds...>& fields);

template <typename Row, typename Value>
void put_field(Text& text, const Row& row, const fields::Field<Row, Value>& field) {
    const auto& value = row.*field.member;
    if constexpr (fields::is_optional<Value>) {
        if (!value) return;
        text.name(field.name);
        text.value(*value);
    } else {
        if (field.absent != Absent::never && fields::is_fresh(row, field.member)) return;
        text.name(field.name);
        text.value(value);
    }
}

template <typename Row>
void put_field(Text& text, const Row& row, const fields::JsonText<Row>& field) {
    text.name(field.name);
    text.bytes(row.*field.member);
}

template <typename Row, typename Element>
void put_field(Text& text, const Row& row, const fields::List<Row, Element>& field) {
    const auto& list = row.*field.member;
    if (field.absent != Absent::never && list.empty()) return;
    text.name(field.name);
    text.count(list.size());
    for (const auto& element : list) text.value(element);
}

template <typename Row, typename Element>
void put_field(Text& text, const Row& row, const fields::Rows<Row, Element>& field) {
    const auto& list = row.*field.member;
    text.name(field.name);
    text.count(list.size());
    for (const auto& element : list) {
        put_fields(text, element, Description<Element>::fields);
        text.name("");
    }
}

template <typename Row, typename Part, typename Fields>
void put_field(Text& text, const Row& row, const fields::Within<Row, Part, Fields>& field) {
    put_fields(text, row.*field.part, field.fields);
}

template <typename Row, typename Part, typename Fields>
void put_field(Text& text, const Row& row, const fields::Object<Row, Part, Fields>& field) {
    if (field.only_if.is_there != nullptr && !field.only_if.is_there(row)) return;
    text.name(field.name);
    put_fields(text, row.*field.part, field.fields);
    text.name("");
}

// What follows from the other fields, or is not in the store.
template <typename Row>
void put_field(Text& /*text*/, const Row& /*row*/, const fields::LineOnly<Row>& /*field*/) {}
template <typename Row, typename Value>
void put_field(Text& /*text*/, const Row& /*row*/, const fields::InLine<Row, Value>& /*field*/) {}
template <typename Row>
void put_field(Text& /*text*/, const Row& /*row*/, const fields::ColumnOnly<Row>& /*field*/) {}

template <typename Row>
void put_field(Text& text, const Row& /*row*/, const fields::PackedFields<Row>& field) {
    text.name(field.name);
    text.large();
}

template <typename Row, typename... Kinds>
void put_fields(Text& text, const Row& row, const std::tuple<Kinds...>& fields) {
    fields::for_each(fields, [&](const auto& field) { put_field(text, row, field); });
}

// The record's long text, and its digest where it was dropped.
struct LargeText {
    std::string_view text;
    std::optional<Digest> of_dropped;
};

// Nothing where its kind has none.
std::optional<LargeText> large_text_of(const records::Record& record) {
    std::optional<LargeText> found;
    std::visit(
        [&found]<typename Row>(const Row& row) {
            fields::for_each(Description<Row>::fields, [&](const auto& field) {
                if constexpr (requires { field.dropped_digest; })
                    found = {row.*field.member, digest_in(row.*field.dropped_digest)};
            });
        },
        record);
    return found;
}

}  // namespace

std::string_view kind_of(const records::Record& record) {
    return std::visit(
        []<typename Row>(const Row& /*row*/) -> std::string_view { return Description<Row>::kind; },
        record);
}

std::vector<std::string_view> kinds_of_records() {
    std::vector<std::string_view> kinds;
    fields::for_each_record([&kinds]<typename Row>(std::type_identity<Row> /*type*/) {
        kinds.push_back(Description<Row>::kind);
    });
    return kinds;
}

RecordDigest RecordHasher::digest(const records::Record& record) {
    std::optional<Digest> replay;
    if (const auto large = large_text_of(record)) {
        replay = large->of_dropped;
        if (!replay) {
            hasher_.add(large->text);
            replay = hasher_.finish();
        }
    }
    return digest(record, replay);
}

RecordDigest RecordHasher::digest(const records::Record& record,
                                  const std::optional<Digest>& replay) {
    text_.clear();
    Text text(text_, replay ? std::optional(bytes_of(*replay)) : std::nullopt);
    text.name(kind_of(record));
    std::visit(
        [&text]<typename Row>(const Row& row) { put_fields(text, row, Description<Row>::fields); },
        record);
    hasher_.add(text_);
    return {hasher_.finish(), large_text_of(record) ? replay : std::nullopt};
}

}  // namespace referee::store
