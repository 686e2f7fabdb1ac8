#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"
#include "protocol/json/document.h"
#include "referee/config/config.h"
#include "referee/games/clock/time.h"

namespace referee::config {

namespace json = protocol::json;

// Reads an object of a config member by member and collects what is wrong, with line and path. A
// member that is not there leaves the default alone; one that nobody asked for is an error.
class MemberReader {
 public:
    // `path` is the object's own ("tournaments[0]"); empty for the whole file.
    MemberReader(json::View object, std::string path, std::vector<ConfigError>& errors);

    // The member, wherever it is of the right kind; absent otherwise, with an error if it is there.
    json::View object(std::string_view name);
    json::View array(std::string_view name);
    json::View any(std::string_view name);

    void text(std::string_view name, std::string& value);
    void boolean(std::string_view name, bool& value);
    // "250ms", "1s", "10m", "2h", or an integer of microseconds.
    void time(std::string_view name, Duration& value);
    void texts(std::string_view name, std::vector<std::string>& value);
    // One of a list of words; returns its place.
    std::optional<std::size_t> word(std::string_view name,
                                    const std::vector<std::string_view>& words);

    template <typename Integer>
    void integer(std::string_view name, Integer& value, std::int64_t least, std::int64_t most) {
        if (const auto read = bounded(name, least, most)) value = static_cast<Integer>(*read);
    }

    void number(std::string_view name, double& value, double least, double most);
    // Points, in halves; not negative.
    void score(std::string_view name, engines::Score& value, std::int64_t most);

    // Reports the members that nobody asked for. Call it last.
    void no_others();

    json::View object() const { return object_; }
    // The member as it stands there, whatever it is; it stays unasked for.
    json::View given(std::string_view name) const { return object_.find(name); }
    bool has(std::string_view name) const { return static_cast<bool>(object_.find(name)); }
    std::string path_of(std::string_view name) const;
    std::vector<ConfigError>& errors() { return errors_; }
    void wrong(std::string_view name, std::string message);
    std::size_t line() const { return object_.line(); }

 private:
    json::View take(std::string_view name);
    std::optional<std::int64_t> bounded(std::string_view name, std::int64_t least,
                                        std::int64_t most);

    json::View object_;
    std::string path_;
    std::vector<ConfigError>& errors_;
    std::vector<std::string> known_;
};

// "1s", "50ms", "10m"; nothing where it is no time.
std::optional<Duration> time_from(std::string_view text);

}  // namespace referee::config
