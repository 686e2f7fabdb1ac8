#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// The part of SQLite that the store needs. Errors are thrown, and caught inside this room:
// callers from outside get results (opening.h: result_of()).

namespace referee::store {

class DatabaseError : public std::runtime_error {
 public:
    DatabaseError(int code, int os_error, const std::string& message)
        : std::runtime_error(message), code_(code), os_error_(os_error) {}

    int code() const { return code_; }  // SQLite's extended code
    int os_error() const { return os_error_; }
    // The disk, or the user's share of it, is full: worth another try when there is room.
    bool is_full() const;
    // Another connection holds the file: worth another try.
    bool is_busy() const;
    bool is_corrupt() const;
    bool is_no_database() const;

 private:
    int code_;
    int os_error_;
};

// Throws: the tables hold something that no store writes.
[[noreturn]] void corrupt(const std::string& what);

// One connection. Not thread safe.
class Database {
 public:
    enum class Access : std::uint8_t {
        write,
        read,          // beside somebody who writes
        read_at_rest,  // nobody writes: without a lock, and without files beside the file
    };

    // `vfs`: SQLite's name of a file system; empty for the machine's. The file is made where it is
    // missing and Access is `write`. Throws.
    Database(const std::string& path, Access access, const std::string& vfs);

    void execute(const std::string& sql);
    std::int64_t integer(const std::string& sql);
    // Rows that the last statement inserted.
    std::int64_t changes() const;
    // Rolls back an open transaction, whatever SQLite has rolled back of it already. Never throws.
    void roll_back() noexcept;
    // All of it, as a file has it.
    std::string bytes() const;
    // Frames of the write-ahead log after the last commit.
    int log_frames() const { return *log_frames_; }
    // Moves the log into the file, as far as readers allow.
    void checkpoint();
    // Moves all of the log, and lets closing remove it. Without this call closing touches no file:
    // after an error of the disk nothing is tried a second time.
    void end_tidily();

    sqlite3* handle() const { return handle_.get(); }
    [[noreturn]] void fail(int code) const;

 private:
    void move_log(int mode);

    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<int> log_frames_;
    std::unique_ptr<sqlite3, Closer> handle_;
    std::string path_;
};

struct Blob {
    std::string_view bytes;
};

// A prepared statement. Values are bound from the first `?` on; what they point to must live until
// the statement has run or is bound again.
class Statement {
 public:
    Statement(Database& database, std::string_view sql);

    template <typename... Values>
    Statement& bind(const Values&... values) {
        reset();
        (bind_next(values), ...);
        return *this;
    }
    // Binds the `?` after the last one that was bound; the first one after a reset.
    template <typename Value>
    void bind_next(const Value& value) {
        bind_one(++bound_, value);
    }
    // Binds, runs to the end, resets. For statements without rows.
    template <typename... Values>
    void run(const Values&... values) {
        bind(values...);
        run_bound();
    }
    // Runs with the values that are bound already.
    void run_bound() {
        while (step()) {
        }
        reset();
    }
    // Whether there is a (next) row.
    bool step();
    void reset();

    // About the present row; columns count from 0.
    bool is_null(int column) const;
    // How the value is kept: SQLite itself would turn one kind into another.
    bool is_integer(int column) const;
    bool is_real(int column) const;
    bool is_text(int column) const;
    bool is_blob(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    // Valid until the next step.
    std::string_view bytes(int column) const;

 private:
    void bind_null(int position);
    void bind_integer(int position, std::int64_t value);
    void bind_one(int position, std::string_view value);
    void bind_one(int position, const std::string& value) {
        bind_one(position, std::string_view(value));
    }
    void bind_one(int position, const char* value) { bind_one(position, std::string_view(value)); }
    void bind_one(int position, double value);
    void bind_one(int position, Blob value);
    void bind_one(int position, std::nullptr_t) { bind_null(position); }
    void bind_one(int position, std::integral auto value) {
        bind_integer(position, static_cast<std::int64_t>(value));
    }
    template <typename Value>
    void bind_one(int position, const std::optional<Value>& value) {
        if (value) {
            bind_one(position, *value);
        } else {
            bind_null(position);
        }
    }

    struct Finisher {
        void operator()(sqlite3_stmt* statement) const;
    };
    Database* database_;
    std::unique_ptr<sqlite3_stmt, Finisher> statement_;
    int bound_ = 0;
};

// Records that one transaction takes at most: what waits is committed together, but a commit that
// takes seconds would keep everybody waiting for the first of it.
inline constexpr std::size_t store_batch_records_max = 4096;
// Frames (pages) of the store's log after which they are moved into the file: a log of 16 MB.
inline constexpr int store_log_frames_max = 4096;

// A transaction that is rolled back unless it was committed.
class Transaction {
 public:
    explicit Transaction(Database& database) : database_(database) {
        database_.execute("BEGIN IMMEDIATE");
    }
    ~Transaction() {
        if (!committed_) database_.roll_back();
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit() {
        database_.execute("COMMIT");
        committed_ = true;
    }

 private:
    Database& database_;
    bool committed_ = false;
};

}  // namespace referee::store
