// JUnit's XML, held against the elements and attributes that Jenkins' schema knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <regex>
#include <set>
#include <sstream>

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

using Tree = boost::property_tree::ptree;

// The first mistake in an element; empty where the schema accepts it. Its attributes are a child of
// that name.
std::string mistake_in(const std::string& name, const Tree& tree, const std::string& parent) {
    static const std::string of_attributes = "<xmlattr>";
    const auto known = elements().find(name);
    if (known == elements().end() || !known->second.parents.contains(parent))
        return name + " in " + parent;
    const auto& element = known->second;
    const auto attributes = tree.get_child(of_attributes, Tree());
    for (const auto& [attribute, value] : attributes) {
        if (!element.required.contains(attribute) && !element.optional.contains(attribute))
            return name + ": " + attribute;
        if (attributes.count(attribute) > 1) return name + ": twice: " + attribute;
    }
    for (const auto& attribute : element.required)
        if (attributes.count(attribute) == 0) return name + ": missing: " + attribute;
    const bool has_text = tree.data().find_first_not_of(" \n") != std::string::npos;
    if (has_text && !element.holds_text) return "text in " + name;
    for (const auto& [child, below] : tree) {
        const auto wrong = child == of_attributes ? "" : mistake_in(child, below, name);
        if (!wrong.empty()) return wrong;
    }
    return {};
}

std::string mistake_in(const std::string& xml) {
    if (!xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")) return "no declaration";
    // These a reader would take as they are.
    static const std::regex unescaped(R"re(&(?!(?:amp|lt|gt|quot|#39);)|="[^"<>]*[<>])re");
    if (std::regex_search(xml, unescaped)) return "not escaped";
    Tree tree;
    std::istringstream text(xml);
    try {
        boost::property_tree::read_xml(text, tree);
    } catch (const boost::property_tree::xml_parser_error& error) {
        return error.message();
    }
    if (tree.size() != 1) return "not one element";
    return mistake_in(tree.front().first, tree.front().second, "");
}

TEST(Junit, IsAsTheSchemaSays) {
    EXPECT_EQ(mistake_in(junit_of({grade_of_all(), grade_of_all()})), "");
    EXPECT_EQ(mistake_in(junit_of({})), "");
    for (const auto& text : hostile_texts()) EXPECT_EQ(mistake_in(junit_of({hostile(text)})), "");
}

}  // namespace
}  // namespace referee::feedback
