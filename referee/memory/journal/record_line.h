#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "protocol/json/document.h"
#include "referee/memory/journal/journal.h"

// One record as one line of NDJSON, both ways: what was read was written by this very program, so
// reading is strict and a record that is written, read and written again gives the same bytes.

namespace referee::journal {

namespace json = protocol::json;

// Why a text is no record: the member, and what was expected there.
struct BadRecord {
    std::string message;  // "match: expected a whole number, found a string"
};
using ReadRecord = std::variant<Record, BadRecord>;

// Nesting that a record may have: the params and outcomes of a game go deeper than the wire's
// lines.
inline constexpr std::size_t record_depth_max = 64;

// The record with its line feed.
void write_record(std::string& out, const Record& record);
// The same as members of an object that the caller has begun, so that others can stand before them.
void write_members(json::Writer& writer, const Record& record);

ReadRecord read_record(std::string_view line);
// From an object that holds the members of a record among others.
ReadRecord read_record(json::View object);

// What makes two records the same one; empty for records that have no key and may come again.
std::string identity(const Record& record);

}  // namespace referee::journal
