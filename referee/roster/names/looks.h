#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

// Which names people take for one another: of letters that look the same in several alphabets, of
// capitals and small letters, of wide, composed and invisible characters. Unicode's data of
// confusable characters decide (its Technical Standard 39, as ICU has them).

namespace referee::names {

// Why `name` is taken for `other`, as an end of a sentence: "it has U+0430 CYRILLIC SMALL LETTER
// A", "they differ only in capitals". Requires: they look alike.
std::string difference(std::string_view name, std::string_view other);

// Names by their looks, in valid UTF-8. A look-up takes the same time however many there are.
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
