// A week of a class in simulated time: forty students who come and go, a ladder in the evenings, a
// power cut, a withdrawal, and a Friday that the daemon misses. What each of them looks at is
// looked at here too, and whatever can go on must go on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include "referee/report/ledger.h"
#include "referee/report/tournament_texts.h"
#include "referee/watch/web/site.h"
#include "tests/machine_zone.h"
#include "tests/referee/tournament/class_room.h"
#include "tests/referee/watch/web/quiet_loop.h"
#include "tests/sim/liveness.h"

namespace tests::sim {
namespace {

using referee::config::Moment;
using referee::config::moment_in;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t class_size = 40;
constexpr std::size_t best_of_ladder = 16;

// A student's program: plays while it is there, and connects again where its connection ends.
class Student final : public Link::Peer {
 public:
    Student(ClassRoom& room, std::size_t number)
        : room_(room), random_(number + 1), number_(number) {
        name = (number < 10 ? "s0" : "s") + std::to_string(number);
    }

    void come() {
        is_here_ = true;
        dial();
    }
    void leave() {
        is_here_ = false;
        if (link != nullptr) link->close();
    }
    void on_bytes(Link& /*link*/, std::string_view bytes) override {
        lines_.add(bytes, [this](const std::string& line) { answer(Json::parse(line)); });
    }
    void on_closed(Link& closed) override {
        if (is_here_ && &closed == link.get()) later(5s + drawn_below(25s), [this] { dial(); });
    }
    Duration drawn_below(Duration most) { return random_below(random_, most); }
    void later(Duration after, std::function<void()> call) {
        room_.world.outside().schedule(room_.world.now() + after, std::move(call));
    }

    std::string name;
    std::shared_ptr<Link> link;
    std::set<std::string> ended;  // games of whose end it was told

 private:
    void say(const Json& message) { link->send(message.dump() + "\n"); }
    void dial() {
        if (!is_here_) return;
        lines_.clear();
        ++dialled_;
        LinkTraits traits{.address = "192.0.2." + std::to_string(number_ + 1)};
        link = std::make_shared<Link>(room_.world, 1000 * number_ + dialled_, traits,
                                      Random(number_ + dialled_), *this, nullptr);
        boost::asio::post(room_.world.loop(), [this, dialled = link] {
            if (room_.referee == nullptr) return dialled->break_off();  // nobody listens
            room_.referee->lobby().admit(dialled->server_end());
        });
        say({{"type", "login"},
             {"name", name},
             {"token", "the token of " + name},
             {"password", "open sesame"},
             {"games", {"walls"}}});
    }
    void answer(const Json& message) {
        const auto type = message["type"].get<std::string>();
        if (type == "ping") say({{"type", "pong"}, {"id", message["id"]}});
        if (type == "start") say({{"type", "ready"}, {"game_id", message["game_id"]}});
        if (type == "turn")
            say({{"type", "move"},
                 {"game_id", message["game_id"]},
                 {"turn", message["turn"]},
                 {"move", std::string(1, "FFLR"[random_.below(4)])}});
        if (type == "end") ended.insert(message["game_id"].get<std::string>());
    }

    ClassRoom& room_;
    Random random_;
    std::size_t number_;
    std::size_t dialled_ = 0;
    bool is_here_ = false;
    LineCutter lines_;
};

class WeekTest : public ::testing::Test, public referee::scheduler::Observer {
 protected:
    WeekTest() {
        live_in_vienna();
        room.wall_clock = [this] { return wall_clock(); };
        // Games are listed, and have no stories.
        room.tell_story = [](const auto& /*key*/, const auto& /*bot*/, const auto& on_story) {
            on_story(base::failure(protocol::ErrorCode::no_such_game));
        };
        auto& practice = room.config.tournaments[0];
        practice.rest = 10min;
        practice.calendar.hours = referee::config::hours_in("16:00-23:00");
        practice.calendar.until = moment_in("2026-11-27T13:00");
        auto friday = practice;
        friday.id = "friday";
        friday.format.options = referee::formats::SwissOptions{};
        friday.field_from = {.ladder = "practice", .best = best_of_ladder};
        friday.starts_by_order = true;
        friday.calendar = {moment_in("2026-11-27T14:00"), {}, {}};
        room.config.tournaments.push_back(friday);
        for (std::size_t i = 0; i < class_size; ++i)
            students.push_back(std::make_unique<Student>(room, i));
        open();
    }
    ~WeekTest() override {
        for (const auto& student : students) student->leave();
        room.world.pass(10min);
    }

