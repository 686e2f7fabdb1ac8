#pragma once

#include <string>
#include <string_view>

namespace referee::log {

// A text in which each "referee ctl ORDER" can be pasted as it stands: between the two words and
// the order come the options that lead to the daemon, such as "--out class". Empty: the text as it
// is.
std::string complete_orders(std::string text, std::string_view to_daemon);

// From now on orders in lines of the log are complete by these options.
void complete_orders_by(std::string to_daemon);

}  // namespace referee::log
