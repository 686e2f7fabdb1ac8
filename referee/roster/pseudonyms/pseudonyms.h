#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::pseudonyms {

// Finds names in texts.
class NameFinder {
 public:
    explicit NameFinder(std::vector<std::string> names);

    struct Found {
        std::string_view name;  // as it is known; empty: none
        std::size_t size = 0;   // so many bytes of the text are taken for it
    };
    // The name that begins there as a word, with nothing around it that names are made of; the
    // longest, where there are several. A word that is a name but for capitals and accents ("BERTA"
    // of "berta") is taken for it too; what a game's id begins with ("friday/12.1") is none.
    Found at(std::string_view text, std::size_t place) const;

 private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::unordered_set<std::string, Hash, std::equal_to<>> names_;
    std::vector<std::size_t> sizes_;  // of the names, the largest first
    // The names by their plain letters; of several the first in their order.
    std::map<std::string, std::string_view, std::less<>> plain_;
};

// What the bots of a tournament are called where pages tell no names: each has one pseudonym for
// the whole tournament, which nobody can compute without the secret.
class Pseudonyms {
 public:
    Pseudonyms(std::string_view secret, std::string_view tournament,
               std::vector<std::string> names);

    // Also of a name that is not known here.
    std::string of(std::string_view name) const;
    // Whose it is; empty: nobody's.
    std::string_view whose(std::string_view pseudonym) const;
    const NameFinder& known() const { return known_; }

 private:
    std::string begin_;  // of what is digested: the secret and the tournament
    std::map<std::string, std::string, std::less<>> pseudonyms_;  // by name
    NameFinder known_;
};

// What one visitor reads instead of names: pseudonyms, but for the own name. A mask without
// pseudonyms hides nothing.
//
// A text that turns names into pseudonyms must never hold words that a bot chose: whoever lists
// names in a move would be told whose pseudonym is whose. In such words only the name of the bot
// that chose them is replaced. And whoever calls a bot as a word of ours changes no text but those
// about it.
class NameMask {
 public:
    using Bots = std::vector<std::string>;

    NameMask() = default;
    NameMask(std::shared_ptr<const Pseudonyms> pseudonyms, std::string own)
        : pseudonyms_(std::move(pseudonyms)), own_(std::move(own)) {}

    bool hides() const { return pseudonyms_ != nullptr; }
    // Whether it lets its owner's name through.
    bool has_own_name() const { return hides() && !own_.empty(); }
    std::string name(std::string_view name) const;
    // A text that the instructor or the referee chose: known names, where they stand as words.
    std::string words(std::string_view text) const;
    // Why a game that counts ended: the names of those who sat in it. It ends where it would go on
    // with what a bot sent.
    std::string reason(std::string_view text, const Bots& bots) const;
    // What bots are called in JSON: in place of a name, and as words of those texts that are known
    // to hold names. A text that can't be read becomes null: nobody knows what is in it. `bots`:
    // who sits in the game that it is about, where it doesn't tell that itself.
    std::string json(std::string_view text, const Bots& bots = {}) const;
    // The same for lines of JSON, as replays are.
    std::string lines(std::string_view text) const;
    // The bot that this visitor knows by that name; nothing is found by a name that is hidden.
    // Empty: none.
    std::string behind(std::string_view name) const;

 private:
    // Who sits in a game.
    struct Seated {
        explicit Seated(const Bots& names);

        NameFinder all;
        std::vector<NameFinder> each;  // by seat
    };
    // What is known at a place in JSON.
    struct Place {
        std::shared_ptr<const Seated> seated;  // in the game that it is about
        std::optional<std::size_t> author;     // the seat of the bot that may be quoted
    };
    std::string json_at(std::string_view text, const Place& place) const;
    std::string reason(std::string_view text, const NameFinder& bots) const;
    std::string replaced(std::string_view text, const NameFinder& names) const;
    std::string quoted(std::string_view text, const Place& place) const;
    void write(protocol::json::Writer& writer, std::string_view key, protocol::json::View value,
               const Place& place) const;
    void write_member(protocol::json::Writer& writer, protocol::json::View object,
                      std::string_view key, protocol::json::View value, const Place& place) const;
    // What a bot chose, whatever it is.
    void write_quoted(protocol::json::Writer& writer, protocol::json::View value,
                      const Place& place) const;

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
        for (const auto& name : names)
            if (!names_.contains(name)) names_.emplace(name);
        if (names_.size() > before) pseudonyms_.clear();
    }
    // In texts about that tournament; null where names are shown.
    std::shared_ptr<const Pseudonyms> in(const std::string& tournament);
    // The same for the bot of that name.
    NameMask mask_for(const std::string& tournament, const std::string& own) {
        return {in(tournament), own};
    }

 private:
    std::string secret_;
    std::set<std::string, std::less<>> names_;
    std::map<std::string, std::shared_ptr<const Pseudonyms>> pseudonyms_;  // by tournament
};

}  // namespace referee::pseudonyms
