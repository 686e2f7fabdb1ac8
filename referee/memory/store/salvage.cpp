#include "referee/memory/store/salvage.h"

#include <set>

#include "referee/limits.h"
#include "referee/memory/journal/game_of_replay.h"
#include "referee/memory/store/archive.h"
#include "referee/memory/store/compression.h"
#include "referee/memory/store/head_file.h"
#include "referee/memory/store/leftovers.h"
#include "referee/memory/store/opening.h"
#include "referee/memory/store/part_file.h"
#include "referee/memory/store/record_tables.h"
#include "referee/memory/store/record_writer.h"
#include "referee/memory/store/store_lock.h"
#include "referee/memory/store/wreck_copy.h"

namespace referee::store {
namespace {

// Of the tournament that a record is of; empty where it is of none.
std::string tournament_of(const journal::Record& record) {
    return std::visit(
        [](const auto& row) -> std::string {
            if constexpr (requires { row.tournament; }) {
                return row.tournament;
            } else if constexpr (requires { row.key.tournament; }) {
                return row.key.tournament;
            } else if constexpr (requires { row.result.key.tournament; }) {
                return row.result.key.tournament;
            } else {
                return {};
            }
        },
        record);
}

// Runs what reads a damaged file: nothing where it can't be read.
template <typename Read>
auto as_far_as_it_goes(const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const DatabaseError&) {
        return {};
    }
}

// Single records of the damaged store, each only if it is as it was written.
class Wreck {
 public:
    Wreck(Database& database, const ReplayByDigest& replay)
        : database_(database), replay_(replay) {}

    struct Found {
        enum class By : std::uint8_t { store, replay, store_without_replay, nothing };
        By by = By::nothing;
        StoredRecord record{};
        std::string kind;  // as far as it is known
        std::string why;   // it is lost
        bool has_time = true;
    };

    // The numbers that anything tells of, in their order, behind `seq`.
    std::set<std::uint64_t> numbers(std::uint64_t seq) {
        std::set<std::uint64_t> found;
        const auto gather = [&](const std::string& table) {
            try {
                Statement rows(database_, "SELECT seq FROM " + table + " WHERE seq > ?");
                rows.bind(seq);
                while (rows.step()) {
                    if (rows.is_integer(0))
                        found.insert(static_cast<std::uint64_t>(rows.integer(0)));
                }
            } catch (const DatabaseError&) {
                // What stands behind is told by the other tables, or by nobody.
            }
        };
        gather("chain");
        for (const auto& columns : record_tables()) gather(std::string(columns.table));
        return found;
    }

    // Whether the record comes right behind the tip in the damaged store's own chain.
    bool follows(const Tip& tip, const StoredRecord& stored) {
        const auto link = this->link(stored.seq);
        return link &&
               link->link == next_tip(hasher_, tip, stored.seq, stored.time_ms, link->digest).link;
    }

    std::optional<Link> link(std::uint64_t seq) {
        return as_far_as_it_goes([&] { return link_at(database_, seq); });
    }

    // `saved`: the tip behind the records before, as the new store has it. `time_before` stands in
    // for a time that is not proven.
    Found find(std::uint64_t seq, const Tip& saved, std::int64_t time_before) {
        const auto link = this->link(seq);
        auto stored = read(seq, link, RecordReader::Replays::read);
        if (stored) {
            const auto proof = proof_of(*stored, digests_.digest(stored->record), link, saved);
            if (proof != Proof::none)
                return proven(Found::By::store, *std::move(stored), proof, time_before);
        }
        Found lost{Found::By::nothing, {}, link ? link->kind : std::string("record"), {}};
        if (!link) {
            lost.why = "its link is damaged, and nothing else proves it";
            return lost;
        }
        lost.why = stored ? "it is another one than was written" : "it can't be read";
        return link->digest.replay ? find_by_replay(*link, saved, time_before, std::move(lost))
                                   : lost;
    }

 private:
    enum class Proof : std::uint8_t { none, record, record_and_time };

    static Found proven(Found::By by, StoredRecord stored, Proof proof, std::int64_t time_before) {
        const bool has_time = proof == Proof::record_and_time;
        if (!has_time) stored.time_ms = time_before;
        return {by, std::move(stored), {}, {}, has_time};
    }

    // A game: its record beside a damaged replay, or its replay beside a damaged record.
    Found find_by_replay(const Link& link, const Tip& saved, std::int64_t time_before, Found lost) {
        auto bare = read(link.seq, link, RecordReader::Replays::left_out);
        auto replay = replay_of(link.seq, *link.digest.replay);
        const auto digest =
            bare ? digests_.digest(bare->record, link.digest.replay) : RecordDigest{};
        if (bare && digest == link.digest) {
            const auto proof = proof_of(*bare, digest, link, saved);
            std::get<journal::GameRecord>(bare->record).replay = replay.value_or("");
            return proven(replay ? Found::By::store : Found::By::store_without_replay,
                          *std::move(bare), proof, time_before);
        }
        if (!replay) return lost;
        auto game = journal::game_of_replay(*std::move(replay), result_of(bare));
        if (!game) {
            lost.why += "; " + game.error().message;
            return lost;
        }
        return {Found::By::replay, {link.seq, time_before, *std::move(game)}, {}, {}, false};
    }

