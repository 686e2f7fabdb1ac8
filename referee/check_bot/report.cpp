#include "referee/check_bot/report.h"

#include <algorithm>
#include <array>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "protocol/json/writer.h"

namespace referee::check_bot {
namespace {

constexpr std::size_t label_columns = 17;
constexpr std::string_view margin = "                 ";
constexpr std::string_view further = "                   ";

std::string_view label_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> labels = {"good", "could be better", "WRONG",
                                                        "not tried"};
    return labels[static_cast<std::size_t>(verdict)];
}

std::string title_of(const CornerFinding& finding) {
    return finding.game.empty() ? finding.corner : finding.corner + " (" + finding.game + ")";
}

void add_lines(std::string& text, std::string_view what, const std::string& said) {
    if (said.empty()) return;
    text += margin;
    text += what;
    text += protocol::json::visible_lines(said, further);
    text += '\n';
}

// Text as it may stand in an attribute or an element of XML.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : protocol::json::visible_lines(text, "")) {
        const auto entity = c == '\n'   ? "&#10;"
                            : c == '\'' ? std::string_view()
                                        : protocol::json::entity_of(c);
        entity.empty() ? safe.append(1, c) : safe.append(entity);
    }
    return safe;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> names = {"good", "could_be_better", "wrong",
                                                       "not_tried"};
    return names[static_cast<std::size_t>(verdict)];
}

std::size_t BotReport::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(),
                      [verdict](const CornerFinding& one) { return one.verdict == verdict; }));
}

std::string as_text(const CornerFinding& finding) {
    std::string text(label_of(finding.verdict));
    text.resize(label_columns, ' ');
    text += title_of(finding) + ": " + protocol::json::visible_lines(finding.seen, further) + '\n';
    add_lines(text, "expected: ", finding.expected);
    add_lines(text, "what to do: ", finding.advice);
    return text;
}

std::string last_line(const BotReport& report) {
    const auto wrong = report.count(Verdict::wrong);
    const auto better = report.count(Verdict::could_be_better);
    const auto untried = report.count(Verdict::not_tried);
    std::string text = wrong == 0 ? "nothing is wrong" : "wrong in " + std::to_string(wrong);
    text += wrong == 0 ? " in " : " of ";
    text += base::counted(report.findings.size() - untried, "corner");
    if (better > 0) text += "; " + std::to_string(better) + " could be better";
    if (untried > 0) text += "; " + base::counted(untried, "was", "were") + " not tried";
    return text + '\n';
}

std::string as_json(const BotReport& report) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object().member("bot", report.bot).member("program", report.program);
    writer.member("passed", report.passed());
    writer.key("games").texts(report.games).key("corners").begin_array();
    for (const auto& finding : report.findings) {
        writer.begin_object().member("corner", finding.corner);
        if (!finding.game.empty()) writer.member("game", finding.game);
        writer.member("verdict", name_of(finding.verdict)).member("seen", finding.seen);
        if (!finding.expected.empty()) writer.member("expected", finding.expected);
        if (!finding.advice.empty()) writer.member("advice", finding.advice);
        writer.end_object();
    }
    writer.end_array().end_object();
    return text;
}

std::string as_junit(const BotReport& report) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"check-bot " +
                       xml(report.bot) + "\" tests=\"" + std::to_string(report.findings.size()) +
                       "\" failures=\"" + std::to_string(report.count(Verdict::wrong)) +
                       "\" errors=\"0\" skipped=\"" +
                       std::to_string(report.count(Verdict::not_tried)) + "\">\n";
    for (const auto& finding : report.findings) {
        text += "  <testcase classname=\"check-bot\" name=\"" + xml(title_of(finding)) + "\">";
        if (finding.verdict == Verdict::wrong) {
            text += "<failure message=\"" + xml(finding.seen) +
                    "\">expected: " + xml(finding.expected) +
                    "&#10;what to do: " + xml(finding.advice) + "</failure>";
        } else if (finding.verdict == Verdict::not_tried) {
            text += "<skipped message=\"" + xml(finding.seen) + "\"/>";
        } else {
            text += "<system-out>" + std::string(label_of(finding.verdict)) + ": " +
                    xml(finding.seen) + "</system-out>";
        }
        text += "</testcase>\n";
    }
    return text + "</testsuite>\n";
}

}  // namespace referee::check_bot
