#include <array>
#include <cmath>
#include <limits>

#include "referee/journal/record_line.h"

namespace referee::journal {
namespace {

// 2^53: doubles count in ones up to here, and a thousand of it can be summed up.
constexpr std::int64_t sum_max = 9007199254740992;

std::string text_of(json::View view) {
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    return text;
}

// Reads members of one object and keeps the first thing that is wrong. What is wrong reads as
// empty.
class Members {
 public:
    Members(json::View object, std::string path, std::string& wrong)
        : object_(object), path_(std::move(path)), wrong_(wrong) {}

    json::View find(std::string_view name) const { return object_.find(name); }

    void expected(std::string_view name, std::string_view what) {
        if (!wrong_.empty()) return;
        const auto value = find(name);
        wrong_ = path_ + std::string(name) + ": expected " + std::string(what) + ", found " +
                 (value ? std::string(json::describe(value.kind())) : "nothing");
        if (const auto text = value.string()) wrong_ += " \"" + std::string(*text) + '"';
        if (const auto number = value.integer()) wrong_ += ' ' + std::to_string(*number);
    }

    std::string text(std::string_view name) {
        const auto value = find(name).string();
        if (!value) expected(name, "a string");
        return std::string(value.value_or(""));
    }

    template <typename Number>
    Number number(std::string_view name) {
        const auto value = in_range<Number>(find(name));
        if (!value) expected(name, range_text<Number>());
        return value.value_or(0);
    }

    std::optional<std::int64_t> optional_number(std::string_view name) {
        if (!find(name)) return std::nullopt;
        return number<std::int64_t>(name);
    }

    std::optional<std::string> optional_text(std::string_view name) {
        if (!find(name)) return std::nullopt;
        return text(name);
    }

    std::vector<std::string> texts(std::string_view name) {
        std::vector<std::string> all;
        bool good = find(name).is_array();
        for (const auto element : find(name).elements()) {
            const auto value = element.string();
            good = good && value;
            all.emplace_back(value.value_or(""));
        }
        if (!good) expected(name, "an array of strings");
        return all;
    }

    template <typename Number>
    std::vector<Number> numbers(std::string_view name) {
        std::vector<Number> all;
        bool good = find(name).is_array();
        for (const auto element : find(name).elements()) {
            const auto value = in_range<Number>(element);
            good = good && value;
            all.push_back(value.value_or(0));
        }
        if (!good) expected(name, "an array of whole numbers");
        return all;
    }

    Members object(std::string_view name) {
        if (!find(name).is_object()) expected(name, "an object");
        return {find(name), path_ + std::string(name) + '.', wrong_};
    }

    // A member that must be one of a set of words; `known` finds its value.
    template <typename Known>
    auto word(std::string_view name, Known known, std::string_view example) {
        const auto value = known(find(name).string().value_or(""));
        if (!value) expected(name, example);
        return value;
    }

 private:
    template <typename Number>
    static std::optional<Number> in_range(json::View view) {
        if constexpr (std::is_same_v<Number, std::uint64_t>) {
            return view.unsigned_integer();
        } else {
            const auto value = view.integer();
            if (!value || *value < std::numeric_limits<Number>::min() ||
                *value > std::numeric_limits<Number>::max()) {
                return std::nullopt;
            }
            return static_cast<Number>(*value);
        }
    }

    template <typename Number>
    static std::string range_text() {
        return "a whole number of " + std::to_string(std::numeric_limits<Number>::min()) + " to " +
               std::to_string(std::numeric_limits<Number>::max());
    }