    std::optional<StoredRecord> read(std::uint64_t seq, const std::optional<Link>& link,
                                     RecordReader::Replays replays) {
        std::optional<StoredRecord> found;
        for (const auto kind : kinds_of_records()) {
            if (found || (link && link->kind != kind)) continue;
            found = as_far_as_it_goes([&] {
                RecordLookup lookup(database_, replays);
                return lookup.find(seq, kind);
            });
        }
        return found;
    }

    // By its link, or by the next one that follows from it; and by the digest, which knows no time.
    Proof proof_of(const StoredRecord& stored, const RecordDigest& digest,
                   const std::optional<Link>& link, const Tip& saved) {
        const auto before = as_far_as_it_goes(
            [&]() -> std::optional<Tip> { return tip_before(database_, stored.seq); });
        for (const auto& tip : {std::optional(saved), before}) {
            if (tip && fits(stored, digest, link, *tip)) return Proof::record_and_time;
        }
        return link && digest == link->digest ? Proof::record : Proof::none;
    }

    bool fits(const StoredRecord& stored, const RecordDigest& digest,
              const std::optional<Link>& link, const Tip& before) {
        const auto tip = next_tip(hasher_, before, stored.seq, stored.time_ms, digest);
        if (link && link->link == tip.link) return true;
        const auto next = this->link(stored.seq + 1);
        const auto follower =
            next ? read(stored.seq + 1, next, RecordReader::Replays::left_out) : std::nullopt;
        if (!follower) return false;
        return next_tip(hasher_, tip, follower->seq, follower->time_ms,
                        digests_.digest(follower->record, next->digest.replay))
                   .link == next->link;
    }

    // From the store itself, or from the files of replays.
    std::optional<std::string> replay_of(std::uint64_t seq, const Digest& digest) {
        auto own = as_far_as_it_goes([&]() -> std::optional<std::string> {
            Statement row(database_, "SELECT bytes, zlib FROM replays WHERE seq = ?");
            row.bind(seq);
            if (!row.step()) return std::nullopt;
            const auto bytes = row.integer(0);
            return decompress(row.bytes(1), static_cast<std::size_t>(bytes));
        });
        if (own) {
            hasher_.add(*own);
            if (hasher_.finish() == digest) return own;
        }
        return replay_ ? replay_(digest) : std::nullopt;
    }

    // As far as it could be read.
    static GameResult result_of(const std::optional<StoredRecord>& stored) {
        const auto* game = stored ? std::get_if<journal::GameRecord>(&stored->record) : nullptr;
        return game == nullptr ? GameResult{} : game->result;
    }

    Database& database_;
    const ReplayByDigest& replay_;
    RecordHasher digests_;
    Hasher hasher_;
};

// Puts what is saved into the new store.
class Rescue {
 public:
    Rescue(Database& database, Salvage& salvage)
        : database_(database), salvage_(salvage), writer_(database), chain_(database) {}

    // What an archive has filled in already.
    void take_over() {
        tip_ = tip_of(database_);
        RecordReader reader(database_, RecordReader::Replays::left_out);
        while (const auto stored = reader.next()) {
            note_opening(stored->record);
            time_ms_ = stored->time_ms;
        }
    }
    void begin(const std::string& origin) {
        Transaction transaction(database_);
        set_origin(database_, origin);
        transaction.commit();
        tip_ = root_of(origin);
    }

    // Where nothing can be read of the damaged store.
    void lose_up_to(std::uint64_t told) {
        if (told > tip_.seq) lose_between(tip_.seq + 1, told);
    }

    // All records of the wreck behind those that are there. `told` is the last one that somebody
    // was told of, as far as that is known.
    void save(Wreck& wreck, std::uint64_t told) {
        auto numbers = wreck.numbers(tip_.seq);
        if (told > tip_.seq) numbers.insert(told);
        auto last = tip_.seq;
        for (auto next = numbers.begin(); next != numbers.end();) {
            Transaction transaction(database_);
            for (std::size_t i = 0; i < limits::store_batch_records_max && next != numbers.end();
                 ++i, ++next) {
                auto found = wreck.find(*next, tip_, time_ms_);
                const bool is_gap = *next > last + 1;
                if (is_gap && !(found.by == By::store && wreck.follows(tip_, found.record)))
                    lose_between(last + 1, *next - 1);
                last = *next;
                take(last, std::move(found));
            }
            transaction.commit();
        }
    }

 private:
    using By = Wreck::Found::By;

    void lose_between(std::uint64_t first, std::uint64_t last) {
        const auto to = first == last ? std::string() : " and those up to " + std::to_string(last);
        salvage_.lost.push_back({first, "nothing tells of it" + to});
        cut_ = opened_;
    }

