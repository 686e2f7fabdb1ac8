#include "referee/store/database/leftovers.h"

#include <filesystem>

#include "referee/store/database/head_file.h"
#include "referee/store/database/store_lock.h"

namespace referee::store {

std::optional<Leftovers> Leftovers::beside(const std::string& path) {
    const auto place = file_of_store(path);
    std::error_code unknown;
    Leftovers found;
    for (const auto* ending : {"-wal", "-shm", "-journal"}) {
        const auto file = place + ending;
        const auto bytes = std::filesystem::file_size(file, unknown);
        if (!unknown) found.files_.push_back(file + " (" + std::to_string(bytes) + " bytes)");
    }
    const auto head = HeadFile::read(place);
    const bool tells_of_records = !head || (*head && (*head)->seq > 0);
    if (found.files_.empty() && !tells_of_records) return std::nullopt;
    if (!head || *head) found.files_.push_back(place + ".head");
    if (!head) {
        found.told_ = head.error().message;
    } else if (tells_of_records) {
        found.told_ =
            ".head says that record " + std::to_string((*head)->seq) + " had been written and told";
    }
    return found;
}

std::string Leftovers::describe() const {
    std::string text;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        if (i > 0) text += i + 1 < files_.size() ? ", " : " and ";
        text += files_[i];
    }
    text += files_.size() == 1 ? " is there" : " are there";
    return told_.empty() ? text : text + "; " + told_;
}

StoreError no_store(const std::string& path) {
    const auto leftovers = Leftovers::beside(path);
    if (!leftovers) return {StoreTrouble::missing, path + ": there is no such store"};
    return {StoreTrouble::corrupt,
            path + " is gone, but " + leftovers->describe() +
                ". Put the file back beside them; or move them away, to begin anew or to make a "
                "new store of an archive (referee store import)"};
}

base::Result<void, StoreError> check_alone(const std::string& path) {
    const auto leftovers = Leftovers::beside(path);
    if (!leftovers) return {};
    return base::failure(StoreError{
        StoreTrouble::exists,
        path + " is not there, but of an earlier store of that name " + leftovers->describe() +
            ". A new store would take them for its own: move them away, or give the new store "
            "another name"});
}

}  // namespace referee::store
