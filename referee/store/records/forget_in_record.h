#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/store/records/records.h"

namespace referee::records {

// What the placeholders of bots that were forgotten begin with; a number follows, counted on
// from 1.
inline constexpr std::string_view placeholder_begins = "forgotten-";

// The placeholder for the next bot that is forgotten, where these names are known. It follows from
// nothing that belongs to the bot, so nobody can try whether a name leads to it.
std::string next_placeholder(const std::vector<std::string>& known);

// Whether it is such a name, of which none may be given to a bot that comes.
bool is_placeholder(std::string_view name);

// A bot's name and what stands in its place.
class Placeholder {
 public:
    // `known`: the names of all bots. One that has `name` as a word in it stays as it is.
    Placeholder(std::string name, std::string placeholder, const std::vector<std::string>& known);

    const std::string& name() const { return name_; }
    const std::string& placeholder() const { return placeholder_; }

    // Whether the name stands in the text as a word: with nothing around it that names are made of.
    bool stands_in(std::string_view text) const;
    // The text with the placeholder instead of the name, wherever that stands as a word.
    std::string in_words(std::string_view text) const;
    // The same in JSON text, or a script's call with it, in its strings only: no member changes its
    // name.
    std::string in_json(std::string_view text) const;

 private:
    // Where the name stands next as a word; npos: nowhere.
    std::size_t find(std::string_view text, std::size_t from) const;
    bool is_of_longer_name(std::string_view text, std::size_t at) const;

    std::string name_;
    std::string placeholder_;
    std::vector<std::string> longer_;  // names that have it as a word in them
};

// A record as it stands once a bot is forgotten: with a placeholder in place of the name, and
// without what the bot wrote. Who met whom, the moves and the results stay, because others'
// standings follow from them.

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
