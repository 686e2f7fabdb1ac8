#pragma once

#include <memory>
#include <utility>

namespace referee::runtime {

// Tells calls that come later whether the object that they were made for still stands. A member of
// that object; all on one thread. Whoever is called back by somebody who can't take the call back
// (the loop, another thread, a launch under way) gives
//
//     life_.while_it_lasts([this](Result result) { use(std::move(result)); })
//
// which does nothing once the object has ended, and doesn't keep it. A coroutine asks after each
// wait, before it touches the object:
//
//     const auto lasts = life_.watch();
//     co_await wait();
//     if (!lasts()) co_return;
class Life {
 public:
    Life() = default;
    ~Life() = default;
    Life(const Life&) = delete;
    Life& operator=(const Life&) = delete;
    Life(Life&&) = delete;
    Life& operator=(Life&&) = delete;

    auto watch() const {
        return [seen = std::weak_ptr<const char>(token_)] { return !seen.expired(); };
    }

    template <typename Call>
    auto while_it_lasts(Call call) const {
        return [lasts = watch(), call = std::move(call)](auto&&... arguments) mutable {
            if (lasts()) call(std::forward<decltype(arguments)>(arguments)...);
        };
    }

 private:
    std::shared_ptr<const char> token_ = std::make_shared<const char>();
};

}  // namespace referee::runtime
