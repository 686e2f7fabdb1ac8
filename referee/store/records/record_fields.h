#pragma once

#include "referee/game/result/result_fields.h"
#include "referee/store/records/records.h"

// The fields of the records, in the way that referee/game/fields/fields.h explains. Each record
// has a `kind`, the word in its line, and a `table`, whose columns are `seq`, `time_ms` and its
// fields.

namespace referee::fields {

// Of a table of names.
template <const auto& table>
struct WordsIn {
    static auto named(std::string_view name) { return base::value_named(table, name); }
};

template <>
struct Words<records::TournamentState> : WordsIn<records::tournament_states> {
    static constexpr std::string_view expected =
        R"("waiting", "running", "paused", "aborted" or "finished")";
};

template <>
struct Words<records::PairOrder> : WordsIn<records::pair_orders> {
    static constexpr std::string_view expected = R"("forbidden" or "lifted")";
};

template <>
struct Words<records::HandPairingOrder> : WordsIn<records::hand_pairing_orders> {
    static constexpr std::string_view expected = R"("paired" or "taken_back")";
};

template <>
struct Words<records::ByeOrder> : WordsIn<records::bye_orders> {
    static constexpr std::string_view expected = R"("half_point", "zero_point" or "taken_back")";
};

inline constexpr std::string_view key_columns = "tournament, match, number, attempt";

template <>
struct Description<records::OpeningRecord> {
    using Row = records::OpeningRecord;
    static constexpr std::string_view kind = "opening";
    static constexpr FieldTable table{
        .name = "tournaments", .is_keyed = true, .unique = "tournament"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"config", &Row::config},
        Field{"version", &Row::version},
    };
};

template <>
struct Description<records::EntryRecord> {
    using Row = records::EntryRecord;
    static constexpr std::string_view kind = "entry";
    static constexpr FieldTable table{.name = "entries", .lists = "entry_byes", .place = "ordinal"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"bot", &Row::bot},
        Field{"rating", &Row::rating},
        Field{"team", &Row::team},
        Field{"round", &Row::round},
        Field{"last_round", &Row::last_round, Absent::from_both},
        List{"half_point_byes", &Row::half_point_byes, "round", Absent::from_both},
    };
};

template <>
struct Description<records::WithdrawalRecord> {
    using Row = records::WithdrawalRecord;
    static constexpr std::string_view kind = "withdrawal";
    static constexpr FieldTable table{.name = "withdrawals"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"bot", &Row::bot},
        Field{"round", &Row::round},
        Field{"reason", &Row::reason},
    };
};

// The bot of a bye; nothing for a match.
inline std::optional<std::string_view> bye_of(const records::PairingRecord& pairing) {
    if (pairing.match != 0 || pairing.bots.empty()) return std::nullopt;
    return pairing.bots.front();
}

template <>
struct Description<records::PairingRecord> {
    using Row = records::PairingRecord;
    static constexpr std::string_view kind = "pairing";
    static constexpr std::string_view kind_of_bye = "bye";
    static constexpr FieldTable table{
        .name = "pairings", .is_keyed = true, .lists = "pairing_seats", .place = "seat"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament}, Field{"match", &Row::match},
        Field{"round", &Row::round},           ColumnOnly{"bye", bye_of},
        List{"bots", &Row::bots, "bot"},
    };
};

template <>
struct Description<records::DroppedRecord> {
    using Row = records::DroppedRecord;
    static constexpr std::string_view kind = "dropped";
    static constexpr FieldTable table{.name = "drops",
                                      .is_keyed = true,
                                      .lists = "drop_bots",
                                      .place = "ordinal",
                                      .unique = "tournament, match"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"match", &Row::match},
        List{"left", &Row::left, "bot"},
        Field{"reason", &Row::reason},
    };
};

template <>
struct Description<records::StartRecord> {
    using Row = records::StartRecord;
    static constexpr std::string_view kind = "start";
    static constexpr FieldTable table{.name = "starts",
                                      .is_keyed = true,
                                      .lists = "start_seats",
                                      .place = "seat",
                                      .unique = key_columns};
    static constexpr std::tuple fields{
        PartOf{&Row::key, Description<GameKey>::fields},
        Field{"seed", &Row::seed},
        List{"bots", &Row::bots, "bot"},
    };
};

