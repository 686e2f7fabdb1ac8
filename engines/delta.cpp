#include "engines/delta.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"

namespace engines {
namespace {

// Two arrays are matched element by element where the table for that has no more cells than this.
constexpr std::size_t match_cells_max = 1U << 16U;
constexpr std::size_t state_depth_max = 64;  // params with a whole map may nest as deep

bool same(json::View a, json::View b) {
    if (a.kind() != b.kind() || a.size() != b.size()) return false;
    if (a.is_array()) {
        auto other = b.elements().begin();
        for (const auto element : a.elements()) {
            if (!same(element, *other)) return false;
            ++other;
        }
        return true;
    }
    if (a.is_object()) {
        for (const auto& [name, value] : a.members()) {
            const auto other = b.find(name);
            if (!other || !same(value, other)) return false;
        }
        return true;
    }
    return a.json_text() == b.json_text();
}

std::string below(const std::string& path, std::string_view name) {
    std::string longer = path + '/';
    for (const char c : name) {
        if (c == '~') {
            longer += "~0";
        } else if (c == '/') {
            longer += "~1";
        } else {
            longer += c;
        }
    }
    return longer;
}

std::vector<json::View> list_of(json::View array) {
    std::vector<json::View> list;
    for (const auto element : array.elements()) list.push_back(element);
    return list;
}

// How many elements two arrays share, in order, from each pair of places on: the well-known table
// of the longest common subsequence.
class Match {
 public:
    using Views = std::span<const json::View>;

    Match(Views before, Views after)
        : columns_(after.size() + 1), lengths_((before.size() + 1) * columns_) {
        for (auto i = before.size(); i-- > 0;) {
            for (auto j = after.size(); j-- > 0;) {
                at(i, j) = same(before[i], after[j]) ? at(i + 1, j + 1) + 1
                                                     : std::max(at(i + 1, j), at(i, j + 1));
            }
        }
    }
    std::uint32_t shared(std::size_t i, std::size_t j) const { return lengths_[i * columns_ + j]; }

 private:
    std::uint32_t& at(std::size_t i, std::size_t j) { return lengths_[i * columns_ + j]; }

    std::size_t columns_;
    std::vector<std::uint32_t> lengths_;
};

class Difference {
 public:
    explicit Difference(json::Writer& writer) : writer_(writer) {}

    void value(const std::string& path, json::View before, json::View after) {
        if (same(before, after)) return;
        if (before.is_object() && after.is_object()) return object(path, before, after);
        if (before.is_array() && after.is_array()) return array(path, before, after);
        put("replace", path, after);
    }

 private:
    void put(std::string_view operation, const std::string& path, json::View value) {
        write_change(writer_, operation, path, [&] { value.write(writer_); });
    }

    void object(const std::string& path, json::View before, json::View after) {
        for (const auto& [name, old] : before.members()) {
            if (!after.find(name)) write_remove(writer_, below(path, name));
        }
        for (const auto& [name, fresh] : after.members()) {
            const auto old = before.find(name);
            old ? value(below(path, name), old, fresh) : put("add", below(path, name), fresh);
        }
    }

    void array(const std::string& path, json::View before, json::View after) {
        const auto old = list_of(before);
        const auto fresh = list_of(after);
        std::size_t head = 0;
        while (head < std::min(old.size(), fresh.size()) && same(old[head], fresh[head])) ++head;
        std::size_t tail = 0;
        while (tail < std::min(old.size(), fresh.size()) - head &&
               same(old[old.size() - 1 - tail], fresh[fresh.size() - 1 - tail])) {
            ++tail;
        }
        elements(path, head, std::span(old).subspan(head, old.size() - head - tail),
                 std::span(fresh).subspan(head, fresh.size() - head - tail));
    }

    // The elements from place `at` on. A stretch that has no element in common is changed in
    // place, as far as both sides go; what is left over is removed or added.
    void elements(const std::string& path, std::size_t at, Match::Views old, Match::Views fresh) {
        const bool matches = (old.size() + 1) * (fresh.size() + 1) <= match_cells_max;
        if (!matches) return stretch(path, at, old, fresh);
        const Match match(old, fresh);
        std::size_t i = 0;
        std::size_t j = 0;
        std::size_t old_begin = 0;
        std::size_t fresh_begin = 0;
        const auto close = [&] {
            stretch(path, at + fresh_begin, old.subspan(old_begin, i - old_begin),
                    fresh.subspan(fresh_begin, j - fresh_begin));
        };
        while (i < old.size() && j < fresh.size()) {
            if (same(old[i], fresh[j])) {
                close();
                old_begin = ++i;
                fresh_begin = ++j;
            } else if (match.shared(i + 1, j) >= match.shared(i, j + 1)) {
                ++i;
            } else {
                ++j;
            }
        }
        i = old.size();
        j = fresh.size();
        close();
    }

    void stretch(const std::string& path, std::size_t at, Match::Views old, Match::Views fresh) {
        const auto both = std::min(old.size(), fresh.size());
        for (std::size_t i = 0; i < both; ++i) {
            value(below(path, std::to_string(at + i)), old[i], fresh[i]);
        }
        for (std::size_t i = both; i < old.size(); ++i) {
            write_remove(writer_, below(path, std::to_string(at + both)));
        }
        for (std::size_t i = both; i < fresh.size(); ++i) {
            put("add", below(path, std::to_string(at + i)), fresh[i]);
        }
    }

    json::Writer& writer_;
};

}  // namespace

void write_difference(json::Writer& writer, json::View before, json::View after) {
    std::string patch;
    json::Writer patch_writer(patch);
    patch_writer.begin_array();
    Difference(patch_writer).value({}, before, after);
    patch_writer.end_array();
    std::string whole;
    json::Writer whole_writer(whole);
    whole_writer.begin_array();
    write_change(whole_writer, "replace", "", [&] { after.write(whole_writer); });
    whole_writer.end_array();
    writer.raw(patch.size() <= whole.size() ? patch : whole);
}

void DeltaWriter::begin(std::string_view state_text) {
    if (computes_) before_ = state_text;
}

void DeltaWriter::write(const State& state, json::Writer& writer) {
    if (state.write_delta(writer)) {
        computes_ = false;
        return;
    }
    REFEREE_ASSERT(computes_);
    after_.clear();
    json::Writer after_writer(after_);
    state.write_state(after_writer);
    const auto before = before_document_.parse(before_, {.depth_max = state_depth_max});
    const auto after = after_document_.parse(after_, {.depth_max = state_depth_max});
    REFEREE_ASSERT(before && after);
    write_difference(writer, before_document_.root(), after_document_.root());
    std::swap(before_, after_);
}

}  // namespace engines