    json::View object_;
    std::string path_;
    std::string& wrong_;
};

GameKey read_key(Members& members) {
    return {members.text("tournament"), members.number<std::uint64_t>("match"),
            members.number<std::uint32_t>("number"), members.number<std::uint32_t>("attempt")};
}

std::optional<GameStatus> status_named(std::string_view name) {
    for (const auto status : {GameStatus::played, GameStatus::forfeited, GameStatus::annulled,
                              GameStatus::interrupted}) {
        if (name_of(status) == name) return status;
    }
    return std::nullopt;
}

protocol::Evidence read_evidence(Members members) {
    protocol::Evidence evidence;
    evidence.received = members.optional_text("received");
    evidence.sent_us = members.optional_number("sent_us");
    evidence.received_us = members.optional_number("received_us");
    evidence.charged_us = members.optional_number("charged_us");
    evidence.allowed_us = members.optional_number("allowed_us");
    evidence.budget_us = members.optional_number("budget_us");
    if (members.find("measure"))
        evidence.measure = members.word("measure", protocol::measure, "\"wall\" or \"cpu\"");
    evidence.method = members.optional_text("method").value_or("");
    evidence.exit_status = members.optional_number("exit_status");
    evidence.signal = members.optional_number("signal");
    evidence.stderr_tail = members.optional_text("stderr_tail");
    return evidence;
}

Fault read_fault(Members members) {
    Fault fault;
    fault.seat = members.number<std::uint32_t>("seat");
    fault.turn = members.number<std::int64_t>("turn");
    fault.code = members.word("code", protocol::fault_code, "the code of a fault, such as \"late\"")
                     .value_or(fault.code);
    fault.consequence =
        members.word("consequence", protocol::consequence, "what follows, such as \"missing_move\"")
            .value_or(fault.consequence);
    fault.message = members.text("message");
    fault.rule = members.text("rule");
    fault.rule_text = members.text("rule_text");
    fault.evidence = read_evidence(members.object("evidence"));
    return fault;
}

engines::Outcome read_outcome(Members members) {
    engines::Outcome outcome;
    for (const auto element : members.find("scores").elements()) {
        const auto halves = element.number().value_or(std::nan("")) * 2;
        if (!(std::abs(halves) <= static_cast<double>(sum_max)) || halves != std::floor(halves)) {
            members.expected("scores", "an array of numbers of halves, such as [1, 0.5]");
            return outcome;
        }
        outcome.scores.push_back(engines::Score::halves(static_cast<std::int64_t>(halves)));
    }
    if (!members.find("scores").is_array())
        members.expected("scores", "an array of numbers, such as [1, 0.5]");
    outcome.placing = members.numbers<int>("placing");
    if (!members.find("detail").is_object()) members.expected("detail", "an object");
    outcome.detail = text_of(members.find("detail"));
    return outcome;
}

// A list by seat is as long as the game has seats, or empty.
void check_seats(Members& members, std::string_view name, std::size_t size, std::size_t seats) {
    if (size != 0 && size != seats)
        members.expected(name, "an entry for each of " + std::to_string(seats) + " seats");
}

void read_result(Members members, GameResult& result) {
    const auto id = game_id(result.key);
    if (members.find("game_id").string() != id)
        members.expected("game_id", "the key's id, \"" + id + '"');
    result.status = members
                        .word("status", status_named,
                              "\"played\", \"forfeited\", \"annulled\" or \"interrupted\"")
                        .value_or(result.status);
    result.reason = members.text("reason");
    if (counts(result.status)) {
        result.outcome = read_outcome(members.object("outcome"));
        check_seats(members, "outcome", result.outcome.scores.size(), result.bots.size());
        check_seats(members, "outcome", result.outcome.placing.size(), result.bots.size());
    } else if (!members.find("outcome").is_null()) {
        members.expected("outcome", "null, for the game does not count");
    }
    result.turns = members.number<std::int64_t>("turns");
    result.clock_kind = members.text("clock");
    result.measure = members.text("measure");
    if (members.find("means")) result.means = members.texts("means");
    check_seats(members, "means", result.means.size(), result.bots.size());
    result.used_us = members.numbers<std::int64_t>("used_us");
    check_seats(members, "used_us", result.used_us.size(), result.bots.size());
    for (const auto used : result.used_us) {
        if (used < 0 || used > sum_max)
            members.expected("used_us", "microseconds by seat, 0 or more, such as [1200, 90]");
    }
    if (members.find("valid_moves"))
        result.valid_moves = members.numbers<std::int64_t>("valid_moves");
    check_seats(members, "valid_moves", result.valid_moves.size(), result.bots.size());
    if (!members.find("faults").is_array()) members.expected("faults", "an array of faults");
    std::string wrong;
    for (const auto fault : members.find("faults").elements()) {
        result.faults.push_back(read_fault({fault, "a fault's ", wrong}));
    }
    if (!wrong.empty())
        members.expected("faults", "faults whose members are right (" + wrong + ")");
    result.faults_total = members.number<std::uint64_t>("faults_total");
    result.maps_version = members.optional_text("maps_version").value_or("");
}

Record read_opening(Members& members) {
    return OpeningRecord{members.text("tournament"), members.text("config"),
                         members.text("version")};
}

Record read_entry(Members& members) {
    EntryRecord entry{members.text("tournament"), members.text("bot"),
                      members.number<std::int32_t>("rating"), members.text("team"),
                      members.number<std::uint32_t>("round")};
    if (members.find("last_round")) entry.last_round = members.number<std::uint32_t>("last_round");
    if (members.find("half_point_byes"))
        entry.half_point_byes = members.numbers<std::uint32_t>("half_point_byes");
    return entry;
}

Record read_withdrawal(Members& members) {
    return WithdrawalRecord{members.text("tournament"), members.text("bot"),
                            members.number<std::uint32_t>("round"), members.text("reason")};
}

Record read_pairing(Members& members) {
    PairingRecord pairing{members.text("tournament"), members.number<std::uint64_t>("match"),
                          members.number<std::uint32_t>("round"), members.texts("bots")};
    const bool is_bye = members.find("record").string() == "bye";
    if (is_bye != (pairing.match == 0))
        members.expected("match", is_bye ? "0 for a bye" : "a number from 1");
    return pairing;
}

Record read_dropped(Members& members) {
    return DroppedRecord{members.text("tournament"), members.number<std::uint64_t>("match"),
                         members.texts("left"), members.text("reason")};
}

Record read_start(Members& members) {
    return StartRecord{read_key(members), members.number<std::uint32_t>("seed"),
                       members.texts("bots")};
}

Record read_game(Members& members) {
    GameRecord game;
    auto& result = game.result;
    result.key = read_key(members);
    result.game = members.text("game");
    result.seed = members.number<std::uint32_t>("seed");
    if (!members.find("params").is_object()) members.expected("params", "an object");
    result.params = text_of(members.find("params"));
    result.bots = members.texts("bots");
    read_result(members.object("result"), result);
    result.fingerprint = members.optional_text("fingerprint").value_or("");
    game.replay = members.text("replay");
    return game;
}

Record read_annulment(Members& members) {
    return AnnulmentRecord{read_key(members), members.text("reason")};
}

Record read_state(Members& members) {
    const auto state = members.word(
        "state", state_named, "\"waiting\", \"running\", \"paused\", \"aborted\" or \"finished\"");
    return StateRecord{members.text("tournament"), state.value_or(TournamentState::waiting),
                       members.text("reason")};
}

Record read_token(Members& members) {
    return TokenRecord{members.text("bot"), members.text("hash"), members.text("origin")};
}

struct Kind {
    std::string_view name;
    Record (*read)(Members& members);
};
constexpr std::array kinds{
    Kind{"opening", read_opening}, Kind{"entry", read_entry}, Kind{"withdrawal", read_withdrawal},
    Kind{"pairing", read_pairing}, Kind{"bye", read_pairing}, Kind{"dropped", read_dropped},
    Kind{"start", read_start},     Kind{"game", read_game},   Kind{"annulment", read_annulment},
    Kind{"state", read_state},     Kind{"token", read_token},
};

}  // namespace

ReadRecord read_record(json::View object) {
    if (!object.is_object()) {
        return BadRecord{"expected an object, found " + std::string(json::describe(object.kind()))};
    }
    std::string wrong;
    Members members(object, {}, wrong);
    const auto name = object.find("record").string().value_or("");
    for (const auto& kind : kinds) {
        if (kind.name != name) continue;
        auto record = kind.read(members);
        if (!wrong.empty()) return BadRecord{std::move(wrong)};
        return record;
    }
    members.expected("record", "a kind of record, such as \"game\"");
    return BadRecord{std::move(wrong)};
}

ReadRecord read_record(std::string_view line) {
    json::Document document;
    if (const auto error = document.parse(line, {.depth_max = record_depth_max}))
        return BadRecord{error->message};
    return read_record(document.root());
}

}  // namespace referee::journal
