#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base/bytes.h"
#include "referee/store/records/journal.h"

namespace referee::store {

using base::bytes_of;
using base::Digest;
using base::digest_in;
using base::digest_of_bytes;
using base::Hasher;
using base::hex_of;

// What the chain knows of a record.
struct RecordDigest {
    Digest record{};  // of all its fields, with the digest of its replay as one of them
    std::optional<Digest> replay;  // of its long text, where its kind has one

    bool operator==(const RecordDigest&) const = default;
};

// The word for the record's kind: "game".
std::string_view kind_of(const records::Record& record);

std::vector<std::string_view> kinds_of_records();

// Takes digests of records, of what the store keeps of each: a record that was read again has the
// same digest. All follows from the records' descriptions.
class RecordHasher {
 public:
    RecordDigest digest(const records::Record& record);
    // Of a record that was read without its replay, whose digest is known.
    RecordDigest digest(const records::Record& record, const std::optional<Digest>& replay);

 private:
    Hasher hasher_;
    std::string text_;
};

}  // namespace referee::store
