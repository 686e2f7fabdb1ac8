#include "referee/roster/pseudonyms/pseudonyms.h"

#include <algorithm>
#include <array>

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

// Here a text is a name, known or not.
constexpr std::array<std::string_view, 10> of_names{
    "a", "b", "better", "bots", "most_left_with", "name", "names", "opponents", "winner", "worse"};
// What the instructor or the referee says of a tournament or a game.
constexpr std::array<std::string_view, 6> of_words{"annulled", "arbiter",   "comes_next",
                                                   "ruling",   "set_aside", "withdrawn"};
// By seat: what the bots sent, said for themselves, and say that their programs are.
constexpr std::array<std::string_view, 3> of_seats{"debug", "moves", "program"};
// What one of them sent, and texts about it that may quote that.
constexpr std::array<std::string_view, 7> of_author{"assumed",   "evidence", "message", "played",
                                                    "played_by", "remarks",  "told"};
// What engines and rules made; members may be called anything.
constexpr std::array<std::string_view, 6> without_names{"cells",  "changes", "legend",
                                                        "params", "outcome", "state"};

// Behind these words of a reason stands what a bot sent, printed or said.
constexpr std::string_view forfeits = " forfeits: ";
constexpr std::array<std::string_view, 4> quoting{
    "found ", "is no valid message: ", ", and said: ", "process has ended"};

// So much of a reason holds nothing that a bot chose.
std::size_t end_before_quotes(std::string_view reason) {
    const auto begin = reason.find(forfeits);
    if (begin == std::string_view::npos) return reason.size();
    auto end = reason.size();
    for (const auto mark : quoting) {
        const auto at = reason.find(mark, begin);
        if (at != std::string_view::npos) end = std::min(end, at + mark.size());
    }
    return end;
}

// The texts of an array.
NameMask::Bots texts_of(json::View array) {
    NameMask::Bots all;
    for (const auto element : array.elements()) {
        if (const auto text = element.string()) all.emplace_back(*text);
    }
    return all;
}

}  // namespace

NameFinder::NameFinder(std::vector<std::string> names) {
    for (auto& name : names) {
        if (!base::contains(sizes_, name.size())) sizes_.push_back(name.size());
        names_.insert(std::move(name));
    }
    std::sort(sizes_.rbegin(), sizes_.rend());
    for (const std::string_view name : names_) {
        const auto [at, is_new] = plain_.emplace(names::plain_letters(name), name);
        if (!is_new) at->second = std::min(at->second, name);
    }
}

NameFinder::Found NameFinder::at(std::string_view text, std::size_t place) const {
    if (place > 0 && base::is_of_word(text[place - 1])) return {};
    const auto is_of_id = [text](std::size_t end) {
        return end + 1 < text.size() && text[end] == '/' && base::is_digit(text[end + 1]);
    };
    for (const auto size : sizes_) {
        const auto end = place + size;
        if (end > text.size() || (end < text.size() && base::is_of_word(text[end]))) continue;
        const auto found = names_.find(text.substr(place, size));
        if (found != names_.end() && !is_of_id(end)) return {*found, size};
    }
    auto end = place;
    while (end < text.size() && base::is_of_word(text[end])) ++end;
    if (end == place || is_of_id(end)) return {};
    const auto* const found =
        base::find_in(plain_, names::plain_letters(text.substr(place, end - place)));
    return found == nullptr ? Found() : Found{*found, end - place};
}

Pseudonyms::Pseudonyms(std::string_view secret, std::string_view tournament,
                       std::vector<std::string> names)
    : known_(names) {
    constexpr base::Digest between{};  // no tournament's id has such bytes
    begin_ = base::bytes_of(base::digest_of(secret, between, tournament));
    for (auto& name : names) {
        auto pseudonym = of(name);
        pseudonyms_.emplace(std::move(name), std::move(pseudonym));
    }
}

std::string Pseudonyms::of(std::string_view name) const {
    if (const auto* const known = base::find_in(pseudonyms_, name)) return *known;
    const auto digest = base::digest_of(begin_, name);
    return std::string(alias_begins) + base::hex_of({digest.data(), alias_bytes});
}

std::string_view Pseudonyms::whose(std::string_view pseudonym) const {
    for (const auto& [name, told] : pseudonyms_) {
        if (told == pseudonym) return name;
    }
    return {};
}

NameMask::Seated::Seated(const Bots& names) : all(names) {
    for (const auto& name : names) each.emplace_back(Bots{name});
}

std::string NameMask::name(std::string_view name) const {
    return hides() && name != own_ ? pseudonyms_->of(name) : std::string(name);
}

std::string NameMask::replaced(std::string_view text, const NameFinder& names) const {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto [found, size] = names.at(text, at);
        if (found.empty()) {
            out += text[at++];
        } else {
            out += found == own_ ? std::string(text.substr(at, size)) : pseudonyms_->of(found);
            at += size;
        }
    }
    return out;
}

std::string NameMask::words(std::string_view text) const {
    return hides() ? replaced(text, pseudonyms_->known()) : std::string(text);
}

