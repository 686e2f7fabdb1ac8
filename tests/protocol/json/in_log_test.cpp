#include "protocol/json/in_log.h"

#include <gtest/gtest.h>

namespace protocol::json {
namespace {

TEST(InLog, OrdersToAJobAreOnlyText) {
    struct Case {
        std::string_view text, shown;
    };
    for (const auto& [text, shown] : {
             Case{"", ""},
             Case{"::error::it", "\\::error::it"},
             Case{"  ::error::it", "  \\::error::it"},
             Case{"a\n\t::stop-commands::x", "a\n\t\\::stop-commands::x"},
             Case{"a \"::b\"", "a \"\\::b\""},
             Case{"std::vector<a::b>::size", "std::vector<a::b>::size"},
             Case{":::", "\\:::"},
             Case{"x ##[error]y", "x ## [error]y"},
             Case{"###[error]", "### [error]"},
             Case{"##vso[a]##teamcity[b]", "## vso[a]## teamcity[b]"},
             Case{"## a heading [1]", "## a heading [1]"},
             Case{"##", "##"},
             Case{"#include <a>", "#include <a>"},
         }) {
        EXPECT_EQ(in_log(text), shown);
        EXPECT_EQ(in_log(shown).find("##["), std::string::npos) << "once is enough";
    }
}

}  // namespace
}  // namespace protocol::json
