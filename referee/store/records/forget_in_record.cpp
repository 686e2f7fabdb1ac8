#include "referee/store/records/forget_in_record.h"

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/fields/fields.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/records/record_line.h"

namespace referee::records {
namespace {

bool is_word_at(std::string_view text, std::size_t at, std::size_t size) {
    const bool begins = at == 0 || !base::is_of_word(text[at - 1]);
    return begins && (at + size == text.size() || !base::is_of_word(text[at + size]));
}

// The string that begins at a quote, with both its quotes.
std::string_view string_at(std::string_view text, std::size_t quote) {
    auto end = quote + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return text.substr(quote, end + 1 - quote);
}

// Nothing where it is no placeholder.
std::optional<std::uint64_t> number_of(std::string_view name) {
    if (!name.starts_with(placeholder_begins)) return std::nullopt;
    return base::whole_number(name.substr(placeholder_begins.size()));
}

struct Decision {
    std::string_view field;
    Holds holds;
};

constexpr std::array decisions{
    Decision{"config", Holds::settings},    Decision{"bot", Holds::name},
    Decision{"bots", Holds::name},          Decision{"left", Holds::name},
    Decision{"team", Holds::words},         Decision{"reason", Holds::quotation},
    Decision{"message", Holds::quotation},  Decision{"program", Holds::proof},
    Decision{"fingerprint", Holds::proof},  Decision{"hash", Holds::proof},
    Decision{"origin", Holds::proof},       Decision{"received", Holds::output},
    Decision{"stderr_tail", Holds::output}, Decision{"replay", Holds::replay},
};
// The engine's `detail` knows seats only; `ordered_by` is an instructor.
constexpr std::array<std::string_view, 19> of_nobody{
    "tournament", "version",   "game",           "params",      "detail",
    "clock",      "measure",   "method",         "means",       "allowed_by",
    "sandbox",    "host",      "host_processor", "host_kernel", "host_sandbox",
    "rule",       "rule_text", "maps_version",   "ordered_by"};

// The members of a format that name bots; "bots" is one of a forbidden pair.
constexpr std::array<std::string_view, 4> naming{"opponents", "better_than", "forbidden_pairs",
                                                 "bots"};
constexpr std::string_view left_out = "\"...\"";

std::string in_settings(const Placeholder& of, const std::string& config) {
    json::Document document;
    if (!document.parse(config)) return of.in_words(config);
    std::string text;
    json::Writer writer(text);
    const std::function<void(json::View, bool)> write = [&](json::View value, bool names) {
        const auto string = value.string();
        if (string && names && *string == of.name()) {
            writer.string(of.placeholder());
        } else if (value.is_array()) {
            writer.begin_array();
            for (const auto element : value.elements()) write(element, names);
            writer.end_array();
        } else if (value.is_object()) {
            json::rewrite(writer, value, [&](std::string_view name, json::View member) {
                write(member, base::contains(naming, name));
                return true;
            });
        } else {
            value.write(writer);
        }
    };
    write(document.root(), false);
    return text;
}

// What stands between the first quotation mark and the last may be what the bot sent.
std::string without_quotations(const std::string& text) {
    const auto first = text.find('"');
    const auto last = text.rfind('"');
    if (first == std::string::npos || first == last) return text;
    return text.substr(0, first) + std::string(left_out) + text.substr(last + 1);
}

// Whether it is worth looking closer at JSON text: a word may stand right behind an escape there,
// and a name may be written with one.
bool may_name(const Placeholder& of, const std::string& text) {
    return text.find(of.name()) != std::string::npos ||
           of.name().find_first_of("\"\\") != std::string::npos;
}

// Rewrites the text fields of a record, as their lists tell them.
class Rewriting {
 public:
    explicit Rewriting(const Forgetting& forgetting) : forgetting_(forgetting) {}

    template <typename Row>
    void rewrite(Row& row, bool theirs) {
        fields_of(row, fields::Description<Row>::fields, theirs);
    }
    void rewrite(GameRecord& game) {
        auto& result = game.result;
        const auto& bots = result.bots;
        const auto& name = forgetting_.of.name();
        const bool theirs = base::contains(bots, name);
        for (std::size_t seat = 0; seat < result.program.size() && seat < bots.size(); ++seat) {
            if (bots[seat] == name) result.program[seat].clear();
        }
        seats_ = bots;
        fields_of(game, fields::Description<GameRecord>::fields, theirs);
    }
    void rewrite(TokenRecord& token) {
        rewrite(token, token.bot == forgetting_.of.name());
        // Behind the address stands why a name was refused.
        auto& origin = token.origin;
        const auto address = origin.find(' ');
        if (address == std::string::npos) return;
        const auto reason = std::min(origin.find(' ', address + 1), origin.size());
        origin = origin.substr(0, reason) + forgetting_.of.in_words(origin.substr(reason));
    }

