// Makes an archive of records that a test wrote: reads their lines from the standard input, each
// with its "seq" and "time_ms", and writes the archive to the standard output.

#include <iostream>
#include <string>

#include "referee/store/archive.h"
#include "referee/store/records/record_line.h"

int main() {
    namespace records = referee::records;
    namespace store = referee::store;
    store::ArchiveWriter archive(std::cout, std::string(store::origin_of_new));
    protocol::json::Document document;
    for (std::string line; std::getline(std::cin, line);) {
        if (const auto parsed = document.parse(line); !parsed) {
            std::cerr << parsed.error().message << ": " << line << '\n';
            return 1;
        }
        const auto root = document.root();
        const auto seq = root.find("seq").unsigned_integer();
        const auto time_ms = root.find("time_ms").integer();
        auto record = records::read_record(root);
        if (!record || !seq || !time_ms) {
            std::cerr << (record ? "expected seq and time_ms" : record.error().message) << ": "
                      << line << '\n';
            return 1;
        }
        archive.write({*seq, *time_ms, *std::move(record)});
    }
    archive.end();
    return 0;
}
