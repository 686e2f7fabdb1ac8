#include <array>
#include <set>

#include "protocol/base/text.h"
#include "referee/store/archive.h"
#include "referee/store/records/record_fields.h"

namespace referee::store {
namespace {

// Runs what reads a damaged file: nothing where it can't be read.
template <typename Read>
auto as_far_as_it_goes(const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const DatabaseError&) {
        return {};
    }
}

bool is_of_a_tournament(std::string_view kind) {
    bool is = true;  // what nobody knows may be
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        if (fields::Description<Row>::kind == kind) is = records::tournament_of(Row()) != nullptr;
    });
    return is;
}

// The numbers that anything tells of, from both ends of each table: a page in its middle may be
// damaged.
std::set<std::uint64_t> all_numbers(Database& database) {
    std::set<std::uint64_t> numbers;
    const auto gather = [&](std::string_view table, std::string_view order) {
        try {
            Statement rows(database,
                           fmt::format("SELECT seq FROM {} ORDER BY seq {}", table, order));
            while (rows.step()) {
                if (rows.is_integer(0) && rows.integer(0) > 0)
                    numbers.insert(static_cast<std::uint64_t>(rows.integer(0)));
            }
            return true;
        } catch (const DatabaseError&) {
            return false;  // what stands behind is told by the other order or table, or by nobody
        }
    };
    const auto gather_from_both_ends = [&](std::string_view table) {
        if (!gather(table, "ASC")) gather(table, "DESC");
    };
    gather_from_both_ends("chain");
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        gather_from_both_ends(fields::Description<Row>::table.name);
    });
    return numbers;
}

// Single records, each with what proves it.
class Finder {
 public:
    explicit Finder(Database& database)
        : database_(database),
          bare_(database, RecordReader::Replays::left_out),
          whole_(database, RecordReader::Replays::read) {}

    struct Found {
        StoredRecord stored;
        RecordDigest digest;
        bool has_replay = true;
    };

    std::optional<Link> link(std::uint64_t seq) {
        return as_far_as_it_goes([&] { return link_at(database_, seq); });
    }

    // As its link tells it, if it can be read so; else as it stands there.
    std::optional<Found> read(std::uint64_t seq, const std::optional<Link>& link) {
        auto bare = link ? find(bare_, seq, link->kind) : std::nullopt;
        if (bare) {
            const auto digest = hasher_.digest(bare->record, link->digest.replay);
            if (digest.record == link->digest.record) return with_replay(*std::move(bare), digest);
        }
        auto whole = find(whole_, seq, link ? link->kind : std::string());
        if (!whole) return std::nullopt;
        auto digest = hasher_.digest(whole->record);
        return Found{*std::move(whole), digest};
    }

    ChainTip behind(const ChainTip& before, const Found& found) {
        return hasher_.next_tip(before, found.stored.seq, found.stored.time_ms, found.digest);
    }

 private:
    // Where the kind is damaged, that of whatever has the number.
    static std::optional<StoredRecord> find(RecordReader& lookup, std::uint64_t seq,
                                            const std::string& kind) {
        const auto of_kind = [&](std::string_view one) {
            return as_far_as_it_goes([&] { return lookup.find(seq, one); });
        };
        auto found = of_kind(kind);
        fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
            if (!found) found = of_kind(fields::Description<Row>::kind);
        });
        return found;
    }

    Found with_replay(StoredRecord stored, const RecordDigest& digest) {
        if (!digest.replay) return {std::move(stored), digest};
        auto whole = find(whole_, stored.seq, std::string(kind_of(stored.record)));
        if (whole && hasher_.digest(whole->record) == digest) return {*std::move(whole), digest};
        return {std::move(stored), digest, false};
    }

    Database& database_;
    RecordReader bare_;
    RecordReader whole_;
    ChainHasher hasher_;
};

class ProvenReading {
 public:
    ProvenReading(Database& database, const OnRecord& on_record)
        : database_(database), on_record_(on_record), finder_(database) {}

    std::vector<std::string> run(std::uint64_t told) {
        try {
            tips_[0] = root_of(origin_of(database_));
        } catch (const DatabaseError& error) {
            left_out_.push_back(std::string("how the chain began: ") + error.what());
        }
        for (const auto seq : all_numbers(database_)) take(seq);
        if (told > last_) lose_between(last_ + 1, told);
        return std::move(left_out_);
    }

