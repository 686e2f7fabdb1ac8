#include "referee/roster/pseudonyms/pseudonyms.h"

#include <algorithm>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/roster/names/looks.h"

namespace referee::pseudonyms {
namespace {

namespace json = protocol::json;

constexpr std::string_view alias_begins = "bot-";
// Of the digest: 40 bits, so that two of ten thousand bots are called alike once in twenty thousand
// tournaments.
constexpr std::size_t alias_bytes = 5;

// What rules, engines and the referee made of ids, kinds and positions: no bot's name is in it, and
// a bot that is called as one of them changes none.
constexpr std::string_view without_names[] = {
    "cells",   "changes", "clock",   "code",     "columns",    "consequence", "format",  "game",
    "game_id", "kind",    "legend",  "level_by", "match",      "means",       "measure", "method",
    "outcome", "params",  "program", "rank",     "replay",     "rule",        "sandbox", "scale",
    "state",   "status",  "text",    "title",    "tie_breaks", "tournament",  "type",    "verdict"};
// Here a text is a name, known or not.
constexpr std::string_view with_names[] = {"bots", "name", "names", "opponents", "winner"};
// What bots sent: members may be called anything.
constexpr std::string_view of_bots[] = {"moves", "received"};

}  // namespace

Pseudonyms::Pseudonyms(std::string_view secret, std::string_view tournament,
                       std::vector<std::string> names) {
    constexpr base::Digest between{};  // no tournament's id has such bytes
    begin_ = base::bytes_of(base::digest_of(secret, between, tournament));
    for (auto& name : names) {
        if (!base::contains(sizes_, name.size())) sizes_.push_back(name.size());
        auto pseudonym = of(name);
        known_.emplace(std::move(name), std::move(pseudonym));
    }
    std::ranges::sort(sizes_, std::greater());
    for (const auto& [name, pseudonym] : known_) {
        const auto [at, is_new] = plain_.emplace(names::plain_letters(name), name);
        if (!is_new) at->second = std::min(at->second, std::string_view(name));
    }
}

std::string Pseudonyms::of(std::string_view name) const {
    if (const auto* known = base::find_in(known_, name)) return *known;
    const auto digest = base::digest_of(begin_, name);
    return std::string(alias_begins) + base::hex_of({digest.data(), alias_bytes});
}

std::string_view Pseudonyms::whose(std::string_view pseudonym) const {
    for (const auto& [name, told] : known_) {
        if (told == pseudonym) return name;
    }
    return {};
}

Pseudonyms::Found Pseudonyms::name_at(std::string_view text, std::size_t at) const {
    if (at > 0 && base::is_of_word(text[at - 1])) return {};
    for (const auto size : sizes_) {
        if (at + size > text.size()) continue;
        if (at + size < text.size() && base::is_of_word(text[at + size])) continue;
        const auto found = known_.find(text.substr(at, size));
        if (found != known_.end()) return {found->first, size};
    }
    auto end = at;
    while (end < text.size() && base::is_of_word(text[end])) ++end;
    if (end == at) return {};
    const auto found = plain_.find(names::plain_letters(text.substr(at, end - at)));
    return found == plain_.end() ? Found() : Found{found->second, end - at};
}

std::string NameMask::name(std::string_view name) const {
    return hides() && name != own_ ? pseudonyms_->of(name) : std::string(name);
}

std::string NameMask::words(std::string_view text) const {
    return words_but(text, {});
}

std::string NameMask::words_but(std::string_view text,
                                const std::vector<std::string>& spared) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto [found, size] = hides() ? pseudonyms_->name_at(text, at) : Pseudonyms::Found();
        if (found.empty() || std::binary_search(spared.begin(), spared.end(), found)) {
            out += text[at++];
        } else {
            out += found == own_ ? std::string(text.substr(at, size)) : pseudonyms_->of(found);
            at += size;
        }
    }
    return out;
}

std::string NameMask::behind(std::string_view name) const {
    if (!hides() || (!own_.empty() && name == own_)) return std::string(name);
    const auto bot = pseudonyms_->whose(name);
    return std::string(bot == own_ ? std::string_view() : bot);
}

void NameMask::write(json::Writer& writer, std::string_view key, json::View value) const {
    const bool may_be_called_anything = base::contains(of_bots, key);
    if (value.is_object()) {
        writer.begin_object();
        for (const auto& [name, member] : value.members()) {
            writer.key(may_be_called_anything ? words(name) : name);
            if (!may_be_called_anything && base::contains(without_names, name))
                member.write(writer);
            else
                write(writer, may_be_called_anything ? key : name, member);
        }
        writer.end_object();
    } else if (value.is_array()) {
        writer.begin_array();
        for (const auto element : value.elements()) write(writer, key, element);
        writer.end_array();
    } else if (const auto text = value.string()) {
        writer.string(base::contains(with_names, key) ? name(*text) : words(*text));
    } else {
        value.write(writer);
    }
}

std::string NameMask::json(std::string_view text) const {
    if (!hides()) return std::string(text);
    json::Document document;
    if (!document.parse(text)) return "null";
    std::string out;
    json::Writer writer(out);
    write(writer, {}, document.root());
    return out;
}

std::string NameMask::lines(std::string_view text) const {
    if (!hides()) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        out.append(json(text.substr(0, end))).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

bool HiddenNames::set_secret(const std::string& secret) {
    if (secret == secret_) return false;
    secret_ = secret;
    pseudonyms_.clear();
    return true;
}

NameMask HiddenNames::mask_for(const std::string& tournament, const std::string& own) {
    if (!are_hidden()) return {};
    auto& known = pseudonyms_[tournament];
    if (known == nullptr)
        known = std::make_shared<const Pseudonyms>(
            secret_, tournament, std::vector<std::string>(names_.begin(), names_.end()));
    return {known, own};
}

}  // namespace referee::pseudonyms
