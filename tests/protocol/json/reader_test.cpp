// What is told of each thing that can be wrong with a value, and where it stands.

#include "protocol/json/reader.h"

#include <gtest/gtest.h>

#include <functional>

namespace protocol::json {
namespace {

using Read = std::function<void(Reader&)>;

std::vector<Mistake> mistakes_of(std::string_view text, const Read& read, ReadingRules rules,
                                 std::string_view root = {}) {
    Document document;
    EXPECT_TRUE(document.parse(text, {.lines = true})) << text;
    Mistakes mistakes(rules);
    Reader reader(document.root(), mistakes, root);
    read(reader);
    return mistakes.all();
}

constexpr std::string_view integer_words = "an integer from 3 to 99, such as 5";

struct WrongMember {
    std::string_view text;
    Read read;
    MistakeKind kind;
    std::string_view told;
    std::string_view expected;
};

const Read bounded_integer = [](Reader& r) { r.integer("a", {3, 99, "5"}); };

// Each reading of a member that is not right.
const WrongMember wrong_members[] = {
    {"{}", bounded_integer, MistakeKind::missing,
     "a: expected an integer from 3 to 99, such as 5, found nothing", integer_words},
    {R"({"a":"5"})", bounded_integer, MistakeKind::wrong_kind,
     "a: expected an integer from 3 to 99, such as 5, found \"5\"", integer_words},
    {R"({"a":null})", bounded_integer, MistakeKind::wrong_kind,
     "a: expected an integer from 3 to 99, such as 5, found null", integer_words},
    {R"({"a":5.0})", bounded_integer, MistakeKind::wrong_kind,
     "a: expected an integer from 3 to 99, such as 5, found 5.0, a number with a fraction or an "
     "exponent",
     integer_words},
    {R"({"a":2})", bounded_integer, MistakeKind::wrong_value,
     "a: expected an integer from 3 to 99, such as 5, found 2", integer_words},
    {R"({"a":100})",
     [](Reader& r) {
         r.optional_integer("a", {3, 99, "5"});
     },
     MistakeKind::wrong_value, "a: expected an integer from 3 to 99, such as 5, found 100",
     integer_words},
    {R"({"a":18446744073709551615})", [](Reader& r) { r.integer("a", {3}); },
     MistakeKind::wrong_value, "a: expected an integer of at least 3, found 18446744073709551615",
     "an integer of at least 3"},
    {R"({"a":true})", [](Reader& r) { r.member("a").integer(); }, MistakeKind::wrong_kind,
     "a: expected an integer, found true", "an integer"},
    {R"({"a":-1})", [](Reader& r) { r.unsigned_integer("a"); }, MistakeKind::wrong_value,
     "a: expected an integer of at least 0, found -1", "an integer of at least 0"},
    {R"({"a":256})",
     [](Reader& r) {
         r.member("a").integer_of<std::uint8_t>({1, 255});
     },
     MistakeKind::wrong_value, "a: expected an integer from 1 to 255, found 256",
     "an integer from 1 to 255"},
    {R"({"a":1.5})", [](Reader& r) { r.member("a").number(-1, 0.5); }, MistakeKind::wrong_value,
     "a: expected a number from -1 to 0.5, found 1.5", "a number from -1 to 0.5"},
    {R"({"a":1})", [](Reader& r) { r.boolean("a"); }, MistakeKind::wrong_kind,
     "a: expected true or false, found 1", "true or false"},
    {R"({"a":[]})", [](Reader& r) { r.text("a"); }, MistakeKind::wrong_kind,
     "a: expected a text \"...\", found an array", "a text \"...\""},
    {R"({"a":{}})", [](Reader& r) { r.array("a"); }, MistakeKind::wrong_kind,
     "a: expected a list [...], found an object", "a list [...]"},
    {R"({"a":"x"})", [](Reader& r) { r.optional_array("a"); }, MistakeKind::wrong_kind,
     "a: expected a list [...], found \"x\"", "a list [...]"},
    {R"({"a":5})", [](Reader& r) { r.object("a", R"({"b": 1})"); }, MistakeKind::wrong_kind,
     "a: expected an object such as {\"b\": 1}, found 5", R"(an object such as {"b": 1})"},
    {R"({"a":"z"})",
     [](Reader& r) {
         r.optional_word("a", {"x", "y"});
     },
     MistakeKind::wrong_value, R"(a: expected one of "x", "y", found "z")", R"(one of "x", "y")"},
    {R"({"a":1})",
     [](Reader& r) {
         r.optional_word("a", {"x", "y"});
     },
     MistakeKind::wrong_kind, R"(a: expected one of "x", "y", found 1)", R"(one of "x", "y")"},
    {R"({"a":["x",1]})", [](Reader& r) { r.texts("a"); }, MistakeKind::wrong_kind,
     "a[1]: expected a text \"...\", found 1", "a text \"...\""},
    {"{}", [](Reader& r) { r.value("a"); }, MistakeKind::missing,
     "a: expected a value, found nothing", "a value"},
    {R"({"a":1})", [](Reader& r) { r.member("a").expected("something else"); },
     MistakeKind::wrong_value, "a: expected something else, found 1", "something else"},
    {R"({"a":1})", [](Reader& r) { r.wrong("a", "is odd"); }, MistakeKind::wrong_value, "a: is odd",
     ""},
    {R"({"a":1,"b":2})",
     [](Reader& r) {
         r.only({"a", "c", "a"});
     },
     MistakeKind::unknown, R"(b: no such member here; expected "a", "c")", ""},
};

TEST(Reader, tells_what_was_expected_and_what_was_found) {
    for (const auto& one : wrong_members) {
        const auto found = mistakes_of(one.text, one.read, {.keeps_all = true});
        ASSERT_EQ(found.size(), 1U) << one.told;
        EXPECT_EQ(found[0].text(), one.told);
        EXPECT_EQ(found[0].kind, one.kind) << one.told;
        EXPECT_EQ(found[0].expected, one.expected) << one.told;
    }
}

TEST(Reader, gives_what_is_right) {
    constexpr std::string_view text =
        R"({"i":5,"u":18446744073709551615,"n":0.5,"b":true,"t":"x","l":["x","y"],"o":{"p":7},"w":"y"})";
    const auto found =
        mistakes_of(text,
                    [](Reader& r) {
                        EXPECT_EQ(r.integer("i", {5, 5}), 5);
                        EXPECT_EQ(r.unsigned_integer("u"), 18446744073709551615U);
                        EXPECT_EQ(r.member("n").number(0, 1), 0.5);
                        EXPECT_EQ(r.member("i").number(0, 5), 5.0);
                        EXPECT_TRUE(r.boolean("b"));
                        EXPECT_EQ(r.text("t"), "x");
                        EXPECT_EQ(r.texts("l"), (std::vector<std::string_view>{"x", "y"}));
                        EXPECT_EQ(r.optional_word("w", {"x", "y"}), 1U);
                        Reader inner(r.object("o"));
                        EXPECT_EQ(inner.optional_integer("p"), 7);
                        EXPECT_FALSE(inner.optional_integer("q"));
                        std::int32_t kept = 3;
                        inner.integer("q", kept, 0, 9);
                        EXPECT_EQ(kept, 3);
                        inner.integer("p", kept, 0, 9);
                        EXPECT_EQ(kept, 7);
                    },
                    {.keeps_all = true});
    EXPECT_TRUE(found.empty());
}

TEST(Reader, tells_the_place_and_the_line) {
    const auto found = mistakes_of(
        "{\n\"list\": [\n{},\n{\"a\": {\n\"b\": [0,\n1]}}]\n}",
        [](Reader& r) {
            const auto list = r.array("list");
            for (const auto element : list.elements()) {
                Reader inner(element);
                Reader a(inner.object("a"));
                const auto b = a.array("b");
                b.element(1).text();
            }
        },
        {.keeps_all = true}, "params");
    ASSERT_EQ(found.size(), 4U);  // the first element has neither
    EXPECT_EQ(found[0].path, "params.list[0].a");
    EXPECT_EQ(found[0].line, 3U);  // that of the object that lacks it
    EXPECT_EQ(found[1].path, "params.list[0].a.b");
    EXPECT_EQ(found[3].path, "params.list[1].a.b[1]");
    EXPECT_EQ(found[3].line, 6U);
}

TEST(Reader, keeps_the_first_mistake_or_all) {
    const Read read = [](Reader& r) {
        r.integer("a");
        r.text("b");
    };
    EXPECT_EQ(mistakes_of("{}", read, {}).size(), 1U);
    EXPECT_EQ(mistakes_of("{}", read, {}).front().path, "a");
    EXPECT_EQ(mistakes_of("{}", read, {.keeps_all = true}).size(), 2U);
}

TEST(Reader, takes_null_for_a_member_that_is_left_out_where_the_rules_say_so) {
    const Read read = [](Reader& r) {
        EXPECT_FALSE(r.optional_text("a"));
        EXPECT_FALSE(r.optional_object("a"));
    };
    EXPECT_EQ(mistakes_of(R"({"a":null})", read, {.keeps_all = true}).size(), 2U);
    EXPECT_TRUE(mistakes_of(R"({"a":null})", read, {.null_is_absent = true}).empty());
    const Read needed = [](Reader& r) { r.text("a"); };
    EXPECT_EQ(mistakes_of(R"({"a":null})", needed, {.null_is_absent = true}).size(), 1U);
}

TEST(Reader, names_the_members_that_nobody_asked_for) {
    const auto found = mistakes_of(R"({"a":1,"b":2,"c":3})",
                                   [](Reader& r) {
                                       r.integer("b");
                                       r.optional_text("d");
                                       r.no_others();
                                   },
                                   {.keeps_all = true, .remembers_names = true});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].text(), R"(a: no such member here; expected "b", "d")");
    EXPECT_EQ(found[1].path, "c");
}

TEST(Reader, does_not_repeat_what_is_long_or_not_plain) {
    const std::string long_name(1000, 'n');
    const std::string long_text(1000, 'x');
    const auto found = mistakes_of(
        "{\"" + long_name + R"(":1,"x\ny":2,"a":")" + long_text + "\"}",
        [](Reader& r) {
            r.integer("a");
            r.only({"a"});
        },
        {.keeps_all = true}, "params");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].message, "expected an integer of at least 0, found a string");
    EXPECT_EQ(found[1].path, "params.(a name)");
    EXPECT_EQ(found[2].path, "params.(a name)");
}

TEST(Reader, finds_no_members_where_there_is_no_object) {
    for (const std::string_view text : {"5", "[1]", "null", "\"a\""}) {
        const auto found = mistakes_of(text,
                                       [](Reader& r) {
                                           EXPECT_EQ(r.text("a"), "");
                                           EXPECT_FALSE(r.has("a"));
                                       },
                                       {});
        EXPECT_EQ(found.size(), 1U) << text;
    }
}

}  // namespace
}  // namespace protocol::json