    Moment wall_clock() const {
        return *moment_in("2026-11-23T08:00") +
               std::chrono::duration_cast<std::chrono::seconds>(room.world.now() - begun);
    }
    void open() {
        room.open();
        room.referee->scheduler().observe(*this);
        watch_anew();
    }
    void cut_off() {
        liveness.reset();
        for (const auto& student : students)
            if (student->link != nullptr) student->link->break_off();
        room.cut_off();
    }
    void watch_anew() {
        liveness = std::make_unique<Liveness>(
            room.world, room.referee->lobby(), room.referee->scheduler(),
            [this](const std::string& text) { complaints.insert(text); });
    }
    void on_match(const std::string& tournament,
                  const referee::formats::MatchResult& match) override {
        liveness->on_match(tournament, match);
    }
    // Until then; where `watched`, everything goes on that can.
    void pass_until(const std::string& moment, bool watched = false) {
        while (wall_clock() < *moment_in(moment)) {
            const auto left = *moment_in(moment) - wall_clock();
            room.world.pass(std::min<Duration>(left, watched ? Duration(10s) : Duration(left)));
            for (; records_read < room.journal.committed().size(); ++records_read)
                if (watched) liveness->on_record(room.journal.committed()[records_read]);
            if (watched && room.referee != nullptr) liveness->look();
        }
    }
    // Each comes for some hours of the afternoon and the evening, and may drop out in between.
    void plan_visits() {
        for (const auto& student : students) {
            const auto comes = student->drawn_below(4h);
            const auto stays = 1h + student->drawn_below(4h);
            student->later(comes, [&one = *student] { one.come(); });
            student->later(comes + stays, [&one = *student] { one.leave(); });
        }
    }
    referee::contests::ContestSnapshot contest(const std::string& id) const {
        return room.referee->scheduler().contest(id).snapshot();
    }
    referee::contests::ContestStatus status(const std::string& id) const {
        return *room.referee->scheduler().status_of(id);
    }
    std::string home() {
        referee::web::Site site(
            {.delay = {}, .title = "Programming bots", .names_secret = {}, .hosts = {}},
            {quiet, referee::web::no_files(), [this] { return room.world.now(); },
             [] { return std::string("secret"); }});
        for (const auto& status : room.referee->scheduler().statuses()) {
            referee::web::TournamentNews news;
            news.id = status.config->id;
            news.game = status.config->game;
            news.state = std::string(name_of(status.state));
            news.comes_next = status.comes_next;
            news.over = referee::records::ended(status.state);
            site.tournament(news);
        }
        referee::web::Request request{.method = "GET", .path = "/", .host = "127.0.0.1"};
        std::string body;
        site.answer(request, [&body](const auto& answer) { body = *answer.body; });
        return body;
    }
    Json standings(const std::string& id) const {
        return Json::parse(
            referee::report::standings_of(referee::report::ledger_of(contest(id))).json);
    }
    Json games_of(const std::string& name) const {
        return Json::parse(room.referee->questions().listed(name, 50))["games"];
    }
    template <typename Record, typename Condition>
    std::size_t recorded(const Condition& condition) const {
        std::size_t count = 0;
        for (const auto& record : room.journal.committed()) {
            const auto* one = std::get_if<Record>(&record);
            if (one != nullptr && condition(*one)) ++count;
        }
        return count;
    }

