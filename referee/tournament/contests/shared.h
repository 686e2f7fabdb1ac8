#pragma once

#include <memory>

namespace referee::contests {

// A value that its owner changes, and that others get as it stood at one moment, also on other
// threads: calls between two changes share one copy.
template <typename Value>
class Shared {
 public:
    const Value& operator*() const { return value_; }
    const Value* operator->() const { return &value_; }
    Value& change() {
        shared_ = nullptr;
        return value_;
    }
    // Never null, and never changed.
    std::shared_ptr<const Value> shared() const {
        if (shared_ == nullptr) shared_ = std::make_shared<const Value>(value_);
        return shared_;
    }

 private:
    Value value_;
    mutable std::shared_ptr<const Value> shared_;  // null where there is none since the last change
};

}  // namespace referee::contests
