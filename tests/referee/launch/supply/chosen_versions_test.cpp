#include "referee/launch/process/search_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using process::folders_behind;
using testing::ElementsAre;
using testing::IsEmpty;

process::Variable variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
}

TEST(ChosenVersions, PyenvChoosesByItsVariableElseByItsFile) {
    const ClassFolder folder;
    for (const auto* version : {"3.9.18", "3.11.7", "3.11.12", "pypy3.10"})
        folder.make("pyenv/versions/" + std::string(version) + "/bin/python3");
    const auto shims = folder.path("pyenv/shims");
    const auto bin = [&](const std::string& version) {
        return folder.path("pyenv/versions/" + version + "/bin");
    };
    EXPECT_THAT(folders_behind(shims, variables({})), IsEmpty()) << "none is chosen";
    folder.make("pyenv/version", "3.9.18\npypy3.10\nsystem\n");
    EXPECT_THAT(folders_behind(shims, variables({})), ElementsAre(bin("3.9.18"), bin("pypy3.10")));
    EXPECT_THAT(folders_behind(shims, variables({{"PYENV_VERSION", "3.11:3.9.18"}})),
                ElementsAre(bin("3.11.12"), bin("3.9.18")));
    EXPECT_THAT(folders_behind(folder.path("pyenv/bin"), variables({})), IsEmpty());
}

TEST(ChosenVersions, AsdfChoosesByItsVariableElseByTheUsersFile) {
    const ClassFolder folder;
    for (const auto* program :
         {"nodejs/20.1.0/bin/node", "python/3.11.7/bin/python3", "python/3.12.1/bin/python3"})
        folder.make("asdf/installs/" + std::string(program));
    folder.make("home/.tool-versions", "python 3.11.7 system\nruby 3.2\n");
    const auto shims = folder.path("asdf/shims");
    const auto installs = folder.path("asdf/installs");
    const auto home = folder.path("home");
    EXPECT_THAT(folders_behind(shims, variables({{"HOME", home}})),
                ElementsAre(installs + "/python/3.11.7/bin"));
    EXPECT_THAT(folders_behind(shims, variables({{"HOME", home},
                                                 {"ASDF_PYTHON_VERSION", "3.12.1"},
                                                 {"ASDF_NODEJS_VERSION", "20.1.0"}})),
                ElementsAre(installs + "/nodejs/20.1.0/bin", installs + "/python/3.12.1/bin"));
}

}  // namespace
}  // namespace referee::supply
