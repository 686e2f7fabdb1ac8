#include "referee/watching/drawing/interpreter.h"

#include <duktape.h>

#include <cstdlib>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::drawing {
namespace {

constexpr const char* hidden_pointer = DUK_HIDDEN_SYMBOL("texts");

std::string text_at(duk_context* context, duk_idx_t index) {
    duk_size_t size = 0;
    const char* const text = duk_safe_to_lstring(context, index, &size);
    return {text, size};
}

// What the function of C++ gives is copied into the interpreter. Only the end of all memory can
// make Duktape jump away from here, and that ends the program.
duk_ret_t call_texts(duk_context* context) {
    const double number = duk_require_number(context, 0);
    duk_push_current_function(context);
    duk_get_prop_string(context, -1, hidden_pointer);
    auto* const texts = static_cast<Interpreter::Texts*>(duk_get_pointer(context, -1));
    const auto text = (*texts)(number);
    if (text.empty()) {
        duk_push_null(context);
    } else {
        duk_push_lstring(context, text.data(), text.size());
    }
    return 1;
}

// An error outside of any script: nothing can go on from there.
void die(void*, const char*) {
    std::abort();
}

}  // namespace

void Interpreter::Ends::operator()(duk_hthread* context) const {
    duk_destroy_heap(context);
}

Interpreter::Interpreter() : context_(duk_create_heap(nullptr, nullptr, nullptr, nullptr, die)) {
    REFEREE_ASSERT(context_ != nullptr);
}

base::Result<std::string, std::string> Interpreter::run(const std::string& script) {
    auto* const context = context_.get();
    const auto failed = duk_peval_lstring(context, script.data(), script.size());
    auto text = text_at(context, -1);
    duk_pop(context);
    if (failed != 0) return base::failure(std::move(text));
    return text;
}

void Interpreter::set(const char* name, const std::string& value) {
    duk_push_lstring(context_.get(), value.data(), value.size());
    duk_put_global_string(context_.get(), name);
}

void Interpreter::set(const char* name, Texts texts) {
    auto* const context = context_.get();
    texts_ = std::make_unique<Texts>(std::move(texts));
    duk_push_c_function(context, call_texts, 1);
    duk_push_pointer(context, texts_.get());
    duk_put_prop_string(context, -2, hidden_pointer);
    duk_put_global_string(context, name);
}

}  // namespace referee::drawing
