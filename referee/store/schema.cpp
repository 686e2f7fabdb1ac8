#include "referee/store/schema.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "protocol/base/text.h"
#include "referee/store/chain.h"
#include "referee/store/records/record_fields.h"

namespace referee::store {
namespace {

constexpr std::array schema_columns{0, 1, 2, 3};
// Where SQLite's header says who may read and write the file, and "with a log" in it.
constexpr std::array<std::size_t, 2> places_of_log_mode{18, 19};
constexpr char log_mode = 2;

// Each table, index and view in one text.
std::set<std::string> schema_of(Database& database) {
    std::set<std::string> parts;
    Statement rows(database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema");
    while (rows.step()) {
        std::string part;
        for (const int column : schema_columns) part += rows.text(column) + '\n';
        parts.insert(std::move(part));
    }
    return parts;
}

const std::set<std::string>& made_parts() {
    static const auto made = [] {
        Database fresh(":memory:", Database::Access::write, {});
        make_tables(fresh);
        return schema_of(fresh);
    }();
    return made;
}

std::pair<std::string, std::string> kind_and_name(const std::string& part) {
    const auto kind = part.find('\n');
    return {part.substr(0, kind), part.substr(kind + 1, part.find('\n', kind + 1) - kind - 1)};
}

// The chain comes first, so that a file whose end is cut off has it still.
constexpr std::string_view tables_of_chain = R"sql(
CREATE TABLE chain (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record BLOB NOT NULL,
    replay BLOB,
    link BLOB NOT NULL);

CREATE TABLE chain_origin (
    origin TEXT NOT NULL);
)sql";

// Behind the tables. TABLES.md tells what each is for.
constexpr std::string_view indexes_and_views = R"sql(
CREATE UNIQUE INDEX pairing_of_match ON pairings (tournament, match) WHERE match > 0;
CREATE UNIQUE INDEX bye_of_bot ON pairings (tournament, round, bye) WHERE match = 0;

CREATE VIEW annulments_in_force AS
SELECT * FROM annulments a
WHERE NOT EXISTS (SELECT 1 FROM restorations r
                  WHERE r.seq > a.seq AND (r.tournament, r.match, r.number, r.attempt) =
                                          (a.tournament, a.match, a.number, a.attempt));

CREATE VIEW plays AS
SELECT s.tournament || '/' || s.match || '.' || s.number ||
           CASE WHEN s.attempt > 1 THEN '~' || s.attempt ELSE '' END AS game_id,
       s.tournament, s.match, s.number, s.attempt, p.round,
       (SELECT group_concat(bot, ' - ') FROM
           (SELECT bot FROM start_seats WHERE seq = s.seq ORDER BY seat)) AS bots,
       datetime(s.time_ms / 1000, 'unixepoch') AS started,
       datetime(g.time_ms / 1000, 'unixepoch') AS ended,
       g.status, g.reason, g.turns,
       (SELECT group_concat(score, ' - ') FROM
           (SELECT score FROM game_seats WHERE seq = g.seq ORDER BY seat)) AS scores,
       g.faults_total,
       EXISTS (SELECT 1 FROM annulments_in_force a
               WHERE (a.tournament, a.match, a.number, a.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)) AS taken_back,
       g.seq AS game_seq
FROM starts s
LEFT JOIN games g ON (g.tournament, g.match, g.number, g.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)
LEFT JOIN pairings p ON p.tournament = s.tournament AND p.match = s.match;

CREATE VIEW results AS
SELECT g.tournament, g.match, g.number, g.attempt, g.game, b.seat, b.bot, b.score, b.place,
       b.used_us, g.turns, datetime(g.time_ms / 1000, 'unixepoch') AS ended, g.seq
FROM games g JOIN game_seats b ON b.seq = g.seq
WHERE g.status IN ('played', 'forfeited')
  AND NOT EXISTS (SELECT 1 FROM annulments_in_force a
                  WHERE (a.tournament, a.match, a.number, a.attempt) =
                        (g.tournament, g.match, g.number, g.attempt));

CREATE VIEW bot_faults AS
SELECT b.bot, g.tournament || '/' || g.match || '.' || g.number ||
           CASE WHEN g.attempt > 1 THEN '~' || g.attempt ELSE '' END AS game_id,
       f.turn, f.code, f.consequence, f.message, f.rule, f.rule_text, f.received, f.charged_us,
       f.allowed_us, f.budget_us, f.measure, f.exit_status, f.signal, f.stderr_tail, f.seq
FROM faults f
JOIN games g ON g.seq = f.seq
JOIN game_seats b ON b.seq = f.seq AND b.seat = f.seat;
)sql";

// The table as SQL.
std::string definition_of(const RecordTable& table) {
    const bool is_beside = !table.place.empty();
    auto text = fmt::format("CREATE TABLE {} (\n    seq INTEGER {}", table.name,
                            is_beside ? "NOT NULL" : "PRIMARY KEY");
    for (const auto& column : table.columns)
        text += fmt::format(",\n    {} {}{}", column.name, column.type,
                            column.may_be_null ? "" : " NOT NULL");
    if (is_beside)
        return text + fmt::format(",\n    PRIMARY KEY (seq, {})) WITHOUT ROWID;\n", table.place);
    if (!table.unique.empty()) text += fmt::format(",\n    UNIQUE ({})", table.unique);
    return text + ");\n";
}

std::string names_of(const RecordTable& table) {
    return "seq, " + base::joined(table.columns, ", ", &Column::name);
}

}  // namespace