    ClassRoom room;
    const Instant begun = room.world.now();
    referee::web::QuietLoop quiet;
    std::vector<std::unique_ptr<Student>> students;
    std::unique_ptr<Liveness> liveness;
    std::size_t records_read = 0;
    std::set<std::string> complaints;
};

TEST_F(WeekTest, IsPlayed) {
    std::uint64_t played = 0;
    for (const std::string day : {"2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"}) {
        pass_until(day + "T12:00");
        EXPECT_THAT(status("practice").comes_next, HasSubstr(day + " 16:00")) << "before the hours";
        EXPECT_THAT(home(), HasSubstr("begins matches again on "));
        EXPECT_THAT(home(), HasSubstr("begins on Fri 2026-11-27 14:00 +0100"));
        pass_until(day + "T16:00");
        EXPECT_EQ(contest("practice").matches_played, played) << "nothing is played at night";
        watch_anew();
        plan_visits();
        pass_until(day + "T20:00", true);
        EXPECT_THAT(status("practice").comes_next, HasSubstr(day + " 23:00"));
        if (day == "2026-11-25") {
            cut_off();
            pass_until(day + "T20:30");
            open();
            EXPECT_GT(contest("practice").matches_played, played) << "nothing is lost";
        }
        if (day == "2026-11-26")
            room.referee->scheduler().orders().withdraw(
                {"practice", "moved to another class"}, "s05",
                [](const auto& done) { EXPECT_TRUE(done); });
        pass_until(day + "T22:50", true);
        pass_until(day + "T23:10");
        EXPECT_GT(contest("practice").matches_played, played + 50) << day;
        played = contest("practice").matches_played;
    }
    pass_until("2026-11-27T13:01");
    EXPECT_EQ(contest("practice").state, referee::records::TournamentState::finished);
    EXPECT_THAT(home(),
                HasSubstr("<h2>Next</h2>\n<ul class=\"plain\">\n<li><a href=\"/t/friday\">"));

    // All but two come. The daemon is down when Friday should begin.
    std::vector<std::string> best;
    const auto ladder = standings("practice")["bots"];
    for (const auto& row : ladder) best.push_back(row["name"]);
    ASSERT_EQ(best.size(), class_size);
    const std::set<std::string> away{best[3], best[9]};
    for (const auto& student : students)
        if (!away.contains(student->name)) student->come();
    pass_until("2026-11-27T13:58");
    cut_off();
    pass_until("2026-11-27T14:25");
    open();
    EXPECT_THAT(contest("friday").state_reason, HasSubstr("started 25 minutes late"));
    pass_until("2026-11-27T15:30", true);
    const auto friday = contest("friday");
    EXPECT_EQ(friday.state, referee::records::TournamentState::finished) << friday.state_reason;

    const auto rows = standings("friday")["bots"];
    EXPECT_EQ(rows.size(), best_of_ladder);
    for (const auto& row : rows) {
        const auto name = row["name"].get<std::string>();
        EXPECT_NE(name, "s05") << "it was withdrawn from the ladder";
        EXPECT_EQ(row.contains("withdrawn"), away.contains(name)) << row;
    }
    // A student sees the games that the standings count, and was told of each end.
    const auto winner = rows[0]["name"].get<std::string>();
    std::size_t won = 0;
    for (const auto& game : games_of(winner)) {
        const auto id = game["game_id"].get<std::string>();
        if (!id.starts_with("friday/")) continue;
        const auto is_it = [&](const auto& student) { return student->name == winner; };
        const auto& student = **std::find_if(students.begin(), students.end(), is_it);
        EXPECT_TRUE(student.ended.contains(id)) << id;
        won += game["place"] == 1 ? 1 : 0;
    }
    EXPECT_GT(won, 0U);

    using referee::records::OpeningRecord;
    using referee::records::StateRecord;
    EXPECT_EQ(recorded<OpeningRecord>([](const auto& one) { return one.tournament == "friday"; }),
              1U);
    EXPECT_EQ(recorded<StateRecord>([](const auto& one) {
                  return one.state == referee::records::TournamentState::finished;
              }),
              2U);
    EXPECT_THAT(complaints, IsEmpty());
    std::cout << played << " matches of the ladder, " << friday.matches_played << " on Friday\n";
}

}  // namespace
}  // namespace tests::sim
