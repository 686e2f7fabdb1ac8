#pragma once

#include <memory>
#include <utility>

namespace referee::loop {

// Tells later calls whether the object that they were made for still exists. It is a member of that
// object; all is on one thread. Some callers can't take a call back (the loop, another thread, a
// launch under way). Give these
//
//     life_.while_it_lasts([this](Result result) { use(std::move(result)); })
//
// The call does nothing once the object has ended, and doesn't keep the object alive. A coroutine
// asks after each wait, before it touches the object:
//
//     const auto lasts = life_.watch();
//     co_await wait();
//     if (!lasts()) co_return;
class Life {
 public:
    Life() = default;
    Life(const Life&) = delete;
    Life& operator=(const Life&) = delete;

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

}  // namespace referee::loop
