#include <cstdio>
#include <fstream>
#include <sstream>

#include "sample_bots/cpp/superball/tools/arguments.h"
#include "sample_bots/cpp/superball/tools/set_check.h"

namespace {

constexpr std::string_view tool = "sb-check-sets";
constexpr std::string_view files_usage = " BOARD EXPECTED PRINTED";
constexpr std::size_t files = 3;

}  // namespace

// Whether what a sb-analyze printed names each set of a board that can be scored: exit status 0, or
// 1 and a line that says what is wrong. Trouble with the command line or a file is neither.
int main(int argc, char** argv) {
    using namespace bots::superball::tools;
    const std::span<const char* const> arguments(argv + 1, static_cast<std::size_t>(argc - 1));
    if (arguments.size() != rules_arguments + files)
        return refuse_usage(tool, std::string(rules_usage) + std::string(files_usage));
    const auto rules = read_rules(arguments);
    if (!rules) return refuse(tool, rules.error());
    std::ifstream input(arguments[rules_arguments]);
    const auto board = read_board(*rules, input);
    if (!board) return refuse(tool, board.error());
    // What was expected is one answer of many: the board tells all of them.
    std::ifstream file(arguments[rules_arguments + 2]);
    std::ostringstream printed;
    if (file) printed << file.rdbuf();
    if (!file.is_open())
        return refuse(tool, {std::string(arguments[rules_arguments + 2]) + " can't be read"});
    const auto mistake = mistake_in_sets(*rules, *board, printed.str());
    if (mistake.empty()) return exit_done;
    std::printf("%s\n", mistake.c_str());
    return exit_no;
}
