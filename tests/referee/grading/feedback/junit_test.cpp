// JUnit's XML, held against the elements and attributes that Jenkins' schema knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <regex>
#include <set>

#include "referee/grading/feedback/grade_reports.h"
#include "tests/referee/grading/feedback/sample_grades.h"

namespace referee::feedback {
namespace {

// What the schema that Jenkins publishes allows (junit-10.xsd of its xUnit plugin).
struct Element {
    std::set<std::string> parents;
    std::set<std::string> required;
    std::set<std::string> optional;
    bool holds_text = false;
};

const std::map<std::string, Element>& elements() {
    static const std::map<std::string, Element> known{
        {"testsuites", {{""}, {}, {"name", "time", "tests", "failures", "errors"}}},
        {"testsuite",
         {{"testsuites"},
          {"name", "tests", "failures", "errors"},
          {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log",
           "url"}}},
        {"testcase", {{"testsuite"}, {"name"}, {"time", "classname", "group"}}},
        {"failure", {{"testcase"}, {}, {"type", "message"}, true}},
        {"error", {{"testcase"}, {}, {"type", "message"}, true}},
        {"skipped", {{"testcase"}, {}, {"type", "message"}, true}},
        {"system-out", {{"testcase", "testsuite"}, {}, {}, true}},
        {"system-err", {{"testcase", "testsuite"}, {}, {}, true}},
    };
    return known;
}

// What is wrong with text between marks, or in an attribute; nothing where it is good.
std::optional<std::string> wrong_text(const std::string& text) {
    static const std::regex good("(?:[^<>&]|&(?:amp|lt|gt|quot|#39);)*");
    if (std::regex_match(text, good)) return std::nullopt;
    return "not escaped: " + text;
}

std::optional<std::string> wrong_attributes(const Element& element, const std::string& text) {
    static const std::regex attribute(R"re( ([a-z]+)="([^"<>]*)")re");
    std::set<std::string> seen;
    for (std::sregex_iterator at(text.begin(), text.end(), attribute), end; at != end; ++at) {
        const auto name = (*at)[1].str();
        if (!element.required.contains(name) && !element.optional.contains(name)) return name;
        if (!seen.insert(name).second) return "twice: " + name;
        if (auto wrong = wrong_text((*at)[2])) return wrong;
    }
    for (const auto& name : element.required) {
        if (!seen.contains(name)) return "missing: " + name;
    }
    if (!std::regex_replace(text, attribute, "").empty()) return "no attributes: " + text;
    return std::nullopt;
}

// The first mistake; nothing where the schema accepts it.
std::optional<std::string> mistake_in(std::string xml) {
    const std::string first = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (!xml.starts_with(first)) return "no declaration";
    xml.erase(0, first.size());
    static const std::regex mark("<(/?)([a-z-]+)((?: [a-z]+=\"[^\"<>]*\")*)(/?)>");
    std::vector<std::string> open{""};
    auto from = xml.cbegin();
    for (std::sregex_iterator at(xml.begin(), xml.end(), mark), end; at != end; ++at) {
        const std::string between(from, (*at)[0].first);
        from = (*at)[0].second;
        if (auto wrong = wrong_text(between)) return wrong;
        const bool blank = between.find_first_not_of(" \n") == std::string::npos;
        if (!blank && (open.back().empty() || !elements().at(open.back()).holds_text))
            return "text in " + open.back();
        const auto name = (*at)[2].str();
        if ((*at)[1].length() > 0) {
            if (open.back() != name) return "closes " + name;
            open.pop_back();
            continue;
        }
        const auto known = elements().find(name);
        if (known == elements().end() || !known->second.parents.contains(open.back()))
            return name + " in " + open.back();
        if (auto wrong = wrong_attributes(known->second, (*at)[3])) return name + ": " + *wrong;
        if ((*at)[4].length() == 0) open.push_back(name);
    }
    if (open.size() != 1) return "stays open: " + open.back();
    return wrong_text({from, xml.cend()});
}

TEST(Junit, IsAsTheSchemaSays) {
    EXPECT_EQ(mistake_in(junit_of({grade_of_all(), grade_of_all()})), std::nullopt);
    EXPECT_EQ(mistake_in(junit_of({})), std::nullopt);
    for (const auto& text : hostile_texts())
        EXPECT_EQ(mistake_in(junit_of({hostile(text)})), std::nullopt);
}

// Else the test above could not fail.
TEST(Junit, TheCheckFindsMistakes) {
    const auto good = junit_of({grade_of_all()});
    for (const auto& [from, to] :
         std::map<std::string, std::string>{{"<testcase name", "<testcase title"},
                                            {"</testcase>", ""},
                                            {"</failure>", "&</failure>"},
                                            {"</failure>", "<b></failure>"},
                                            {"<skipped ", "<skipt "},
                                            {"</testsuite>", "text</testsuite>"},
                                            {" tests=", " tests=\"1\" tests="}}) {
        auto bad = good;
        const auto at = bad.rfind(from);
        ASSERT_NE(at, std::string::npos) << from;
        bad.replace(at, from.size(), to);
        EXPECT_NE(mistake_in(bad), std::nullopt) << from << " -> " << to;
    }
}

}  // namespace
}  // namespace referee::feedback
