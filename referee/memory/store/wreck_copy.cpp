#include "referee/memory/store/wreck_copy.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "referee/memory/store/opening.h"
#include "referee/memory/store/schema.h"
#include "referee/memory/store/store_lock.h"

namespace referee::store {
namespace {

// The header of SQLite's files (https://sqlite.org/fileformat2.html).
constexpr std::size_t header_bytes = 100;
constexpr std::size_t place_of_versions = 18;
constexpr std::size_t fixed_bytes = 24;  // as all stores have them: the name, the page's size
constexpr std::size_t place_of_pages = 28;
constexpr std::size_t bytes_of_pages = 4;
constexpr char with_log = 2;

// A store that has all tables and no record. Zero pages in the header: SQLite then goes by the size
// of the file.
struct Empty {
    std::string first_page;
    std::string image;  // of all its pages
    std::uint64_t pages = 0;
};

Empty empty_store() {
    Database fresh(":memory:", Database::Access::write, {});
    make_tables(fresh);
    const auto size = static_cast<std::size_t>(fresh.integer("PRAGMA page_size"));
    sqlite3_int64 bytes = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> image(
        sqlite3_serialize(fresh.handle(), "main", &bytes, 0), &sqlite3_free);
    std::string page(image.get(), image.get() + size);
    page.at(place_of_versions) = page.at(place_of_versions + 1) = with_log;
    page.replace(place_of_pages, bytes_of_pages, bytes_of_pages, '\0');
    return {std::move(page),
            {reinterpret_cast<const char*>(image.get()), static_cast<std::size_t>(bytes)},
            static_cast<std::uint64_t>(bytes) / size};
}

std::uint64_t big_endian(std::string_view bytes) {
    constexpr unsigned bits = 8;
    std::uint64_t number = 0;
    for (const char byte : bytes) number = (number << bits) | static_cast<unsigned char>(byte);
    return number;
}

// Whether the header is that of a store, and as long as the file.
bool is_header_good(const std::string& path, const std::string& page) {
    std::array<char, header_bytes> bytes{};
    std::ifstream file(path, std::ios::binary);
    if (!file.read(bytes.data(), bytes.size())) return false;
    const std::string_view header(bytes.data(), bytes.size());
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    return !unknown && header.substr(0, fixed_bytes) == page.substr(0, fixed_bytes) &&
           big_endian(header.substr(place_of_pages, bytes_of_pages)) * page.size() == size;
}

// How long a store is that was cut, in pages: as its header says, if that can be. Pages of zeros in
// place of those that are lost are damaged, each for itself; a table that begins behind the end of
// the file would make SQLite refuse all of it.
std::uint64_t pages_of(const std::string& path, const Empty& empty) {
    std::error_code unknown;
    const auto size = empty.first_page.size();
    const auto there = (std::filesystem::file_size(path, unknown) + size - 1) / size;
    std::array<char, header_bytes> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), bytes.size());
    const std::string_view header(bytes.data(), bytes.size());
    const bool is_header = header.substr(0, fixed_bytes) == empty.first_page.substr(0, fixed_bytes);
    const auto told = is_header ? big_endian(header.substr(place_of_pages, bytes_of_pages)) : 0;
    constexpr std::uint64_t longer_max = 2;  // what a damaged header may say has an end
    return std::max({there, empty.pages, told <= longer_max * there + empty.pages ? told : 0});
}

// In place of the pages from that one on: those of an empty store, as far as it goes. They are its
// table of tables and its tables' beginnings, without which none of the others would be found.
bool write_lost_pages(std::fstream& file, const Empty& empty, std::uint64_t first) {
    const auto begin = first * empty.first_page.size();
    if (begin >= empty.image.size()) return true;
    file.seekp(static_cast<std::streamoff>(begin));
    return file
        .write(empty.image.data() + begin, static_cast<std::streamsize>(empty.image.size() - begin))
        .good();
}

// Throws where the tables can't be found. What they hold may be damaged.
void look_for_tables(Database& database) {
    const Statement rows(database, "SELECT seq FROM chain LIMIT 1");
}

}  // namespace

WreckCopy::WreckCopy(const std::string& store, std::string name)
    : store_(file_of_store(store)), name_(std::move(name)) {
    remove();
}

std::optional<Database> WreckCopy::open() {
    std::error_code unknown;
    const bool has_log = std::filesystem::file_size(store_ + "-wal", unknown) > 0 && !unknown;
    const bool is_plausible = has_log ? std::filesystem::exists(store_, unknown)
                                      : is_header_good(store_, empty_store().first_page);
    if (is_plausible) {
        if (auto itself = open_as(Mended::nothing)) return itself;
    } else {
        trouble_ = std::filesystem::exists(store_, unknown)
                       ? store_ + ": its header is damaged, or its end is cut off"
                       : store_ + " is gone";
    }
    for (const auto mended : {Mended::header, Mended::first_page}) {
        if (!copy(mended)) return std::nullopt;
        if (auto copied = open_as(mended)) return copied;
    }
    if (is_plausible) return std::nullopt;
    auto itself = open_as(Mended::nothing);
    if (itself) trouble_.clear();
    return itself;
}

std::optional<Database> WreckCopy::open_as(Mended mended) {
    const auto& path = mended == Mended::nothing ? store_ : name_;
    try {
        const bool at_rest = StoreAtRest::of(path).has_value();
        Database database(path, at_rest ? Database::Access::read_cold : Database::Access::read, "");
        look_for_tables(database);
        return database;
    } catch (const DatabaseError& error) {
        if (trouble_.empty()) trouble_ = error.what();
        return std::nullopt;
    }
}

bool WreckCopy::copy(Mended mended) {
    remove();
    std::error_code failed;
    std::error_code without_log;
    const auto empty = empty_store();
    const auto& page = empty.first_page;
    if (std::filesystem::exists(store_, failed)) {
        std::filesystem::copy_file(store_, name_, failed);
    } else {
        std::ofstream(name_, std::ios::binary) << page;
    }
    if (!failed && std::filesystem::exists(store_ + "-wal", without_log))
        std::filesystem::copy_file(store_ + "-wal", name_ + "-wal", failed);
    if (!failed) {
        std::filesystem::permissions(
            name_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        const auto bytes = mended == Mended::header ? header_bytes : page.size();
        const auto there = std::filesystem::file_size(name_, failed) / page.size();
        std::filesystem::resize_file(name_, pages_of(name_, empty) * page.size(), failed);
        std::fstream file(name_, std::ios::in | std::ios::out | std::ios::binary);
        if (!failed && file.write(page.data(), static_cast<std::streamsize>(bytes)) &&
            write_lost_pages(file, empty, there) && file.flush())
            return true;
        if (!failed) failed = std::make_error_code(std::errc::no_space_on_device);
    }
    trouble_ += "; it can't be copied to " + name_ + ": " + failed.message();
    return false;
}

void WreckCopy::remove() const {
    std::error_code ignored;
    for (const auto* ending : {"", "-wal", "-shm", "-journal"})
        std::filesystem::remove(name_ + ending, ignored);
}

}  // namespace referee::store
