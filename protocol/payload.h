#pragma once

#include <string>
#include <string_view>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace protocol {

// A JSON value inside a message that the protocol passes on without looking at it: a state, params,
// a move. The sender gives it as text that is rendered already (it is copied into the line as it
// stands); the receiver finds it as a view. Cheap to copy; the text or the document must outlive
// it.
class Payload {
 public:
    Payload() = default;
    // Requires JSON text of one value, without line feeds.
    // NOLINTBEGIN(google-explicit-constructor): who sends a message writes its payload as text or
    // as a view.
    Payload(std::string_view json_text) : text_(json_text) {}
    Payload(const char* json_text) : text_(json_text) {}
    Payload(const std::string& json_text) : text_(json_text) {}
    Payload(json::View view) : view_(view) {}
    // NOLINTEND(google-explicit-constructor)

    // Whether there is a value at all.
    explicit operator bool() const { return !text_.empty() || static_cast<bool>(view_); }

    // The value of a received message; absent where the payload was given as text.
    json::View view() const { return view_; }

    // The value, or null where there is none.
    std::string json_text() const { return text_.empty() ? view_.json_text() : std::string(text_); }
    void write(json::Writer& writer) const {
        if (text_.empty()) {
            view_.write(writer);
        } else {
            writer.raw(text_);
        }
    }

 private:
    std::string_view text_;
    json::View view_;
};

}  // namespace protocol
