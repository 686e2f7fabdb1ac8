#include "referee/store/records/record_line.h"

#include "protocol/base/overloaded.h"
#include "referee/game/fields/write_fields.h"
#include "referee/store/records/record_fields.h"

namespace referee::records {
namespace {

template <typename Row>
std::string_view kind_of(const Row& /*row*/) {
    return fields::Description<Row>::kind;
}

std::string_view kind_of(const PairingRecord& pairing) {
    using Pairing = fields::Description<PairingRecord>;
    return pairing.match == 0 ? Pairing::kind_of_bye : Pairing::kind;
}

std::string pairing_identity(const PairingRecord& pairing) {
    auto id = "pairing " + match_id(pairing.tournament, pairing.match);
    if (pairing.match == 0) {
        id += '/' + std::to_string(pairing.round);
        if (!pairing.bots.empty()) id += '/' + pairing.bots.front();
    }
    return id;
}

}  // namespace

void write_members(json::Writer& writer, const Record& record) {
    std::visit(
        [&writer]<typename Row>(const Row& row) {
            writer.member("record", kind_of(row));
            fields::write_fields(writer, row, fields::Description<Row>::fields);
        },
        record);
}

void write_record(std::string& out, const Record& record) {
    json::Writer writer(out);
    writer.begin_object();
    write_members(writer, record);
    writer.end_object();
    out += '\n';
}

std::string identity(const Record& record) {
    return std::visit(
        base::Overloaded{
            [](const OpeningRecord& opening) { return "opening " + opening.tournament; },
            [](const PairingRecord& pairing) { return pairing_identity(pairing); },
            [](const DroppedRecord& dropped) {
                return "dropped " + match_id(dropped.tournament, dropped.match);
            },
            [](const StartRecord& start) { return "start " + game_id(start.key); },
            [](const GameRecord& game) { return "game " + game_id(game.result.key); },
            [](const auto& /*without a key*/) { return std::string(); },
        },
        record);
}

}  // namespace referee::records
