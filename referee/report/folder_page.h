#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

// The page of an output folder, and the scripts beside it that have its data: so that a browser
// shows it from disk, where it may load scripts and nothing else.

namespace referee::report {

// index.html for a tournament's folder. Scripts and style are in its folder page/.
std::string folder_index(const std::string& tournament);
// index.html above the folders of several tournaments.
std::string index_of_folders(const std::vector<std::string>& tournaments);
std::string folder_script();
std::string folder_style();

// Whether a text is one of these pages, scripts or styles, as this program writes them: no bot is
// in it, whatever words it has.
bool is_of_every_folder(std::string_view text);

// A JSON value as a script that calls a function with it; `value_of` undoes it (empty where the
// text is no such script).
std::string script_of(std::string_view function, std::string_view json);
std::string_view value_of(std::string_view function, std::string_view script);

// The script of a game from its replay, without what the bots said of their moves: pages are passed
// on. Where the game can't be shown, a script that says why.
std::string showing_script(const std::string& replay, const std::string& file);

inline constexpr std::string_view showing_function = "showing";
inline constexpr std::string_view standings_function = "standings";
inline constexpr std::string_view pairings_function = "pairings";

}  // namespace referee::report
