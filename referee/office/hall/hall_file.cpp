#include "referee/office/hall/hall_file.h"

#include <filesystem>

#include "referee/memory/store/add_records.h"
#include "referee/memory/store/forgetting.h"
#include "referee/memory/store/store.h"
#include "referee/memory/store/store_lock.h"

namespace referee::hall {

std::string file_of(const std::string& file_or_folder) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(file_or_folder, unknown)) return file_or_folder;
    return (std::filesystem::path(file_or_folder) / default_name).string();
}

base::Result<Hall, store::StoreError> read_hall(const std::string& file) {
    auto reader = store::StoreReader::open(file);
    if (!reader) return base::failure(std::move(reader.error()));
    Hall hall;
    if (auto read =
            reader->history([&hall](const store::StoredRecord& stored) { hall.take(stored); });
        !read)
        return base::failure(std::move(read.error()));
    return hall;
}

base::Result<std::vector<Entering>, store::StoreError> join(const std::string& file,
                                                            const Joining& joining,
                                                            std::int64_t now_ms) {
    std::vector<Entering> all;
    const auto decide = [&](const std::vector<store::StoredRecord>& there) {
        Hall hall;
        for (const auto& stored : there) hall.take(stored);
        std::vector<journal::Record> records;
        for (const auto& candidate : joining.candidates) {
            all.push_back(enter(hall, candidate, joining.semester, joining.bar));
            if (!all.back().record) continue;
            // The same name may come twice in one order.
            hall.take({0, now_ms, *all.back().record});
            records.emplace_back(*all.back().record);
        }
        return records;
    };
    if (auto added = store::add_records(file, store::Making::where_missing, now_ms, decide); !added)
        return base::failure(std::move(added.error()));
    return all;
}

base::Result<std::size_t, store::StoreError> remove(const std::string& file,
                                                    const std::string& name, const Filter& filter,
                                                    std::int64_t now_ms) {
    std::size_t removed = 0;
    const auto decide = [&](const std::vector<store::StoredRecord>& there) {
        Hall hall;
        for (const auto& stored : there) hall.take(stored);
        std::vector<journal::Record> records;
        for (const auto& row : hall.rows(filter)) {
            if (row.entry.bot != name) continue;
            records.emplace_back(
                journal::FameRemovalRecord{row.entry.game, row.entry.semester, row.entry.bot});
        }
        removed = records.size();
        return records;
    };
    if (auto added = store::add_records(file, store::Making::never, now_ms, decide); !added)
        return base::failure(std::move(added.error()));
    return removed;
}

base::Result<std::string, store::StoreError> forget(const std::string& file,
                                                    const std::string& name) {
    const auto place = store::file_of_store(file);
    const auto mentions = store::mentions_of(place, name);
    if (!mentions) return base::failure(mentions.error());
    if (mentions->records == 0) return std::string();
    if (mentions->games > 0) {
        return base::failure(store::StoreError{
            store::StoreTrouble::foreign,
            file + " has games of " + name + " too: referee forget " + name +
                " --out FOLDER takes the name out of the folder's store and files"});
    }
    const auto pseudonym = journal::next_pseudonym(mentions->known);
    const auto lock = store::StoreLock::take(place);
    if (!lock) return base::failure(lock.error());
    // Games have fingerprints; a table of fame has none.
    const journal::Forgetting forgetting{{name, pseudonym, mentions->known},
                                         [](const std::string&) { return std::string(); }};
    const auto rewritten = store::rewrite_without(place, forgetting, [](std::uint64_t) {});
    if (!rewritten) return base::failure(rewritten.error());
    return pseudonym;
}

}  // namespace referee::hall
