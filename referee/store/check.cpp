#include "referee/store/check.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/game/trace/trace.h"
#include "referee/store/reader.h"
#include "referee/store/records/record_line.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// Records that are read again with their replays before a store is opened: what was written last
// suffers most from a crash.
constexpr std::size_t records_checked_at_end = 64;
// After so many further ones it is told how far the check is.
constexpr std::uint64_t records_between_check_news = 2000;
// Damages of a store that are told one by one; the others are counted. Nobody reads more.
constexpr std::size_t damages_kept_max = 100;

// It is read by the chain.
constexpr std::string_view table_of_replays = "replays";

bool is_damage(const DatabaseError& error) {
    return error.is_corrupt() || error.is_no_database();
}

class VerifyRun {
 public:
    VerifyRun(const VerifyTask& task, Database& database,
              const std::function<void(const std::string&)>& on_progress)
        : task_(task), database_(database), on_progress_(on_progress) {}

    Verified run() {
        check_head();
        check_records();
        if (task_.plays_again || !task_.games.empty()) check_games();
        if (!report_.whole()) report_.remedy = remedy();
        return std::move(report_);
    }

 private:
    // Where the store must end at least.
    void check_head() {
        const auto head = HeadFile::read(task_.store);
        if (!head) {
            report_.add({0, true, head.error().message});
            is_head_damaged_ = head.error().trouble == StoreTrouble::corrupt;
            return;
        }
        if (!*head) return;
        try {
            check_told(database_, **head);
            report_.notes.push_back(
                fmt::format("it reaches as far as {}.head says, to record {} at least", task_.store,
                            (*head)->seq));
        } catch (const DatabaseError& error) {
            report_.add({(*head)->seq, true, error.what()});
        }
    }

    std::string remedy() const {
        if (!is_head_damaged_ || report_.damages_total > 1) return remedy_of_damage(task_.store);
        return fmt::format(
            "the store is whole beside its .head, which alone knew whether records are missing "
            "behind the last one, record {}; if that is the last one that you know of, remove "
            "{}.head and start again",
            report_.records, task_.store);
    }

    void check_records() {
        RecordCheck check(database_, RecordCheck::Depth::whole_file);
        const auto& seen = check.seen();
        std::uint64_t told = 0;
        while (!check.is_over()) {
            check.go_on(records_checked_at_once);
            if (seen.records >= told + records_between_check_news) {
                told = seen.records;
                on_progress_(fmt::format("{} of {} records", told, seen.records_in_all));
            }
        }
        for (const auto& damage : seen.damages) report_.add(damage);
        report_.damages_total += seen.damages_total - seen.damages.size();
        report_.records = seen.records;
        report_.replays = seen.replays;
        report_.replays_dropped = seen.replays_dropped;
        try {
            report_.origin = origin_of(database_);
        } catch (const DatabaseError& error) {
            report_.origin = error.what();
        }
    }

    // Those that are whole: the others are told already.
    void check_games() {
        std::uint64_t last = 0;
        while (true) {
            std::optional<StoredRecord> stored;
            try {
                LinkCursor links(database_, last);
                auto link = links.next();
                while (link && !link->digest.replay) link = links.next();
                if (!link) return;
                last = link->seq;
                stored = checked_record(database_, last);
            } catch (const DatabaseError& error) {
                if (!error.is_corrupt()) throw;
                if (!stored && !skip_damaged(last)) return;
                continue;
            }
            const auto* game = std::get_if<records::GameRecord>(&stored->record);
            if (game == nullptr || game->replay.empty()) continue;
            if (task_.plays_again) play_again(stored->seq, *game);
            if (!task_.games.empty()) compare_file(stored->seq, *game);
        }
    }

    // Whether there is a way on behind a record that can't be read.
    bool skip_damaged(std::uint64_t& last) {
        if (last == skipped_) return false;
        skipped_ = last;
        return true;
    }

    void play_again(std::uint64_t seq, const records::GameRecord& game) {
        const auto id = game_id(game.result.key);
        const auto what = fmt::format("record {}, game {}: ", seq, id);
        const auto told = records::game_of_replay(game.replay, game.result);
        if (!told) {
            report_.add({seq, false, what + told.error().message});
            return;
        }
        if (digests_.digest(*told).record != digests_.digest(game).record)
            report_.add({seq, true, what + "its replay tells another result"});
        std::istringstream replay(game.replay);
        const auto verdict = trace::check_replay(replay, id, registry_);
        if (!verdict) {
            report_.add({seq, false, what + verdict.error().message});
            return;
        }
        for (const auto& difference : verdict->differences)
            report_.add({seq, true, what + "played again it differs: " + difference});
        if (++report_.played_again % records_between_check_news == 0)
            on_progress_(std::to_string(report_.played_again) + " games played again");
    }

