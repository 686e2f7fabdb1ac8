#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::pseudonyms {

// What the bots of a tournament are called where pages tell no names: each has one pseudonym for
// the whole tournament, which nobody can compute without the secret.
class Pseudonyms {
 public:
    Pseudonyms(std::string_view secret, std::string_view tournament,
               std::vector<std::string> names);

    // Also of a name that is not known here.
    std::string of(std::string_view name) const;
    bool knows(std::string_view name) const { return known_.contains(name); }
    // Whose it is; empty: nobody's.
    std::string_view whose(std::string_view pseudonym) const;
    // A known name in a text, and how many bytes of the text are taken for it.
    struct Found {
        std::string_view name;  // as it is known; empty: none
        std::size_t size = 0;
    };
    // The known name that begins there as a word, with nothing around it that names are made of;
    // the longest, where there are several. A word that is a name but for capitals and accents
    // ("BERTA" of "berta") is taken for it too.
    Found name_at(std::string_view text, std::size_t at) const;

 private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::string begin_;  // of what is digested: the secret and the tournament
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> known_;
    std::vector<std::size_t> sizes_;  // of known names, the largest first
    // Known names by their plain letters; of several the first in their order.
    std::map<std::string, std::string_view, std::less<>> plain_;
};

// What one visitor reads instead of names: pseudonyms, but for the own name. A mask without
// pseudonyms hides nothing.
class NameMask {
 public:
    NameMask() = default;
    NameMask(std::shared_ptr<const Pseudonyms> pseudonyms, std::string own)
        : pseudonyms_(std::move(pseudonyms)), own_(std::move(own)) {}

    bool hides() const { return pseudonyms_ != nullptr; }
    // Whether it lets its owner's name through.
    bool has_own_name() const { return hides() && !own_.empty(); }
    std::string name(std::string_view name) const;
    // Known names in a text, where they stand as words.
    std::string words(std::string_view text) const;
    // The same, but for these names, which are sorted.
    std::string words_but(std::string_view text, const std::vector<std::string>& spared) const;
    // Names in all strings of a JSON text but those that engines and rules made. A text that can't
    // be read becomes null: nobody knows what is in it.
    std::string json(std::string_view text) const;
    // The same for lines of JSON, as replays are.
    std::string lines(std::string_view text) const;
    // The bot that this visitor knows by that name; nothing is found by a name that is hidden.
    // Empty: none.
    std::string behind(std::string_view name) const;

 private:
    void write(protocol::json::Writer& writer, std::string_view key,
               protocol::json::View value) const;

    std::shared_ptr<const Pseudonyms> pseudonyms_;
    std::string own_;
};

// Names that are hidden in the texts of all tournaments. Pseudonyms take a digest a name, so they
// are made anew only where a name or the secret is new.
class HiddenNames {
 public:
    // What pseudonyms are made with; empty: names are shown. Whether it is another one than before.
    bool set_secret(const std::string& secret);
    bool are_hidden() const { return !secret_.empty(); }
    // Names that may stand in any text.
    template <typename Names>
    void learn(const Names& names) {
        const auto before = names_.size();
        for (const auto& name : names) names_.emplace(name);
        if (names_.size() > before) pseudonyms_.clear();
    }
    // For the bot of that name, in texts about that tournament.
    NameMask mask_for(const std::string& tournament, const std::string& own);

 private:
    std::string secret_;
    std::set<std::string> names_;
    std::map<std::string, std::shared_ptr<const Pseudonyms>> pseudonyms_;  // by tournament
};

}  // namespace referee::pseudonyms
