#include "protocol/codes.h"
#include "tests/places.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace protocol {
namespace {

std::string protocol_page() {
    std::ifstream file(tests::source_root() + "/protocol/PROTOCOL.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Codes>
void expect_documented_once(const Codes& codes, const std::string& page) {
    std::set<std::string> names;
    for (const auto code : codes) {
        const std::string name(name_of(code));
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos)
            << name << " has no row in a table of PROTOCOL.md";
    }
}

TEST(Codes, are_distinct_and_documented) {
    const auto page = protocol_page();
    ASSERT_FALSE(page.empty());
    expect_documented_once(all_error_codes(), page);
    expect_documented_once(all_fault_codes(), page);
    expect_documented_once(all_note_codes(), page);
    expect_documented_once(all_bye_reasons(), page);
}

TEST(Codes, are_read_as_they_are_written) {
    for (const auto code : all_fault_codes()) EXPECT_EQ(fault_code(name_of(code)), code);
    for (const auto form : {StateForm::full, StateForm::delta}) {
        EXPECT_EQ(state_form(name_of(form)), form);
    }
    for (const auto kind : {ClockKind::turn, ClockKind::game, ClockKind::none}) {
        EXPECT_EQ(clock_kind(name_of(kind)), kind);
    }
    for (const auto one : {Measure::wall, Measure::cpu}) EXPECT_EQ(measure(name_of(one)), one);
    for (const auto one : {Consequence::none, Consequence::missing_move, Consequence::lost_turn,
                           Consequence::strike, Consequence::forfeit}) {
        EXPECT_EQ(consequence(name_of(one)), one);
    }
    EXPECT_FALSE(fault_code("Late"));
    EXPECT_FALSE(state_form(""));
}

}  // namespace
}  // namespace protocol