    void compare_file(std::uint64_t seq, const records::GameRecord& game) {
        const auto path =
            std::filesystem::path(task_.games) / (file_name_of(game.result.key) + ".ndjson");
        if (std::error_code none; !std::filesystem::exists(path, none)) {
            ++report_.files_missing;
            return;
        }
        ++report_.files;
        if (files::read_named_file(path.string(), game.replay.size()).value_or("") != game.replay)
            report_.add({seq, false,
                         path.string() +
                             " is another replay than the store's; remove it, and the next "
                             "start writes it again"});
    }

    const VerifyTask& task_;
    Database& database_;
    const std::function<void(const std::string&)>& on_progress_;
    Verified report_;
    std::uint64_t skipped_ = 0;
    bool is_head_damaged_ = false;
    engines::Registry registry_;
    RecordHasher digests_;
};

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
            look_at_links(records);
        } else if (depth_ == Depth::whole_file) {
            look_at_file();
        } else {
            look_at_table();
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

void RecordCheck::look_at_links(std::size_t records) {
    LinkCursor links(database_, tip_.seq);
    RecordReader lookup(database_, RecordReader::Replays::read);
    for (; records > 0; --records) {
        const auto link = tip_.seq < end_ ? links.next() : std::nullopt;
        if (!link) {
            links_are_over_ = true;
            return;
        }
        look_at(*link, lookup);
        tip_ = {link->seq, link->link};
    }
}

void RecordCheck::look_at(const Link& link, RecordReader& lookup) {
    ++seen_.records;
    if (link.digest.replay) ++seen_.replays;
    std::string fault;
    try {
        if (const auto stored = lookup.find(link.seq, link.kind)) {
            fault = fault_of(digests_, hasher_, tip_, *stored, link, RecordReader::Replays::read);
            const auto* game = std::get_if<records::GameRecord>(&stored->record);
            if (game != nullptr && !game->replay_sha256.empty()) ++seen_.replays_dropped;
        } else {
            fault = record_number(link.seq) + " (" + link.kind + ") is missing";
        }
    } catch (const DatabaseError& error) {
        if (!is_damage(error)) throw;
        fault = record_number(link.seq) + " (" + link.kind + "): " + error.what();
    }
    if (fault.empty()) return;
    bool counts = true;
    try {
        // Whether it is only the replay: the record is good beside the digest of its replay.
        RecordReader without(database_, RecordReader::Replays::left_out);
        const auto stored = without.find(link.seq, link.kind);
        counts = !stored ||
                 !fault_of(digests_, hasher_, tip_, *stored, link, RecordReader::Replays::left_out)
                      .empty();
    } catch (const DatabaseError& error) {
        if (!is_damage(error)) throw;
    }
    seen_.add({link.seq, counts, std::move(fault)});
}

void RecordCheck::look_at_table() {
    const auto tables = described_tables();
    if (table_ == tables.size()) {
        seen_.is_over = true;
        return;
    }
    const auto table = tables[table_++].table;
    if (table == table_of_replays) return;
    ask_sqlite("('" + std::string(table) + "')");
}

void RecordCheck::look_at_file() {
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

void check_end(Database& database) {
    Statement rows(database, "SELECT seq FROM chain ORDER BY seq DESC LIMIT ?");
    rows.bind(records_checked_at_end);
    while (rows.step()) {
        const auto seq = static_cast<std::uint64_t>(RowCursor(rows).seq());
        checked_record(database, seq);
    }
}

void check_told(Database& database, const ChainTip& told) {
    const auto tip = tip_of(database);
    if (tip.seq < told.seq)
        corrupt("it ends with " + record_number(tip.seq) + ", but " + record_number(told.seq) +
                " had been written and told: the end of the file or of its log is lost");
    const auto link = link_at(database, told.seq);
    const auto is_same =
        told.seq == 0 ? root_of(origin_of(database)) == told : link && link->link == told.link;
    if (!is_same)
        corrupt(record_number(told.seq) +
                " is another one than was written and told, or the file .head is another store's");
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

base::Result<Verified, StoreError> verify_store(
    const VerifyTask& task, const std::function<void(const std::string&)>& on_progress) {
    auto opened = StoreReader::open(task.store);
    if (!opened) return base::failure(std::move(opened.error()));
    return result_of(task.store, [&] {
        auto report = VerifyRun(task, opened->database(), on_progress).run();
        opened->check_rest();
        return report;
    });
}

}  // namespace referee::store
