#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Which names people take for one another: of letters that look the same in several alphabets, of
// capitals and small letters, of wide, composed and invisible characters. Unicode's data of
// confusable characters decide (its Technical Standard 39, as ICU has them).

namespace referee::names {

// What a name looks like. Two names look alike where either text is the same for both.
struct Look {
    std::string as_written;  // the look of its letters, then folded: "Hanna" is written as "hanna"
    std::string as_folded;   // folded, then the look of its letters
};
// Requires valid UTF-8.
Look look_of(std::string_view name);

bool look_alike(std::string_view one, std::string_view other);

// Why `name` is taken for `other`, as an end of a sentence: "it has U+0430 CYRILLIC SMALL LETTER
// A", "they differ only in capitals". Requires: look_alike().
std::string difference(std::string_view name, std::string_view other);

// Names by their looks. A look-up takes the same time however many there are.
class KnownLooks {
 public:
    void add(const std::string& name);
    // Another name that looks like this one; empty where there is none.
    std::string like(std::string_view name) const;
    void clear();

 private:
    using Names = std::map<std::string, std::vector<std::string>, std::less<>>;
    Names as_written_;
    Names as_folded_;
};

// A person's name as somebody writes it who has no accents, and small: "Müller, Zoë" is
// "muller, zoe", "Łukasz Øre" is "lukasz ore". Letters of other alphabets stay. Any bytes are
// taken.
std::string plain_letters(std::string_view name);

}  // namespace referee::names
