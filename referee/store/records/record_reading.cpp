#include "referee/store/records/read_fields.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/records/record_line.h"

namespace referee::records {
namespace {

// What the word in the line says beyond the type of record.
template <typename Row>
void check_kind(json::Reader& /*members*/, std::string_view /*kind*/, const Row& /*row*/) {}

void check_kind(json::Reader& members, std::string_view kind, const PairingRecord& pairing) {
    const bool is_bye = kind == Description<PairingRecord>::kind_of_bye;
    if (is_bye != (pairing.match == 0))
        members.member("match").expected(is_bye ? "0 for a bye" : "a number from 1");
}

template <typename Row>
bool is_kind(std::string_view kind, std::type_identity<Row> /*type*/) {
    return kind == Description<Row>::kind;
}

bool is_kind(std::string_view kind, std::type_identity<PairingRecord> /*type*/) {
    using Pairing = Description<PairingRecord>;
    return kind == Pairing::kind || kind == Pairing::kind_of_bye;
}

}  // namespace

ReadRecord read_record(json::View object) {
    if (!object.is_object()) {
        return base::failure(
            BadRecord{"expected an object, found " + std::string(json::describe(object.kind()))});
    }
    json::Mistakes mistakes;
    json::Reader members(object, mistakes);
    const auto kind = object.find("record").string().value_or("");
    std::optional<Record> record;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> type) {
        if (!is_kind(kind, type)) return;
        auto& row = std::get<Row>(record.emplace(Row{}));
        read_fields(members, row, Description<Row>::fields);
        check_kind(members, kind, row);
    });
    if (!record) members.member("record").expected("a kind of record, such as \"game\"");
    if (mistakes) return base::failure(BadRecord{mistakes.first().text()});
    return *std::move(record);
}

ReadRecord read_record(std::string_view line) {
    json::Document document;
    if (const auto parsed = document.parse(line, {.depth_max = record_depth_max}); !parsed)
        return base::failure(BadRecord{parsed.error().message});
    return read_record(document.root());
}

}  // namespace referee::records
