#include "referee/store/records/record_line.h"

#include "protocol/base/overloaded.h"
#include "protocol/json/writer.h"
#include "referee/game/fields/fields.h"
#include "referee/store/records/read_fields.h"
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

// The last line that is not empty.
std::string_view last_line_of(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto begin = text.rfind('\n');
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin + 1);
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

ReadRecord read_record(json::View object) {
    if (!object.is_object())
        return base::failure(
            BadRecord{"expected an object, found " + std::string(json::describe(object.kind()))});
    json::Mistakes mistakes;
    json::Reader members(object, mistakes);
    const auto kind = object.find("record").text();
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
    if (const auto parsed = document.parse(line); !parsed)
        return base::failure(BadRecord{parsed.error().message});
    return read_record(document.root());
}

base::Result<GameRecord, BadRecord> game_of_replay(std::string replay, const GameResult& beside) {
    json::Document header;
    json::Document end;
    const auto first = std::string_view(replay).substr(0, replay.find('\n'));
    if (const auto read = header.parse(first); !read)
        return base::failure(BadRecord{"the replay's first line: " + read.error().message});
    if (const auto read = end.parse(last_line_of(replay)); !read)
        return base::failure(BadRecord{"the replay's last line: " + read.error().message});
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("record", "game");
    for (const auto* name :
         {"tournament", "match", "number", "attempt", "game", "seed", "params", "bots"}) {
        if (const auto value = header.root().find(name)) value.write(writer.key(name));
    }
    if (const auto result = end.root().find("result")) result.write(writer.key("result"));
    writer.member("replay", "").end_object();
    auto read = read_record(line);
    if (!read) return base::failure(BadRecord{"the replay's " + read.error().message});
    auto game = std::get<GameRecord>(*std::move(read));
    game.result.fingerprint = beside.fingerprint;
    game.result.machine = beside.machine;
    game.replay = std::move(replay);
    return game;
}

}  // namespace referee::records
