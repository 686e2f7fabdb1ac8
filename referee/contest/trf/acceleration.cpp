#include "referee/contest/trf/reading.h"

namespace referee::trf {

namespace {

// Joins a record to one that says the same of the player just before.
void append(std::vector<AccelerationRecord>& records, const AccelerationRecord& record) {
    for (AccelerationRecord& earlier : records) {
        AccelerationRecord same = record;
        same.first_number = earlier.first_number;
        same.last_number = earlier.last_number;
        if (earlier.last_number + 1 != record.first_number || same != earlier) continue;
        earlier.last_number = record.last_number;
        return;
    }
    records.push_back(record);
}

}  // namespace

void add_virtual_points(Document& document, int number, const std::vector<int>& by_round) {
    std::vector<AccelerationRecord> runs;
    int round = 0;
    for (const int points : by_round) {
        ++round;
        if (points == 0) continue;
        if (!runs.empty() && runs.back().points_tenths == points &&
            runs.back().last_round + 1 == round)
            runs.back().last_round = round;
        else
            runs.push_back({points, round, round, number, number});
    }
    for (const AccelerationRecord& run : runs) append(document.accelerations, run);
}

}  // namespace referee::trf
