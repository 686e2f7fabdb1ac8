#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace referee::records