std::string NameMask::reason(std::string_view text, const Bots& bots) const {
    return hides() ? reason(text, NameFinder(bots)) : std::string(text);
}

std::string NameMask::reason(std::string_view text, const NameFinder& bots) const {
    const auto end = end_before_quotes(text);
    return replaced(text.substr(0, end), bots) + (end < text.size() ? "..." : "");
}

std::string NameMask::quoted(std::string_view text, const Place& place) const {
    const auto& seats = place.seated->each;
    const auto seat = seats.size() == 1 ? 0 : place.author.value_or(seats.size());
    return seat < seats.size() ? replaced(text, seats[seat]) : std::string(text);
}

std::string NameMask::behind(std::string_view name) const {
    if (!hides() || (!own_.empty() && name == own_)) return std::string(name);
    const auto bot = pseudonyms_->whose(name);
    return std::string(bot == own_ ? std::string_view() : bot);
}

void NameMask::write_quoted(json::Writer& writer, json::View value, const Place& place) const {
    if (value.is_object()) {
        writer.begin_object();
        for (const auto& [name, member] : value.members())
            write_quoted(writer.key(quoted(name, place)), member, place);
        writer.end_object();
    } else if (value.is_array()) {
        writer.begin_array();
        for (const auto element : value.elements()) write_quoted(writer, element, place);
        writer.end_array();
    } else if (const auto text = value.string()) {
        writer.string(quoted(*text, place));
    } else {
        value.write(writer);
    }
}

void NameMask::write_member(json::Writer& writer, json::View object, std::string_view key,
                            json::View value, const Place& place) const {
    const auto text = value.string();
    if (base::contains(without_names, key)) {
        value.write(writer);
    } else if (base::contains(of_author, key)) {
        write_quoted(writer, value, place);
    } else if (base::contains(of_seats, key) && value.is_array()) {
        writer.begin_array();
        std::size_t seat = 0;
        for (const auto of_seat : value.elements())
            write_quoted(writer, of_seat, {place.seated, seat++});
        writer.end_array();
    } else if (key == "reason" && text) {
        const auto status = object.find("status").text();
        const bool counts = status == "played" || status == "forfeited";
        writer.string(counts ? reason(*text, place.seated->all) : words(*text));
    } else if (key == "certainty" && text) {
        // It is about the first one that has a rank.
        Bots first;
        for (const auto row : object.find("bots").elements()) {
            if (first.empty() && row.find("rank").integer())
                first.emplace_back(row.find("name").text());
        }
        writer.string(replaced(*text, NameFinder(first)));
    } else {
        write(writer, key, value, place);
    }
}

void NameMask::write(json::Writer& writer, std::string_view key, json::View value,
                     const Place& place) const {
    if (value.is_object()) {
        auto here = place;
        for (const auto* const name : {"bots", "names"}) {
            if (const auto bots = texts_of(value.find(name)); !bots.empty())
                here.seated = std::make_shared<const Seated>(bots);
        }
        if (const auto seat = value.find("seat").unsigned_integer())
            here.author = static_cast<std::size_t>(*seat);
        writer.begin_object();
        for (const auto& [name, member] : value.members())
            write_member(writer.key(name), value, name, member, here);
        writer.end_object();
    } else if (value.is_array()) {
        writer.begin_array();
        for (const auto element : value.elements()) write(writer, key, element, place);
        writer.end_array();
    } else if (const auto text = value.string(); text && base::contains(of_names, key)) {
        writer.string(name(*text));
    } else if (text && base::contains(of_words, key)) {
        writer.string(words(*text));
    } else {
        value.write(writer);
    }
}

std::string NameMask::json_at(std::string_view text, const Place& place) const {
    json::Document document;
    if (!document.parse(text)) return "null";
    std::string out;
    json::Writer writer(out);
    write(writer, {}, document.root(), place);
    return out;
}

std::string NameMask::json(std::string_view text, const Bots& bots) const {
    if (!hides()) return std::string(text);
    return json_at(text, {std::make_shared<const Seated>(bots), {}});
}

std::string NameMask::lines(std::string_view text) const {
    if (!hides()) return std::string(text);
    std::string out;
    json::Document first;
    const auto parsed = first.parse(text.substr(0, text.find('\n')));
    const Place place{
        std::make_shared<const Seated>(parsed ? texts_of(first.root().find("bots")) : Bots()), {}};
    while (!text.empty()) out.append(json_at(base::next_line(text), place)).append("\n");
    return out;
}

bool HiddenNames::set_secret(const std::string& secret) {
    if (secret == secret_) return false;
    secret_ = secret;
    pseudonyms_.clear();
    return true;
}

std::shared_ptr<const Pseudonyms> HiddenNames::in(const std::string& tournament) {
    if (!are_hidden()) return nullptr;
    auto& known = pseudonyms_[tournament];
    if (known == nullptr)
        known = std::make_shared<const Pseudonyms>(
            secret_, tournament, std::vector<std::string>(names_.begin(), names_.end()));
    return known;
}

}  // namespace referee::pseudonyms
