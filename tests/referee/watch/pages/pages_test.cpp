#include "referee/watch/pages/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"

namespace referee::pages {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(PagesTest, AModuleIsAnObjectOfItsFunctions) {
    EXPECT_EQ(module_as_object("import {a} from \"./a.js\";\n"
                               "export const size = 3;\n"
                               "export function draw(pen) {\n    pen.rect(size);\n}\n"
                               "function inner() {}\n"
                               "export function describe() {}"),
              "(function () {\n"
              "const size = 3;\n"
              "function draw(pen) {\n    pen.rect(size);\n}\n"
              "function inner() {}\n"
              "function describe() {}\n"
              "return {draw: draw, describe: describe};\n})()");
}

TEST(PagesTest, AScriptHasNoMarksOfModules) {
    for (const auto* page : {"viewer", "standings", "folder"}) {
        const auto text = script(page);
        EXPECT_THAT(text, StartsWith("(function () {"));
        EXPECT_THAT(text, Not(HasSubstr("\nexport ")));
        EXPECT_THAT(text, Not(HasSubstr("\nimport ")));
        EXPECT_GT(text.size(), 100U);
    }
    EXPECT_THAT(script("viewer"), HasSubstr("const boards = {"));
    EXPECT_EQ(script("none"), "");
}

TEST(PagesTest, DataInAPageCannotEndItsElement) {
    const auto page = viewer_html("<a> & \"b\"", {R"({"a":"</script><!--"})"});
    EXPECT_THAT(page, HasSubstr(R"(class="showing">{"a":"\u003c/script>\u003c!--"}</script>)"));
    EXPECT_THAT(page, HasSubstr("<title>&lt;a&gt; &amp; &quot;b&quot;</title>"));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(PagesTest, ALinkedPageHasNoScriptOfItsOwn) {
    const auto page =
        linked_html("Friday", {"/page/style.css", {"/page/a.js", "/page/b.js"}, "api"});
    EXPECT_THAT(page, HasSubstr("<link rel=\"stylesheet\" href=\"/page/style.css\">"));
    EXPECT_THAT(page,
                HasSubstr("<script src=\"/page/a.js\"></script>\n<script src=\"/page/b.js\">"));
    EXPECT_THAT(page, HasSubstr("data-source=\"api\""));
    EXPECT_THAT(page, Not(HasSubstr("<script>")));
    EXPECT_THAT(page, Not(HasSubstr("<style")));
}

TEST(PagesTest, DataForAScriptFileIsACall) {
    EXPECT_EQ(call_with("showing", R"({"a":1})"), "showing({\"a\":1});\n");
}

TEST(BoardsTest, AGameThatNobodyKnowsHasNoBoard) {
    EXPECT_FALSE(engines::board_of("chess"));
    EXPECT_FALSE(engines::board_of(""));
}

}  // namespace
}  // namespace referee::pages