template <>
struct Description<records::GameRecord> {
    using Row = records::GameRecord;
    static constexpr std::string_view kind = "game";
    static constexpr FieldTable table{.name = "games",
                                      .is_keyed = true,
                                      .lists = "game_seats",
                                      .place = "seat",
                                      .unique = key_columns};
    static constexpr PackedText replay{"replay", &Row::replay, "replays", "replay_sha256",
                                       &Row::replay_sha256};
    static constexpr std::tuple fields{
        PartOf{&Row::result, Description<GameResult>::beginning},
        Object{"result", &Row::result, Description<GameResult>::end},
        PartOf{&Row::result, Description<GameResult>::behind},
        replay,
    };
};

// An order about one play.
template <typename Record>
struct OrderAboutPlay {
    static constexpr std::tuple fields{
        PartOf{&Record::key, Description<GameKey>::fields},
        Field{"reason", &Record::reason},
    };
};

template <>
struct Description<records::AnnulmentRecord> : OrderAboutPlay<records::AnnulmentRecord> {
    static constexpr std::string_view kind = "annulment";
    static constexpr FieldTable table{.name = "annulments"};
};

template <>
struct Description<records::RestorationRecord> : OrderAboutPlay<records::RestorationRecord> {
    static constexpr std::string_view kind = "restoration";
    static constexpr FieldTable table{.name = "restorations"};
};

template <>
struct Description<records::StateRecord> {
    using Row = records::StateRecord;
    static constexpr std::string_view kind = "state";
    static constexpr FieldTable table{.name = "states"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        Field{"state", &Row::state},
        Field{"reason", &Row::reason},
    };
};

template <>
struct Description<records::TokenRecord> {
    using Row = records::TokenRecord;
    static constexpr std::string_view kind = "token";
    static constexpr FieldTable table{.name = "tokens"};
    static constexpr std::tuple fields{
        Field{"bot", &Row::bot},
        Field{"hash", &Row::hash},
        Field{"origin", &Row::origin},
    };
};

template <>
struct Description<records::RulingRecord> {
    using Row = records::RulingRecord;
    static constexpr std::string_view kind = "ruling";
    static constexpr FieldTable table{.name = "rulings", .lists = "ruling_seats", .place = "seat"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},   Field{"match", &Row::match},
        List{"placing", &Row::placing, "place"}, Field{"reason", &Row::reason},
        Field{"ordered_by", &Row::by},
    };
};

template <>
struct Description<records::ForbiddenPairsRecord> {
    using Row = records::ForbiddenPairsRecord;
    static constexpr std::string_view kind = "forbidden_pairs";
    static constexpr FieldTable table{
        .name = "forbidden_pairs", .lists = "forbidden_bots", .place = "ordinal"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament},
        List{"bots", &Row::bots, "bot"},
        Field{"first_round", &Row::first_round},
        Field{"last_round", &Row::last_round, Absent::from_both},
        Field{"ordered", &Row::order},
        Field{"reason", &Row::reason},
        Field{"ordered_by", &Row::by},
    };
};

template <>
struct Description<records::RequestedByeRecord> {
    using Row = records::RequestedByeRecord;
    static constexpr std::string_view kind = "requested_bye";
    static constexpr FieldTable table{.name = "requested_byes"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament}, Field{"bot", &Row::bot},
        Field{"round", &Row::round},           Field{"ordered", &Row::order},
        Field{"reason", &Row::reason},         Field{"ordered_by", &Row::by},
    };
};

template <>
struct Description<records::HandPairingRecord> {
    using Row = records::HandPairingRecord;
    static constexpr std::string_view kind = "hand_pairing";
    static constexpr FieldTable table{
        .name = "hand_pairings", .lists = "hand_paired_bots", .place = "seat"};
    static constexpr std::tuple fields{
        Field{"tournament", &Row::tournament}, List{"bots", &Row::bots, "bot"},
        Field{"round", &Row::round},           Field{"ordered", &Row::order},
        Field{"reason", &Row::reason},         Field{"ordered_by", &Row::by},
    };
};

// Calls with a std::type_identity of each type of record, in the order of the variant.
template <typename Each, typename... Records>
void for_each_type(const Each& each, std::type_identity<std::variant<Records...>> /*all*/) {
    (each(std::type_identity<Records>{}), ...);
}
template <typename Each>
void for_each_record(const Each& each) {
    for_each_type(each, std::type_identity<records::Record>{});
}

}  // namespace referee::fields

namespace referee::records {

// The word for the record's kind: "game".
inline std::string_view kind_of(const Record& record) {
    return std::visit(
        []<typename Row>(const Row& /*row*/) -> std::string_view {
            return fields::Description<Row>::kind;
        },
        record);
}

}  // namespace referee::records
