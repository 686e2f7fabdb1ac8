// Plays E7 Planets, and badly: it flies at random.
// Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
// engines/e7_planets/RULES.md says what the state holds and what a move looks like.

import java.util.Random;

public class MyBot {
    private static final Random RANDOM = new Random();

    static Object choose(RefereeBot.Game game) {
        return "UDLR".substring(RANDOM.nextInt(4)).substring(0, 1);
    }

    public static void main(String[] options) {
        new RefereeBot("my-bot").plays("e7_planets", MyBot::choose).play(options);
    }
}
