#pragma once

#include "referee/game/fields/fields.h"
#include "referee/game/result/game_result.h"

// The fields of keys, results and faults, as fields.h tells.

namespace referee::fields {

template <>
struct Words<GameStatus> {
    static std::optional<GameStatus> named(std::string_view name) { return status_named(name); }
    static constexpr std::string_view expected =
        R"("played", "forfeited", "annulled" or "interrupted")";
};

template <typename Code>
struct WordsOfCode {
    static std::optional<Code> named(std::string_view name) {
        return protocol::code_named<Code>(name);
    }
};

template <>
struct Words<FaultCode> : WordsOfCode<FaultCode> {
    static constexpr std::string_view expected = R"(the code of a fault, such as "late")";
};

template <>
struct Words<Consequence> : WordsOfCode<Consequence> {
    static constexpr std::string_view expected = R"(what follows, such as "missing_move")";
};

template <>
struct Words<protocol::Measure> : WordsOfCode<protocol::Measure> {
    static constexpr std::string_view expected = R"("wall" or "cpu")";
};

template <>
struct Description<GameKey> {
    using Row = GameKey;
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"match", &Row::match},
        Field{"number", &Row::number},
        Field{"attempt", &Row::attempt},
    };
};

template <>
struct Description<protocol::Evidence> {
    using Row = protocol::Evidence;
    static constexpr std::tuple fields{
        Field{"received", &Row::received},
        Field{"sent_us", &Row::sent_us},
        Field{"received_us", &Row::received_us},
        Field{"charged_us", &Row::charged_us},
        Field{"allowed_us", &Row::allowed_us},
        Field{"budget_us", &Row::budget_us},
        Field{"measure", &Row::measure},
        Field{"method", &Row::method, Absent::from_line},
        Field{"exit_status", &Row::exit_status},
        Field{"signal", &Row::signal},
        Field{"stderr_tail", &Row::stderr_tail},
        LineNumber{"noticed_us", &Row::noticed_us},
        LineNumber{"round_trip_us", &Row::round_trip_us},
        LineNumber{"allowance_us", &Row::allowance_us},
    };
};

template <>
struct Description<Fault> {
    using Row = Fault;
    static constexpr FieldTable table{.name = "faults", .place = "ordinal"};
    static constexpr std::tuple fields{
        Field{"seat", &Row::seat}.at_most(UINT32_MAX),
        Field{"turn", &Row::turn},
        Field{"code", &Row::code},
        Field{"consequence", &Row::consequence},
        Field{"message", &Row::message},
        Field{"rule", &Row::rule},
        Field{"rule_text", &Row::rule_text},
        Object{"evidence", &Row::evidence, Description<protocol::Evidence>::fields},
    };
};

template <>
struct Description<engines::Outcome> {
    using Row = engines::Outcome;
    static constexpr std::tuple fields{
        List{"scores", &Row::scores, "score"},
        List{"placing", &Row::placing, "place"},
        JsonText{"detail", &Row::detail},
    };
};

template <>
struct Description<MachineFacts> {
    using Row = MachineFacts;
    static constexpr std::tuple fields{
        Field{"host", &Row::name, Absent::from_both},
        Field{"host_processor", &Row::processor, Absent::from_both},
        Field{"host_kernel", &Row::kernel, Absent::from_both},
        Field{"host_cores", &Row::cores, Absent::from_both},
        Field{"host_sandbox", &Row::sandbox, Absent::from_both},
        Field{"host_calibration_us", &Row::calibration_us, Absent::from_both},
    };
};

inline bool has_outcome(const GameResult& result) {
    return counts(result.status);
}
// A list by seat is as long as the game has seats, or empty.
inline std::string check_size(std::size_t size, const GameResult& result) {
    if (size == 0 || size == result.bots.size()) return {};
    return "an entry for each of " + std::to_string(result.bots.size()) + " seats";
}
inline std::string check_times(const std::vector<std::int64_t>& times, const GameResult& result) {
    // 2^53: doubles count in ones up to here, and a thousand of it can be summed up.
    constexpr std::int64_t used_us_max = 9007199254740992;
    if (auto wrong = check_size(times.size(), result); !wrong.empty()) return wrong;
    for (const auto time : times) {
        if (time < 0 || time > used_us_max)
            return "microseconds by seat, 0 or more, such as [1200, 90]";
    }
    return {};
}
template <auto Member>
std::string by_seat(const GameResult& result) {
    return check_size((result.*Member).size(), result);
}
template <auto Member>
std::string times_by_seat(const GameResult& result) {
    return check_times(result.*Member, result);
}
inline std::string check_outcome(const GameResult& result) {
    auto wrong = check_size(result.outcome.scores.size(), result);
    return wrong.empty() ? check_size(result.outcome.placing.size(), result) : wrong;
}
inline std::string id_of(const GameResult& result) {
    return game_id(result.key);
}

// A result in two parts: what was known when the game began, and what it came to, which is an
// object of its own in a record and in a replay. Fingerprint and machine are in records only.
template <>
struct Description<GameResult> {
    using Row = GameResult;
    static constexpr std::tuple beginning{
        PartOf{&Row::key, Description<GameKey>::fields},
        Field{"game", &Row::game},
        Field{"seed", &Row::seed},
        JsonText{"params", &Row::params},
        List{"bots", &Row::bots, "bot"},
    };
    static constexpr std::tuple end{
        LineText{"game_id", id_of, "the key's id"},
        Field{"status", &Row::status},
        Field{"reason", &Row::reason},
        Object{"outcome", &Row::outcome, Description<engines::Outcome>::fields,
               OnlyIf<Row>{has_outcome, "null, for the game does not count"}, check_outcome},
        Field{"turns", &Row::turns},
        Field{"clock", &Row::clock_kind},
        Field{"measure", &Row::measure},
        List{"means", &Row::means, "means", Absent::from_both, by_seat<&Row::means>},
        List{"used_us", &Row::used_us, "used_us", Absent::never, times_by_seat<&Row::used_us>},
        List{"round_trip_us", &Row::round_trip_us, "round_trip_us", Absent::from_both,
             times_by_seat<&Row::round_trip_us>},
        List{"allowance_us", &Row::allowance_us, "allowance_us", Absent::from_both,
             times_by_seat<&Row::allowance_us>},
        List{"allowed_by", &Row::allowed_by, "allowed_by", Absent::from_both,
             by_seat<&Row::allowed_by>},
        List{"valid_moves", &Row::valid_moves, "valid_moves", Absent::from_both,
             by_seat<&Row::valid_moves>},
        List{"program", &Row::program, "program", Absent::from_both, by_seat<&Row::program>},
        List{"sandbox", &Row::sandbox, "sandbox", Absent::from_both, by_seat<&Row::sandbox>},
        Rows{"faults", &Row::faults},
        Field{"faults_total", &Row::faults_total},
        Field{"maps_version", &Row::maps_version, Absent::from_line},
    };
    static constexpr std::tuple behind{
        Field{"fingerprint", &Row::fingerprint, Absent::from_both},
        PartOf{&Row::machine, Description<MachineFacts>::fields},
    };
};

}  // namespace referee::fields
