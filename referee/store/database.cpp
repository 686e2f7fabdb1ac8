#include "referee/store/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include "protocol/base/text.h"

namespace referee::store {
namespace {

constexpr int primary_code_mask = 0xff;
// How long another connection may hold the file before we say so.
constexpr int busy_patience_ms = 1000;

int flags_of(Database::Access access) {
    constexpr int always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
    if (access == Database::Access::write)
        return always | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    return always | SQLITE_OPEN_READONLY;
}

// The path as a URI: characters with a meaning in a URI are spelt in hex.
std::string uri_of(const std::string& path) {
    static constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    constexpr unsigned hex = 16;
    std::string uri = "file:";
    for (const char c : path) {
        if (plain.find(c) != std::string_view::npos) {
            uri += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        uri += {'%', base::hex_digits[byte / hex], base::hex_digits[byte % hex]};
    }
    return uri;
}

int remember_frames(void* frames, sqlite3* /*handle*/, const char* /*database*/, int count) {
    *static_cast<int*>(frames) = count;
    return SQLITE_OK;
}

}  // namespace

bool DatabaseError::is_full() const {
    // A log index that can't grow, or a quota that is used up, is the same as a full disk.
    const bool no_room = os_error_ == ENOSPC || os_error_ == EDQUOT;
    return (code_ & primary_code_mask) == SQLITE_FULL || code_ == SQLITE_IOERR_SHMSIZE ||
           (no_room && (code_ == SQLITE_IOERR_WRITE || code_ == SQLITE_IOERR_SHMOPEN ||
                        (code_ & primary_code_mask) == SQLITE_CANTOPEN));
}

bool DatabaseError::is_busy() const {
    const int primary = code_ & primary_code_mask;
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
}

bool DatabaseError::is_corrupt() const {
    return (code_ & primary_code_mask) == SQLITE_CORRUPT;
}

bool DatabaseError::is_no_database() const {
    return (code_ & primary_code_mask) == SQLITE_NOTADB;
}

void corrupt(const std::string& what) {
    throw DatabaseError(SQLITE_CORRUPT, 0, what);
}

void Database::Closer::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

Database::Database(const std::string& path, Access access, const std::string& vfs)
    : log_frames_(std::make_unique<int>(0)), path_(path) {
    auto uri = uri_of(path);
    if (access == Access::read_at_rest) uri += "?immutable=1";
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle, flags_of(access),
                                     vfs.empty() ? nullptr : vfs.c_str());
    handle_.reset(handle);
    if (code != SQLITE_OK) fail(code);
    sqlite3_busy_timeout(handle, busy_patience_ms);
    execute("PRAGMA cell_size_check = ON");  // a page that makes no sense is an error, not read
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_wal_hook(handle, remember_frames, log_frames_.get());  // and no checkpoint but our own
}

void Database::fail(int code) const {
    std::string message = path_ + ": ";
    message += handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    const int os_error = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
    if (os_error != 0 && (code & primary_code_mask) != SQLITE_FULL)
        message += std::string(" (") + std::strerror(os_error) + ")";
    throw DatabaseError(code, os_error, message);
}

void Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::integer(const std::string& sql) {
    Statement statement(*this, sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::changes() const {
    return sqlite3_changes64(handle_.get());
}

std::string Database::bytes() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> all(
        sqlite3_serialize(handle_.get(), "main", &size, 0), &sqlite3_free);
    if (!all) fail(SQLITE_NOMEM);
    return {reinterpret_cast<const char*>(all.get()), static_cast<std::size_t>(size)};
}

void Database::roll_back() noexcept {
    if (sqlite3_get_autocommit(handle_.get()) == 0)
        sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::checkpoint() {
    move_log(SQLITE_CHECKPOINT_PASSIVE);
}

void Database::end_tidily() {
    move_log(SQLITE_CHECKPOINT_TRUNCATE);
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

void Database::move_log(int mode) {
    const int code = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, mode, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
    *log_frames_ = 0;
}

void Statement::Finisher::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) database.fail(code);
    statement_.reset(statement);
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_->fail(code);
    return false;
}

// SQLite returns the error of the last step here, which was reported already.
void Statement::reset() {
    sqlite3_reset(statement_.get());
    bound_ = 0;
}

bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_integer(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER;
}

bool Statement::is_real(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT;
}

bool Statement::is_text(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

bool Statement::is_blob(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
    return std::string(bytes(column));
}

std::string_view Statement::bytes(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return data == nullptr ? std::string_view() : std::string_view(data, size);
}

void Statement::bind_null(int position) {
    if (const int code = sqlite3_bind_null(statement_.get(), position); code != SQLITE_OK)
        database_->fail(code);
}

void Statement::bind_integer(int position, std::int64_t value) {
    if (const int code = sqlite3_bind_int64(statement_.get(), position, value); code != SQLITE_OK)
        database_->fail(code);
}

void Statement::bind_one(int position, double value) {
    if (const int code = sqlite3_bind_double(statement_.get(), position, value); code != SQLITE_OK)
        database_->fail(code);
}

// A null pointer would be bound as NULL.
void Statement::bind_one(int position, std::string_view value) {
    const int code =
        sqlite3_bind_text64(statement_.get(), position, value.empty() ? "" : value.data(),
                            value.size(), nullptr, SQLITE_UTF8);
    if (code != SQLITE_OK) database_->fail(code);
}

void Statement::bind_one(int position, Blob value) {
    const int code = sqlite3_bind_blob64(statement_.get(), position,
                                         value.bytes.empty() ? "" : value.bytes.data(),
                                         value.bytes.size(), nullptr);
    if (code != SQLITE_OK) database_->fail(code);
}

}  // namespace referee::store
