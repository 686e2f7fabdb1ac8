#include "referee/watching/drawing/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::drawing {
namespace {

using testing::HasSubstr;

TEST(InterpreterTest, GivesTheLastExpressionAsText) {
    Interpreter interpreter;
    interpreter.set("name", "\xc3\xa9\"<");
    const auto text = interpreter.run("const a = 2; name + (a + 1)");
    ASSERT_TRUE(text) << text.error();
    EXPECT_EQ(*text, "\xc3\xa9\"<3");
}

TEST(InterpreterTest, AFunctionOfOursGivesATextOrNull) {
    Interpreter interpreter;
    interpreter.set("texts", [](double k) { return k < 2 ? std::string(1, 'x') : std::string(); });
    EXPECT_EQ(interpreter.run("texts(1) + texts(2)").value_or("?"), "xnull");
}

TEST(InterpreterTest, WhatAScriptThrowsIsAnError) {
    Interpreter interpreter;
    const auto failed = interpreter.run("null.size");
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error(), HasSubstr("TypeError"));
    EXPECT_FALSE(interpreter.run("let a = 1;")) << "newer JavaScript than boards may use";
    EXPECT_EQ(interpreter.run("1 + 1").value_or("?"), "2") << "it goes on after an error";
}

TEST(InterpreterTest, KnowsNothingOfTheMachine) {
    Interpreter interpreter;
    EXPECT_EQ(interpreter.run("[typeof require, typeof print, typeof window].join()").value_or("?"),
              "undefined,undefined,undefined");
}

}  // namespace
}  // namespace referee::drawing