 private:
    template <typename Row, typename Fields>
    void fields_of(Row& row, const Fields& list, bool theirs) {
        fields::for_each_flat(&row, list, [&](auto* owner, const auto& field) {
            if constexpr (requires { field.member; }) {
                if (owner != nullptr) value(field.name, owner->*field.member, theirs);
            }
        });
    }

    void value(std::string_view field, std::string& text, bool theirs) {
        const auto decided = holds(field);
        REFEREE_ASSERT(decided);
        const auto& of = forgetting_.of;
        switch (*decided) {
            case Holds::name:
                if (text == of.name()) text = of.placeholder();
                break;
            case Holds::quotation:
                if (theirs) text = without_quotations(text);
                text = of.in_words(text);
                break;
            case Holds::words:
                text = of.in_words(text);
                break;
            case Holds::settings:
                text = in_settings(of, text);
                break;
            case Holds::proof:
                if (theirs) text = no_proof(field, text);
                break;
            case Holds::output:
                text = theirs ? std::string() : of.in_words(text);
                break;
            case Holds::replay:
                if (theirs || may_name(of, text))
                    text = forget_in_replay(forgetting_, text).value_or("");
                break;
            case Holds::nothing:
                break;
        }
    }
    void value(std::string_view field, std::optional<std::string>& text, bool theirs) {
        if (!text) return;
        value(field, *text, theirs);
        if (theirs && holds(field) == Holds::output) text.reset();
    }
    void value(std::string_view field, std::vector<std::string>& texts, bool theirs) {
        // Of programs only those of their seats: that is done before.
        if (holds(field) == Holds::proof) return;
        for (auto& text : texts) value(field, text, theirs);
    }
    void value(std::string_view /*field*/, std::vector<Fault>& faults, bool /*theirs*/) {
        for (auto& fault : faults)
            rewrite(fault,
                    fault.seat < seats_.size() && seats_[fault.seat] == forgetting_.of.name());
    }
    template <typename Other>
    void value(std::string_view /*field*/, const Other& /*no text*/, bool /*theirs*/) {}

    std::string no_proof(std::string_view field, const std::string& text) const {
        if (text.empty()) return text;
        if (field == "fingerprint") return forgetting_.fingerprint(text);
        if (field == "hash") return std::string(hash_of_forgotten);
        if (field == "origin") return std::string(origin_of_forgotten);
        return {};
    }

    const Forgetting& forgetting_;
    std::vector<std::string> seats_;  // of the game, by the old names
};

// The object of a line once more; `write_other` writes the value of a member that differs, and
// tells whether it did.
template <typename WriteOther>
bool write_line(std::string_view line, std::string& out, const WriteOther& write_other) {
    json::Document document;
    if (!document.parse(line) || !document.root().is_object()) return false;
    json::Writer writer(out);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        return write_other(name, value, writer);
    });
    out += '\n';
    return true;
}

// The first line, with the placeholder in its list of bots.
bool write_header(const Placeholder& of, std::string_view line, std::string& out) {
    return write_line(line, out, [&of](std::string_view name, json::View value, json::Writer& to) {
        if (holds(name) != Holds::name || !value.is_array()) return false;
        to.begin_array();
        for (const auto bot : value.elements()) {
            const auto text = bot.text();
            to.string(text == of.name() ? std::string_view(of.placeholder()) : text);
        }
        to.end_array();
        return true;
    });
}

bool write_end(std::string_view line, const GameResult& result, std::string& out) {
    return write_line(line, out, [&](std::string_view name, json::View, json::Writer& to) {
        if (name != "result") return false;
        to.begin_object();
        fields::write_fields(to, result, fields::Description<GameResult>::end);
        to.end_object();
        return true;
    });
}

}  // namespace

bool is_placeholder(std::string_view name) {
    return number_of(name).has_value();
}

std::string next_placeholder(const std::vector<std::string>& known) {
    std::uint64_t last = 0;
    for (const auto& name : known) {
        const auto number = number_of(name);
        // Nobody is forgotten so often; a config or a roster may have such a name.
        if (number && *number < UINT32_MAX) last = std::max(last, *number);
    }
    return std::string(placeholder_begins) + std::to_string(last + 1);
}

