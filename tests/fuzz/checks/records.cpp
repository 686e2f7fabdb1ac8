// Lines of records: what is read is written as a line that is read as the same record, or it is
// refused in words.

#include "protocol/base/utf8.h"
#include "referee/store/records/record_line.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

using referee::records::read_record;

std::string line_of(const referee::records::Record& record) {
    std::string line;
    referee::records::write_record(line, record);
    return line;
}

Complaint check_line(std::string_view line) {
    const auto record = read_record(line);
    if (!record) {
        const auto& message = record.error().message;
        return message.empty() || !base::is_utf8(message) ? "refused, and can't be told"
                                                          : Complaint();
    }
    const auto written = line_of(*record);
    if (written.find('\n') != written.size() - 1) return "not one line: " + written;
    const auto again = read_record(std::string_view(written));
    if (!again) return "can't be read again: " + again.error().message + ": " + written;
    if (again->index() != record->index()) return "read again as another kind: " + written;
    if (identity(*again) != identity(*record)) return "read again with another key: " + written;
    const auto twice = line_of(*again);
    return twice == written ? Complaint() : "written again as " + twice + ", not " + written;
}

}  // namespace

Complaint check_records(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto end = std::min(bytes.find('\n'), bytes.size());
        if (auto wrong = check_line(bytes.substr(0, end)); !wrong.empty()) return wrong;
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return {};
}

}  // namespace fuzz
