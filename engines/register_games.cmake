cmake_minimum_required(VERSION 3.25)
# Writes OUT, a source file with the list of GAMES (separated by commas), each with its board.js where it has one in ENGINES.
string(REPLACE "," ";" games "${GAMES}")
foreach(game IN LISTS games)
    set(board "")
    if(EXISTS ${ENGINES}/${game}/board.js)
        file(READ ${ENGINES}/${game}/board.js board)
    endif()
    string(APPEND includes "#include \"engines/${game}/${game}.h\"\n")
    string(APPEND lines "    {\"${game}\", ${game}::make_game, R\"board(${board})board\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"engines/registry.h\"\n${includes}
namespace engines {
namespace {

constexpr RegisteredGame listed[] = {
${lines}};

}  // namespace

std::span<const RegisteredGame> registered_games() { return listed; }

}  // namespace engines
")