Placeholder::Placeholder(std::string name, std::string placeholder,
                         const std::vector<std::string>& known)
    : name_(std::move(name)), placeholder_(std::move(placeholder)) {
    for (const auto& other : known) {
        if (other != name_ && find(other, 0) != std::string::npos) longer_.push_back(other);
    }
}

std::size_t Placeholder::find(std::string_view text, std::size_t from) const {
    for (auto at = text.find(name_, from); at != std::string_view::npos;
         at = text.find(name_, at + 1)) {
        if (is_word_at(text, at, name_.size()) && !is_of_longer_name(text, at)) return at;
    }
    return std::string_view::npos;
}

bool Placeholder::is_of_longer_name(std::string_view text, std::size_t at) const {
    for (const auto& longer : longer_) {
        const auto least =
            at + name_.size() < longer.size() ? 0 : at + name_.size() - longer.size();
        const auto found = text.find(longer, least);
        if (found <= at && is_word_at(text, found, longer.size())) return true;
    }
    return false;
}

bool Placeholder::stands_in(std::string_view text) const {
    return find(text, 0) != std::string_view::npos;
}

std::string Placeholder::in_words(std::string_view text) const {
    std::string out;
    std::size_t told = 0;
    for (auto at = find(text, 0); at != std::string_view::npos; at = find(text, told)) {
        out.append(text.substr(told, at - told)).append(placeholder_);
        told = at + name_.size();
    }
    return out.append(text.substr(told));
}

std::string Placeholder::in_json(std::string_view text) const {
    std::string out;
    std::size_t told = 0;
    for (auto quote = text.find('"'); quote != std::string_view::npos;
         quote = text.find('"', told)) {
        out.append(text.substr(told, quote - told));
        const auto token = string_at(text, quote);
        told = quote + token.size();
        const auto behind = std::min(text.find_first_not_of(" \t\r\n", told), text.size());
        const bool is_key = behind < text.size() && text[behind] == ':';
        protocol::json::Document value;
        const bool is_read = !is_key && value.parse(token) && value.root().string().has_value();
        if (is_read && stands_in(*value.root().string())) {
            protocol::json::Writer(out).string(in_words(*value.root().string()));
        } else {
            out.append(token);
        }
        if (told >= text.size()) return out;
    }
    return out.append(text.substr(told));
}

std::optional<Holds> holds(std::string_view field) {
    const auto found = std::ranges::find(decisions, field, &Decision::field);
    if (found != decisions.end()) return found->holds;
    if (!base::contains(of_nobody, field)) return std::nullopt;
    return Holds::nothing;
}

std::optional<std::string> forget_in_replay(const Forgetting& forgetting,
                                            const std::string& replay) {
    if (replay.empty()) return replay;
    auto told = game_of_replay(replay, {});
    if (!told) return std::nullopt;
    told->replay.clear();
    Rewriting(forgetting).rewrite(*told);
    std::string_view text(replay);
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto first = text.find('\n');
    const auto last = text.rfind('\n');
    std::string out;
    if (!write_header(forgetting.of, text.substr(0, first), out)) return std::nullopt;
    out.append(text.substr(first + 1, last - first));  // the turns: moves, times and seats
    if (!write_end(text.substr(last + 1), told->result, out)) return std::nullopt;
    return out;
}

Record forget(const Forgetting& forgetting, Record record) {
    std::visit(
        [&]<typename Row>(Row& row) {
            Rewriting rewriting(forgetting);
            if constexpr (requires { rewriting.rewrite(row); }) {
                rewriting.rewrite(row);
            } else {
                rewriting.rewrite(row, false);
            }
        },
        record);
    return record;
}

void for_each_name(const Record& record, const std::function<void(const std::string&)>& each) {
    std::visit(
        [&each]<typename Row>(const Row& row) {
            const auto tell = [&each](const auto* owner, const auto& field) {
                if constexpr (requires { field.member; }) {
                    if (owner == nullptr || holds(field.name) != Holds::name) return;
                    const auto& value = owner->*field.member;
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
                        each(value);
                    } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>,
                                                        std::vector<std::string>>) {
                        for (const auto& name : value) each(name);
                    }
                }
            };
            fields::for_each_flat(&row, fields::Description<Row>::fields, tell);
        },
        record);
}

}  // namespace referee::records
