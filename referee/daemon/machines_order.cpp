#include <memory>
#include <vector>

#include "protocol/base/shell_word.h"
#include "protocol/json/writer.h"
#include "referee/daemon/answers.h"
#include "referee/daemon/orders.h"
#include "referee/report/hosts_report.h"

// The order that asks whether the machines that played are alike.

namespace referee::daemon {

void Orders::machines(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto config = contest->config;
    const auto plays =
        std::make_shared<scheduler::HostPlays>(host_.scheduler().host_plays_of(config->id));
    const auto rows = std::make_shared<std::vector<report::HostRow>>();
    host_.background().run(
        [plays, rows] { *rows = report::hosts_report(*plays); },
        life_.while_it_lasts([this, config, rows, answer = answer] {
            if (!closed_.empty()) return answer(control::refusal(closed_));
            answer(done([&](json::Writer& writer) {
                writer.member("tournament", config->id);
                report::write_hosts(writer, *rows);
                writer.key("sentences").begin_array();
                for (const auto& sentence : report::host_sentences(*rows)) writer.string(sentence);
                writer.end_array().key("remedies").begin_array();
                for (const auto& host : report::unlike_hosts(*rows)) {
                    if (host.empty() || !scheduler::no_rerun(config->format).empty()) continue;
                    writer.string("referee ctl rerun " + base::shell_word(config->id) + " --host " +
                                  base::shell_word(host));
                }
                writer.end_array();
            }));
        }));
}

}  // namespace referee::daemon
