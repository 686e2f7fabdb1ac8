#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "referee/store/records/journal.h"
#include "referee/store/records/placeholder.h"

// A record as it stands once a bot is forgotten: with a placeholder in place of the name, and
// without what the bot wrote. Who met whom, the moves and the results stay, because others'
// standings follow from them.

namespace referee::records {

// What a text of a record may hold of the student behind a bot, and so what becomes of it.
enum class Holds : std::uint8_t {
    name,       // a bot's name: the placeholder
    words,      // of people or of the referee, in which names may stand: the placeholder in them
    quotation,  // the same, where what the bot sent may be quoted: its quotations go
    settings,   // a tournament's config: the placeholder in its lists of opponents
    proof,      // of who it is (hashes, addresses, programs): what proves nothing
    output,     // what the bot wrote: nothing
    replay,     // a text with a bot's name and all of these: rewritten line by line
    nothing,    // nothing of anybody: it stays
};
// By the name of the field, which means the same in every kind of record; nothing where nobody has
// decided. A test asks for each text field that there is.
std::optional<Holds> holds(std::string_view field);

// What stands in place of a token's hash: no token has it.
inline constexpr std::string_view hash_of_forgotten = "forgotten";
// The standing of a placeholder: nobody logs in by it.
inline constexpr std::string_view origin_of_forgotten = "refused";

struct Forgetting {
    Placeholder of;
    // Another fingerprint for one that the name is part of; the same for the same one. It must keep
    // a secret, because anybody could count the old one from a name that he tries.
    std::function<std::string(const std::string&)> fingerprint;
};

// The record without the bot. A game's replay that can't be read is lost (it is empty then).
Record forget(const Forgetting& forgetting, Record record);
// The replay of a game; nothing where it can't be read.
std::optional<std::string> forget_in_replay(const Forgetting& forgetting,
                                            const std::string& replay);
// All names of bots that stand in the record.
void for_each_name(const Record& record, const std::function<void(const std::string&)>& each);

}  // namespace referee::records
