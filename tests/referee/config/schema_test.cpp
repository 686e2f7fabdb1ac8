// What configs/schema.json says of a member is what is read of it: its kind, its bounds, its words.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/places.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using Json = nlohmann::json;

// "tournaments[0].format.seats" of "/tournaments/0/format/seats".
std::string member_at(std::string pointer) {
    for (auto at = pointer.find("/0"); at != std::string::npos; at = pointer.find("/0"))
        pointer.replace(at, 2, "[0]");
    std::ranges::replace(pointer, '/', '.');
    return pointer.substr(1);
}

// What such objects need for their members to be read; of several one that has the member.
std::vector<Json> surroundings_of(const std::string& object) {
    if (object == "/bots/0/program") return {{{"kind", "snake"}}};
    if (object == "/machines")
        return {{{"kind", "slurm"}, {"folder", "/x"}},
                {{"kind", "command"}, {"folder", "/x"}, {"list", "x"}, {"cancel", "x"}}};
    if (object != "/tournaments/0/format") return {Json()};
    return {{{"kind", "round_robin"}}, {{"kind", "swiss"}},    {{"kind", "leaderboard"}},
            {{"kind", "gauntlet"}},    {{"kind", "knockout"}}, {{"kind", "stages"}},
            {{"kind", "ladder"}},      {{"kind", "adaptive"}}};
}

class ConfigSchemaTest : public ::testing::Test {
 protected:
    const Json& resolved(const Json& node) const {
        const auto found = node.find("$ref");
        if (found == node.end()) return node;
        return schema_.at(Json::json_pointer(found->get<std::string>().substr(1)));
    }

    // How often a mistake is told of the member that begins so, where it has that value.
    static std::size_t times_told(const std::string& at, const Json& value, const Json& beside,
                                  std::string_view begins) {
        auto config = Json::parse(R"({"bots": [{"name": "a", "launch": ["x"]}, {"name": "b"}],
                                      "tournaments": [{"id": "t", "game": "walls"}]})");
        const Json::json_pointer pointer(at);
        if (!beside.is_null()) config[pointer.parent_pointer()] = beside;
        if (at.starts_with("/tournaments/0/format/sprt/"))
            config["tournaments"][0]["format"]["kind"] = "gauntlet";
        config[pointer] = value;
        const auto errors = errors_of(config.dump());
        return static_cast<std::size_t>(std::ranges::count_if(errors, [&](const auto& error) {
            return error.member == member_at(at) && error.message.starts_with(begins);
        }));
    }

    void check_member(const std::string& at, const Json& member) {
        ++members_;
        std::vector<Json> wrong;
        std::vector<Json> right;
        const auto type = member.value("type", std::string());
        if (member.contains("enum")) {
            wrong = {"?", 5};
            right = member["enum"].get<std::vector<Json>>();
        } else if (type == "integer") {
            wrong = {"?", 1.5};
            for (const auto& [bound, step] : {std::pair("minimum", -1), std::pair("maximum", 1)}) {
                if (!member.contains(bound)) continue;
                right.push_back(member[bound]);
                wrong.emplace_back(member[bound].get<std::int64_t>() + step);
            }
        } else if (type == "number") {
            wrong = {"?"};
            if (member.contains("minimum")) wrong.emplace_back(member["minimum"].get<double>() - 1);
        } else if (type == "boolean") {
            wrong = {"yes", 1};
        } else if (member == schema_["$defs"]["time"]) {
            wrong = {"soon", "5", -1, 1.5, true};
        } else if (!type.empty()) {  // a text, a list or an object
            wrong = {5};
        }
        const auto surroundings =
            surroundings_of(Json::json_pointer(at).parent_pointer().to_string());
        for (const auto& value : wrong)
            EXPECT_TRUE(std::ranges::any_of(
                surroundings,
                [&](const Json& beside) {
                    const auto times = times_told(at, value, beside, "expected ");
                    return times == 1 || (times == 2 && value == 0);  // 0 is even, too
                }))
                << at << " may be " << value;
        for (const auto& value : right)
            EXPECT_TRUE(std::ranges::any_of(
                surroundings,
                [&](const Json& beside) {
                    return times_told(at, value, beside, "expected an integer") +
                               times_told(at, value, beside, "expected one of") ==
                           0;
                }))
                << at << " may not be " << value;
    }

    void check_members(const Json& node, const std::string& at) {
        const auto properties = resolved(node).value("properties", Json::object());
        for (const auto& [name, given] : properties.items()) {
            const auto& member = resolved(given);
            const auto place = at + '/' + name;
            if (name == "$schema" || name == "advance" || name == "ranked_by")
                continue;  // of stages
            check_member(place, member);
            check_members(member, place);
            if (member.contains("items") && name != "stages")
                check_members(member["items"], place + "/0");
        }
    }

    const Json schema_ = Json::parse(std::ifstream(tests::source_root() + "/configs/schema.json"));
    std::size_t members_ = 0;
};

TEST_F(ConfigSchemaTest, SaysWhatIsRead) {
    check_members(schema_, "");
    EXPECT_GT(members_, 150U);
}

}  // namespace
}  // namespace referee::config
