#include "referee/watch/web/request.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

std::string header_of(const Answer& answer, std::string_view wanted) {
    for (const auto& [name, value] : answer.headers) {
        if (name == wanted) return value;
    }
    return {};
}

TEST(ReadTarget, DecodesPathAndQuery) {
    const auto target = read_target("/t/a%20b?from=3&x=a+b%26");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, "/t/a b");
    EXPECT_EQ(target->query.at("from"), "3");
    EXPECT_EQ(target->query.at("x"), "a b&");
}

TEST(ReadTarget, RefusesWhatIsNoPath) {
    for (const auto* wrong :
         {"", "t", "http://x/", "/%", "/%4", "/%zz", "/%ff", "/%00", "/?a=%4"}) {
        const auto target = read_target(wrong);
        ASSERT_FALSE(target) << wrong;
        EXPECT_NE(target.error().find("expected"), std::string::npos);
    }
}

TEST(PostedForm, ReadsFields) {
    Request request{.content_type = "application/x-www-form-urlencoded;charset=UTF-8",
                    .body = "name=%C3%A9ve&token=a%3Db&empty=&alone"};
    const auto form = posted_form(request);
    ASSERT_TRUE(form);
    EXPECT_EQ(form->at("name"), "\xC3\xA9ve");
    EXPECT_EQ(form->at("token"), "a=b");
    EXPECT_EQ(form->at("empty"), "");
    EXPECT_EQ(form->at("alone"), "");
    request.body = "a=%f";
    EXPECT_FALSE(posted_form(request));
    request.body = "a=b";
    EXPECT_TRUE(posted_form(request));
    request.content_type = "text/plain";
    EXPECT_FALSE(posted_form(request));
}

TEST(CookieNamed, FindsWholeNamesAlone) {
    EXPECT_EQ(cookie_named("a=1; referee_session=x; b=2", "referee_session"), "x");
    EXPECT_EQ(cookie_named("xreferee_session=x", "referee_session"), "");
    EXPECT_EQ(cookie_named("referee_session2=x", "referee_session"), "");
    EXPECT_EQ(cookie_named("", "a"), "");
}

TEST(InUrl, EncodesAllButPlainLettersAndSlashes) {
    EXPECT_EQ(in_url("friday/12.1~2"), "friday/12.1~2");
    EXPECT_EQ(in_url("a b?\xC3\xA9"), "a%20b%3F%C3%A9");
}

TEST(ErrorAnswer, SaysCodeAndMessage) {
    const auto answer = error_answer(404, "no_such_page", "expected \"/\"");
    EXPECT_EQ(answer.status, 404U);
    EXPECT_EQ(*answer.body, R"({"error":{"code":"no_such_page","message":"expected \"/\""}})");
}

TEST(UnreadAnswers, AreBoundedForEachNetwork) {
    RequestRate rate(10, 10);
    ASSERT_TRUE(rate.open("near") && rate.open("near") && rate.open("far"));
    EXPECT_TRUE(rate.send("near", unsent_bytes_max));
    EXPECT_FALSE(rate.send("near", 1));
    EXPECT_TRUE(rate.send("near", 0)) << "what others read too";
    EXPECT_TRUE(rate.send("far", 1));
    rate.sent("near", 1);
    EXPECT_TRUE(rate.send("near", 1));
}

TEST(CachedAnswers, ABrowserThatHasItGetsNoBodyAndOneThatUnpacksALittle) {
    const std::string text(5000, 'a');
    const auto plain = for_cache(json_answer(text), {});
    const auto tag = header_of(plain, "ETag");
    EXPECT_EQ(*plain.body, text);
    EXPECT_EQ(header_of(plain, "Cache-Control"), "private, no-cache");
    const auto packed = for_cache(json_answer(text), {"", true});
    EXPECT_EQ(header_of(packed, "Content-Encoding"), "gzip");
    EXPECT_EQ(header_of(packed, "ETag"), tag);
    EXPECT_LT(packed.body->size(), 100U);
    EXPECT_TRUE(packed.body->starts_with("\x1f\x8b")) << "as gzip begins";
    const auto known = for_cache(json_answer(text), {"\"other\", " + tag, true});
    EXPECT_EQ(known.status, 304U);
    EXPECT_EQ(known.body, nullptr);
    const auto changed = for_cache(json_answer(text + 'b'), {tag, false});
    EXPECT_EQ(changed.status, 200U);
    EXPECT_NE(header_of(changed, "ETag"), tag);
    EXPECT_EQ(header_of(for_cache(json_answer("{}"), {"", true}), "Content-Encoding"), "");
    EXPECT_EQ(header_of(for_cache(error_answer(404, "gone", "gone"), {}), "ETag"), "");
}

}  // namespace
}  // namespace referee::web
