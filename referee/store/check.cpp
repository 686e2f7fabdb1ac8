#include "referee/store/check.h"

#include <algorithm>
#include <utility>

#include "protocol/base/text.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// Damages of a store that are told one by one; the others are counted. Nobody reads more.
constexpr std::size_t damages_kept_max = 100;

// It is read by the chain.
constexpr std::string_view table_of_replays = "replays";

bool is_damage(const DatabaseError& error) {
    return error.is_corrupt() || error.is_no_database();
}

}  // namespace

void StoreCheck::add(Damage damage) {
    ++damages_total;
    if (damages.size() < damages_kept_max) damages.push_back(std::move(damage));
}

RecordCheck::RecordCheck(Database& database, Depth depth, std::optional<std::uint64_t> last)
    : database_(database), depth_(depth) {
    try {
        tip_ = root_of(origin_of(database));
        if (!has_its_schema(database)) seen_.add({0, true, lacks_its_schema});
        for (const auto& part : foreign_parts(database))
            seen_.add({0, true, has_foreign_part + part});
        end_ = last.value_or(tip_of(database).seq);
        seen_.records_in_all = static_cast<std::uint64_t>(
            database.integer("SELECT count(*) FROM chain WHERE seq <= " + std::to_string(end_)));
    } catch (const DatabaseError& error) {
        if (!is_damage(error)) throw;
        seen_.add({0, true, error.what()});
    }
}

void RecordCheck::go_on(std::size_t records) {
    if (seen_.is_over) return;
    try {
        if (!links_are_over_) {
            check_links(records);
        } else if (depth_ == Depth::whole_file) {
            check_file();
        } else {
            check_table();
        }
    } catch (const DatabaseError& error) {
        // Records are looked at one by one; what is caught here is the way to the next one.
        if (!is_damage(error)) throw;
        seen_.add({0, true, "behind " + record_number(tip_.seq) + ": " + error.what()});
        seen_.is_over = std::exchange(links_are_over_, true);
    }
}

std::optional<StoreCheck> RecordCheck::go_on_in_use() {
    if (is_over()) return std::nullopt;
    try {
        go_on(records_checked_at_once);
    } catch (const DatabaseError& error) {
        if (error.is_busy()) return std::nullopt;
        seen_.damages.push_back({0, true, error.what()});
        ++seen_.damages_total;
        seen_.is_over = true;
    }
    const bool is_news = seen_.damages_total != damages_told_ || seen_.is_over ||
                         seen_.records >= records_told_ + records_between_check_news;
    if (!is_news) return std::nullopt;
    damages_told_ = seen_.damages_total;
    records_told_ = seen_.records;
    return seen_;
}

std::optional<Damage> RecordCheck::damage_that_counts() const {
    const auto& damages = seen_.damages;
    const auto found = std::ranges::find_if(damages, &Damage::counts);
    return found == damages.end() ? std::nullopt : std::optional(*found);
}

void RecordCheck::check_links(std::size_t records) {
    LinkCursor links(database_, tip_.seq);
    RecordReader lookup(database_, RecordReader::Replays::read);
    for (; records > 0; --records) {
        const auto link = tip_.seq < end_ ? links.next() : std::nullopt;
        if (!link) {
            links_are_over_ = true;
            return;
        }
        check_record(*link, lookup);
        tip_ = {link->seq, link->link};
    }
}

void RecordCheck::check_record(const Link& link, RecordReader& lookup) {
    ++seen_.records;
    if (link.digest.replay) ++seen_.replays;
    auto fault = fault_at(link, lookup, RecordReader::Replays::read);
    if (fault.empty()) return;
    // Whether it is only the replay: the record is good beside the digest of its replay.
    constexpr auto left_out = RecordReader::Replays::left_out;
    RecordReader without(database_, left_out);
    seen_.add({link.seq, !fault_at(link, without, left_out).empty(), std::move(fault)});
}

std::string RecordCheck::fault_at(const Link& link, RecordReader& lookup,
                                  RecordReader::Replays replays) {
    try {
        const auto stored = lookup.find(link.seq, link.kind);
        const auto* game = stored ? std::get_if<records::GameRecord>(&stored->record) : nullptr;
        if (game != nullptr && !game->replay_sha256.empty()) ++seen_.replays_dropped;
        return fault_of(hasher_, tip_, stored, link, replays);
    } catch (const DatabaseError& error) {
        if (!is_damage(error)) throw;
        return record_number(link.seq) + " (" + link.kind + "): " + error.what();
    }
}

void RecordCheck::check_table() {
    const auto tables = described_tables();
    if (table_ == tables.size()) {
        seen_.is_over = true;
        return;
    }
    const auto table = tables[table_++].name;
    if (table == table_of_replays) return;
    ask_sqlite("('" + std::string(table) + "')");
}

void RecordCheck::check_file() {
    seen_.is_over = true;
    ask_sqlite("");
    find_foreign_rows(database_, [this](std::uint64_t seq, std::string what) {
        seen_.add({seq, true, std::move(what)});
    });
}

void RecordCheck::ask_sqlite(const std::string& of) {
    Statement rows(database_, "PRAGMA integrity_check" + of);
    while (rows.step()) {
        if (const auto told = rows.text(0); told != "ok")
            seen_.add({0, true, "SQLite says: " + told});
    }
}

std::string describe(const StoreCheck& check) {
    const auto records = fmt::format("{} of {} records", check.records, check.records_in_all);
    if (check.damages_total > 0) {
        const auto more = check.damages_total > 1
                              ? fmt::format(", and {} more", check.damages_total - 1)
                              : std::string();
        return "DAMAGED: " + check.damages.front().what + more + "; referee store verify tells all";
    }
    return check.is_over ? "whole, " + records + " of earlier runs"
                         : "being checked, " + records + " so far";
}

}  // namespace referee::store
