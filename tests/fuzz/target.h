#pragma once

#include <span>
#include <string>
#include <string_view>

// What is fuzzed. A target is a function that takes any bytes, hands them to one part of the
// program and looks whether what that part promises holds. The fuzzers of this folder call it with
// bytes that they make up, and a test with those that are kept (corpus/TARGET and finds/TARGET).

namespace fuzz {

// What doesn't hold, in words; empty where everything does.
using Complaint = std::string;

using Check = Complaint (*)(std::string_view bytes);

Complaint check_archive(std::string_view bytes);
Complaint check_config(std::string_view bytes);
Complaint check_control(std::string_view bytes);
Complaint check_json(std::string_view bytes);
Complaint check_protocol(std::string_view bytes);
Complaint check_records(std::string_view bytes);
Complaint check_replay(std::string_view bytes);
Complaint check_shim_page(std::string_view bytes);
Complaint check_trace(std::string_view bytes);
Complaint check_trf(std::string_view bytes);

struct Target {
    std::string_view name;
    Check check = nullptr;
};

// All of them, by name.
std::span<const Target> targets();

}  // namespace fuzz