 private:
    // Where the chain may stand before a record: as its links say, and as its records do.
    using Tips = std::array<std::optional<ChainTip>, 2>;

    void take(std::uint64_t seq) {
        const auto link = finder_.link(seq);
        auto found = finder_.read(seq, link);
        const bool is_in_place = found && fits(*found, link);
        if (seq > last_ + 1 && !is_in_place) lose_between(last_ + 1, seq - 1);
        last_ = seq;
        const auto tips = tips_behind(link, found);
        if (!is_in_place && !(found && is_as_written(*found, link))) {
            lose(seq, link, found.has_value());
        } else {
            give(*std::move(found), is_in_place);
        }
        tips_ = tips;
    }

    // The record, its time and its place are proven by its link, or by the next one.
    bool fits(const Finder::Found& found, const std::optional<Link>& link) {
        for (const auto& tip : tips_) {
            if (tip && link && finder_.behind(*tip, found).link == link->link) return true;
        }
        for (const auto& tip : tips_) {
            if (tip && is_followed(finder_.behind(*tip, found))) return true;
        }
        return false;
    }

    bool is_followed(const ChainTip& tip) {
        const auto link = finder_.link(tip.seq + 1);
        const auto next = link ? finder_.read(tip.seq + 1, link) : std::nullopt;
        return next && is_as_written(*next, link) && finder_.behind(tip, *next).link == link->link;
    }

    static bool is_as_written(const Finder::Found& found, const std::optional<Link>& link) {
        return link && found.digest.record == link->digest.record;
    }

    Tips tips_behind(const std::optional<Link>& link, const std::optional<Finder::Found>& found) {
        Tips tips;
        if (link) tips[0] = ChainTip{link->seq, link->link};
        const auto& before = tips_[0] ? tips_[0] : tips_[1];
        if (found && before) tips[1] = finder_.behind(*before, *found);
        return tips;
    }

    void lose_between(std::uint64_t first, std::uint64_t last) {
        const auto to = first == last ? std::string() : " and those up to " + std::to_string(last);
        left_out_.push_back(record_number(first) + to + ": nothing is there");
        end_tournaments();
    }

    void lose(std::uint64_t seq, const std::optional<Link>& link, bool is_there) {
        std::string why = is_there ? "it is another one than was written" : "it can't be read";
        if (!link) why = "its link is damaged or missing, and nothing else proves it";
        leave_out(seq, link ? link->kind : std::string(), why);
        if (!link || is_of_a_tournament(link->kind)) end_tournaments();
    }

    void give(Finder::Found found, bool has_time) {
        auto& stored = found.stored;
        const auto kind = kind_of(stored.record);
        const auto* tournament = records::tournament_of(stored.record);
        if (tournament != nullptr && has_ended(*tournament, stored.record)) {
            leave_out(stored.seq, kind,
                      "it is of " + *tournament + ", of which a record before it may be lost");
            return;
        }
        if (!has_time) {
            stored.time_ms = time_ms_;
            leave_out(stored.seq, kind, "only its time; it has that of the record before");
        }
        if (!found.has_replay) leave_out(stored.seq, kind, "only its replay; its result is there");
        time_ms_ = stored.time_ms;
        on_record_(stored);
    }

    // Notes tournaments that are opened, too.
    bool has_ended(const std::string& tournament, const records::Record& record) {
        if (std::holds_alternative<records::OpeningRecord>(record)) opened_.insert(tournament);
        return ended_.contains(tournament) || (is_any_lost_ && !opened_.contains(tournament));
    }

    void end_tournaments() {
        is_any_lost_ = true;
        ended_ = opened_;
    }

    void leave_out(std::uint64_t seq, std::string_view kind, const std::string& why) {
        const auto of_kind = kind.empty() ? std::string() : " (" + std::string(kind) + ")";
        left_out_.push_back(record_number(seq) + of_kind + ": " + why);
    }

    Database& database_;
    const OnRecord& on_record_;
    Finder finder_;
    Tips tips_;
    std::uint64_t last_ = 0;
    std::int64_t time_ms_ = 0;
    std::set<std::string> opened_;
    std::set<std::string> ended_;  // for want of a record
    bool is_any_lost_ = false;
    std::vector<std::string> left_out_;
};

}  // namespace

std::vector<std::string> read_proven(Database& database, std::uint64_t told,
                                     const OnRecord& on_record) {
    return ProvenReading(database, on_record).run(told);
}

}  // namespace referee::store
