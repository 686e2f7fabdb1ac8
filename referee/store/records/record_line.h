#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/store/records/records.h"

// Turns one record into one line of NDJSON, and back. Only this program writes such lines, so
// reading is strict; a record that is written, read and written again gives the same bytes.

namespace referee::records {

namespace json = protocol::json;

// Why a text is not a record: the member, and what was expected there.
struct BadRecord {
    std::string message;  // "match: expected an integer of at least 0, found \"5\""
};
using ReadRecord = base::Result<Record, BadRecord>;

// The record with its line feed.
void write_record(std::string& out, const Record& record);
// Writes the record as members of an object that the caller has begun, so that others can stand
// before them.
void write_members(json::Writer& writer, const Record& record);

ReadRecord read_record(std::string_view line);
// Reads an object that holds the members of a record among others.
ReadRecord read_record(json::View object);

// The key by which two records are the same; empty for records without a key, which may come again.
std::string identity(const Record& record);

// The record of the game that a replay tells (referee/game/play/README.md). Fingerprint and
// machine, which no replay has, are those of `beside`. A failure says why the text is no replay.
base::Result<GameRecord, BadRecord> game_of_replay(std::string replay, const GameResult& beside);

}  // namespace referee::records