    void take(std::uint64_t seq, Wreck::Found found) {
        if (found.by == By::nothing) {
            salvage_.lost.push_back({seq, found.kind + ": " + found.why});
            // A tournament is the sum of its records: whatever was begun ends here.
            if (found.kind != "token") cut_ = opened_;
            return;
        }
        const auto tournament = tournament_of(found.record.record);
        note_opening(found.record.record);
        if (!tournament.empty() && (cut_.contains(tournament) || !opened_.contains(tournament))) {
            salvage_.lost.push_back({seq, std::string(kind_of(found.record.record)) + " of " +
                                              tournament +
                                              ": it is left out, for a record before it is lost"});
            return;
        }
        if (!writer_.insert(seq, found.record.time_ms, found.record.record)) {
            salvage_.lost.push_back({seq, "it says the same as a record before it"});
            return;
        }
        tip_ = chain_.append(tip_, seq, found.record.time_ms, found.record.record);
        time_ms_ = found.record.time_ms;
        if (found.by == By::replay) {
            ++salvage_.from_replays;
        } else {
            ++salvage_.from_store;
        }
        if (found.by == By::store_without_replay) ++salvage_.replays_lost;
        if (!found.has_time) ++salvage_.times_lost;
    }

    void note_opening(const journal::Record& record) {
        if (const auto* opening = std::get_if<journal::OpeningRecord>(&record))
            opened_.insert(opening->tournament);
    }

    Database& database_;
    Salvage& salvage_;
    RecordWriter writer_;
    ChainWriter chain_;
    Tip tip_;
    std::int64_t time_ms_ = 0;
    std::set<std::string> opened_;
    std::set<std::string> cut_;
};

// Whether both have the same records, as far as the wreck can tell.
bool is_of_same_store(Wreck& wreck, Database& archived) {
    for (auto seq = tip_of(archived).seq; seq > 0; --seq) {
        const auto theirs = wreck.link(seq);
        const auto ours = link_at(archived, seq);
        if (theirs && ours) return theirs->digest.record == ours->digest.record;
    }
    return true;
}

std::string origin_of_rest(const Salvage& salvage) {
    return "repaired: " + std::to_string(salvage.records()) + " records were saved, " +
           std::to_string(salvage.lost.size()) + " were not";
}

base::Result<Salvage, StoreError> fill_from(const SalvageSources& sources, Database& database,
                                            const std::string& copy_name) {
    Salvage salvage;
    WreckCopy copy(sources.store, copy_name);
    auto damaged = copy.open();
    (damaged ? salvage.mended : salvage.unreadable) = copy.trouble();
    Rescue rescue(database, salvage);
    std::optional<Wreck> wreck;
    if (damaged) wreck.emplace(*damaged, sources.replay);
    if (sources.archive != nullptr) {
        ArchiveReader archive(*sources.archive, sources.archive_name);
        if (auto read = archive.header(); !read) return base::failure(std::move(read.error()));
        if (auto filled = fill(database, archive); !filled)
            return base::failure(std::move(filled.error()));
        if (wreck && !is_of_same_store(*wreck, database)) {
            return base::failure(StoreError{
                StoreTrouble::bad_archive,
                sources.archive_name + " is the archive of another store than " + sources.store +
                    "; expected one that referee export wrote of this one"});
        }
        salvage.from_archive = archive.records();
        rescue.take_over();
    } else {
        const auto origin =
            damaged ? as_far_as_it_goes([&] { return origin_of(*damaged); }) : std::string();
        // An empty store that stands in place of lost pages tells no origin.
        rescue.begin(origin.empty() ? "repaired" : origin);
    }
    std::uint64_t told = 0;
    if (const auto head = HeadFile::read(sources.store); head && *head) {
        told = (*head)->seq;
        // Nothing was told behind it.
        if (told > 0 && tip_of(database) == **head) salvage.unreadable.clear();
    }
    if (wreck) {
        rescue.save(*wreck, told);
    } else {
        rescue.lose_up_to(told);
    }
    if (!salvage.lost.empty() || salvage.replays_lost > 0 || salvage.from_replays > 0 ||
        salvage.times_lost > 0)
        remake_chain(database, origin_of_rest(salvage));
    return salvage;
}

}  // namespace

base::Result<Salvage, StoreError> salvage(const SalvageSources& sources, const std::string& path) {
    if (auto fresh = check_new(path); !fresh) return base::failure(std::move(fresh.error()));
    auto lock = StoreLock::take(path);
    if (!lock) return base::failure(std::move(lock.error()));
    if (auto alone = check_alone(path); !alone) return base::failure(std::move(alone.error()));
    const PartFile part(path);
    auto opened = open_to_write(part.name(), Making::always, {}, 0);
    if (!opened) return base::failure(std::move(opened.error()));
    base::Result<Salvage, StoreError> saved = Salvage{};
    Tip tip;
    try {
        auto database = *std::move(opened);
        saved = fill_from(sources, database, path + ".wreck");
        if (!saved) return saved;
        tip = tip_of(database);
        database.end_tidily();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    if (auto named = part.finish(tip); !named) return base::failure(std::move(named.error()));
    return saved;
}

}  // namespace referee::store
