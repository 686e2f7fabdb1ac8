#pragma once

#include <functional>
#include <string>

namespace hostile {

// Runs those of this program's tests that the filter names once more, in a child that `prepare` has
// changed, and prints what it prints. Returns why that isn't worth a success of the test that calls
// this: the child failed, or nothing passed in it. Empty where all is well; what the child skipped
// is skipped there alone.
std::string trouble_of_another_run(const std::string& filter, const std::function<bool()>& prepare);

// Two ways to prepare it. False where that failed.
constexpr const char* runs_as_ordinary_user_already = "the suite runs as an ordinary user already";
bool become_ordinary_user();
// As containers and some distributions do it.
bool deny_namespaces();

}  // namespace hostile
