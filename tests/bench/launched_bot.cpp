// An instant bot of Walls that is launched: lines come on standard input, answers go to standard
// output, one read and one write a turn.

#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "tests/bench/instant_answers.h"

int main(int argc, char** argv) {
    bench::InstantAnswers bot(argc > 1 ? argv[1] : "bot", bench::Game::walls);
    std::array<char, 16 * 1024> chunk{};
    std::string lines;
    std::string answers;
    while (true) {
        const auto bytes = ::read(STDIN_FILENO, chunk.data(), chunk.size());
        if (bytes <= 0) return 0;
        lines.append(chunk.data(), static_cast<std::size_t>(bytes));
        answers.clear();
        std::size_t begin = 0;
        for (auto end = lines.find('\n'); end != std::string::npos; end = lines.find('\n', begin)) {
            bot.answer(std::string_view(lines).substr(begin, end - begin), answers);
            begin = end + 1;
        }
        lines.erase(0, begin);
        if (!answers.empty() && ::write(STDOUT_FILENO, answers.data(), answers.size()) < 0)
            return 1;
    }
}
