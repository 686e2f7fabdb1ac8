#include "tests/engines/conformance/driver.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/mistake_rows.h"
#include "tests/places.h"

namespace tests {
namespace {

namespace json = protocol::json;

json::View parsed(json::Document& document, std::string_view text) {
    const auto parsed = document.parse(text);
    EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.error().message);
    return document.root();
}

}  // namespace

std::unique_ptr<engines::State> start(const engines::Game& game, std::string_view params,
                                      std::uint32_t seed) {
    json::Document document;
    auto result = game.start(parsed(document, params), seed);
    if (!result) {
        ADD_FAILURE() << result.error().member << ": " << result.error().message;
        return nullptr;
    }
    return *std::move(result);
}

base::Result<void, engines::SetupError> accepts(const engines::Game& game, std::string_view params,
                                                std::uint32_t seed) {
    json::Document document;
    auto result = game.start(parsed(document, params), seed);
    if (!result) return base::failure(std::move(result.error()));
    return {};
}

void expect_refused(const engines::Game& game, const std::string& table) {
    for (const auto& [params, member, says] : mistake_rows(table)) {
        const auto accepted = accepts(game, params);
        ASSERT_FALSE(accepted) << params;
        const auto& error = accepted.error();
        EXPECT_EQ(error.member, member) << params;
        EXPECT_NE(error.message.find(says), std::string::npos) << params << ": " << error.message;
    }
}

std::string full_params(const engines::Game& game, std::string_view params) {
    json::Document document;
    return game.full_params(parsed(document, params));
}

std::vector<engines::Note> play(engines::State& state, const std::vector<std::string>& moves,
                                const std::vector<std::int64_t>& used_us) {
    std::vector<json::Document> documents(moves.size());
    std::vector<engines::Answer> answers(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
        answers[i].move = parsed(documents[i], moves[i]);
        if (i < used_us.size()) answers[i].used_us = used_us[i];
    }
    std::vector<engines::Note> notes;
    state.apply(answers, notes);
    return notes;
}

engines::CheckResult check(const engines::State& state, engines::Seat seat, std::string_view move) {
    json::Document document;
    return state.check(seat, parsed(document, move));
}

std::string state_text(const engines::State& state) {
    std::string text;
    json::Writer writer(text);
    state.write_state(writer);
    return text;
}

nlohmann::json state_json(const engines::State& state) {
    return nlohmann::json::parse(state_text(state));
}

nlohmann::json delta_json(const engines::State& state) {
    std::string text;
    json::Writer writer(text);
    if (!state.write_delta(writer)) return nullptr;
    return nlohmann::json::parse(text);
}

nlohmann::json outcome_json(const engines::State& state) {
    std::string text;
    json::Writer writer(text);
    engines::write_outcome(writer, state.outcome());
    return nlohmann::json::parse(text);
}

std::vector<std::string> codes(const std::vector<engines::Note>& notes) {
    std::vector<std::string> codes;
    for (const auto& note : notes) codes.emplace_back(note.code);
    return codes;
}

std::uint64_t checksum_of(const engines::MapCollection& maps) {
    std::uint64_t sum = 0xCBF29CE484222325ULL;
    const auto add = [&](const std::string& text) {
        for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
        sum = (sum ^ 0xFFU) * 0x100000001B3ULL;
    };
    for (const auto& name : maps.names()) {
        add(name);
        add(maps.text(name).value());
    }
    return sum;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace tests