std::string all_tables() {
    std::string text(tables_of_chain);
    for (const auto& table : described_tables()) text += definition_of(table);
    return text.append(indexes_and_views);
}

int version_of(Database& database) {
    return static_cast<int>(database.integer("PRAGMA user_version"));
}

bool has_its_schema(Database& database) {
    const auto found = schema_of(database);
    return std::includes(found.begin(), found.end(), made_parts().begin(), made_parts().end());
}

std::vector<std::string> foreign_parts(Database& database) {
    std::set<std::pair<std::string, std::string>> made;
    for (const auto& part : made_parts()) made.insert(kind_and_name(part));
    std::vector<std::string> foreign;
    for (const auto& part : schema_of(database)) {
        const auto found = kind_and_name(part);
        if (!made.contains(found) && !found.second.starts_with("sqlite_"))
            foreign.push_back(found.first + " " + found.second);
    }
    return foreign;
}

SchemaState schema_state_of(Database& database) {
    const auto id = database.integer("PRAGMA application_id");
    const int version = version_of(database);
    if (id == application_id)
        return version == schema_version ? SchemaState::store : SchemaState::other_version;
    const bool empty =
        id == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    return empty ? SchemaState::empty : SchemaState::foreign;
}

void make_tables(Database& database) {
    Transaction transaction(database);
    database.execute(all_tables());
    set_origin(database, origin_of_new);
    database.execute("PRAGMA application_id = " + std::to_string(application_id));
    database.execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
}

std::string bytes_of_new() {
    Database fresh(":memory:", Database::Access::write, {});
    make_tables(fresh);
    auto bytes = fresh.bytes();
    for (const auto place : places_of_log_mode) bytes[place] = log_mode;
    return bytes;
}

std::vector<RecordTable> described_tables() {
    std::vector<RecordTable> tables;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        const auto before = tables.size();
        tables.push_back(own_table<Row>());
        if (!Description<Row>::table.lists.empty()) tables.push_back(list_table<Row>());
        const Row* none = nullptr;
        for_each_stored<StoredIn::in_table>(none, [&](const auto* /*part*/, const auto& field) {
            tables.push_back(table_of(field));
        });
        for (auto i = before; i < tables.size(); ++i) tables[i].kind = Description<Row>::kind;
    });
    return tables;
}

std::uint64_t seq_in(const Statement& row) {
    const auto seq = static_cast<std::uint64_t>(row.integer(0));
    expect_kind(row.is_integer(0), seq);
    return seq;
}

void expect_kind(bool is_that_kind, std::uint64_t seq) {
    if (!is_that_kind)
        corrupt(fmt::format("record {} has a value of a kind that no store writes", seq));
}

Statement insert_into(Database& database, const RecordTable& table) {
    const std::vector<std::string_view> values(1 + table.columns.size(), "?");
    return {database,
            fmt::format("INSERT{} INTO {} ({}) VALUES ({})", table.is_keyed ? " OR IGNORE" : "",
                        table.name, names_of(table), base::joined(values))};
}

Statement select_from(Database& database, const RecordTable& table) {
    auto sql = fmt::format("SELECT {} FROM {} WHERE seq = ?", names_of(table), table.name);
    if (!table.place.empty()) sql += fmt::format(" ORDER BY {}", table.place);
    return {database, sql};
}

}  // namespace referee::store
