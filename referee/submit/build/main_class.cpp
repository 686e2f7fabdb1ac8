#include "referee/submit/build/main_class.h"

#include <algorithm>
#include <cctype>

namespace referee::build {
namespace {

// The same text with blanks for comments and for what stands in quotes.
std::string code_of(std::string_view source) {
    std::string code;
    while (!source.empty()) {
        std::size_t length = 1;
        bool is_code = false;
        if (source.starts_with("//")) {
            length = std::min(source.find('\n'), source.size());
        } else if (source.starts_with("/*")) {
            const auto end = source.find("*/", 2);
            length = end == std::string_view::npos ? source.size() : end + 2;
        } else if (source.front() == '"' || source.front() == '\'') {
            const char quote = source.front();
            while (length < source.size() && source[length] != quote && source[length] != '\n')
                length += source[length] == '\\' ? 2 : 1;
            length = std::min(length + 1, source.size());
        } else {
            is_code = true;
        }
        if (is_code)
            code += source.front();
        else
            code += ' ';
        source.remove_prefix(length);
    }
    return code;
}

bool is_blank(char byte) {
    return std::isspace(static_cast<unsigned char>(byte)) != 0;
}

std::string with_single_blanks(const std::string& code) {
    std::string text;
    for (const char byte : code) {
        if (!is_blank(byte))
            text += byte;
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    return text;
}

std::string package_of(const std::string& code) {
    constexpr std::string_view word = "package ";
    const auto begin = code.find_first_not_of(' ');
    if (begin == std::string::npos || code.compare(begin, word.size(), word) != 0) return {};
    const auto name = begin + word.size();
    auto package = code.substr(name, code.find(';', name) - name);
    std::erase(package, ' ');
    return package;
}

}  // namespace

std::optional<std::string> main_class_in(std::string_view source, std::string_view file_name) {
    const auto code = with_single_blanks(code_of(source));
    const bool has_main = code.find("static void main(") != std::string::npos ||
                          code.find("static void main (") != std::string::npos;
    if (!has_main) return std::nullopt;
    const auto package = package_of(code);
    const auto name = std::string(file_name.substr(0, file_name.rfind('.')));
    return package.empty() ? name : package + "." + name;
}

}  // namespace referee::build
