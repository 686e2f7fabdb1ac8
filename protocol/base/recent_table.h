#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

#include "protocol/base/assertion.h"

namespace base {

// Values by name, at most so many: where there is no room, the one that was not touched for longest
// is forgotten.
template <typename Value>
class RecentTable {
 public:
    explicit RecentTable(std::size_t most) : most_(most) { REFEREE_ASSERT(most > 0); }

    // Null where it is not known, or was forgotten. That is no touch.
    const Value* find(const std::string& key) const {
        const auto found = places_.find(key);
        return found == places_.end() ? nullptr : &found->second->second;
    }
    // Makes a value where there is none. Valid until the next touch.
    Value& touch(const std::string& key) {
        if (const auto found = places_.find(key); found != places_.end()) {
            order_.splice(order_.begin(), order_, found->second);
            return found->second->second;
        }
        if (places_.size() >= most_) {
            places_.erase(order_.back().first);
            order_.pop_back();
        }
        order_.emplace_front(key, Value{});
        places_.emplace(key, order_.begin());
        return order_.front().second;
    }
    void erase(const std::string& key) {
        const auto found = places_.find(key);
        if (found == places_.end()) return;
        order_.erase(found->second);
        places_.erase(found);
    }
    template <typename IsVoid>
    void erase_if(IsVoid is_void) {
        order_.remove_if([&](const Entry& entry) {
            return is_void(entry.second) && places_.erase(entry.first) > 0;
        });
    }
    std::size_t size() const { return places_.size(); }

 private:
    using Entry = std::pair<std::string, Value>;
    std::size_t most_;
    std::list<Entry> order_;  // the last that was touched in front
    std::unordered_map<std::string, typename std::list<Entry>::iterator> places_;
};

}  // namespace base
