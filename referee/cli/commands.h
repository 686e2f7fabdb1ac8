#pragma once

#include <CLI/App.hpp>

// Each function adds its command to the command line. When the command is called, it leaves its
// exit status in `status`.

namespace referee::cli {

void add_build_command(CLI::App& app, int& status);
void add_check_bot_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_collect_command(CLI::App& app, int& status);
void add_connect_command(CLI::App& app, int& status);
void add_ctl_command(CLI::App& app, int& status);
void add_hall_command(CLI::App& app, int& status);
void add_explain_command(CLI::App& app, int& status);
void add_fork_command(CLI::App& app, int& status);
void add_grade_command(CLI::App& app, int& status);
void add_gradebook_command(CLI::App& app, int& status);
void add_job_command(CLI::App& app, int& status);
void add_maps_command(CLI::App& app, int& status);
void add_new_bot_command(CLI::App& app, int& status);
void add_play_command(CLI::App& app, int& status);
void add_review_command(CLI::App& app, int& status);
void add_roster_command(CLI::App& app, int& status);
void add_rubric_command(CLI::App& app, int& status);
void add_run_command(CLI::App& app, int& status);
void add_serve_command(CLI::App& app, int& status);
void add_store_command(CLI::App& app, int& status);
void add_submit_command(CLI::App& app, int& status);
void add_trace_command(CLI::App& app, int& status);
void add_trf_command(CLI::App& app, int& status);
void add_verify_command(CLI::App& app, int& status);
void add_view_command(CLI::App& app, int& status);

}  // namespace referee::cli
