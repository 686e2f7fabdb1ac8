// Plays Walls, and badly: it turns and walks at random.
// Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
// engines/walls/RULES.md says what the state holds and what a move looks like.

import java.util.Random;

public class MyBot {
    private static final Random RANDOM = new Random();

    static Object choose(RefereeBot.Game game) {
        return "FLR".substring(RANDOM.nextInt(3)).substring(0, 1);
    }

    public static void main(String[] options) {
        new RefereeBot("my-bot").plays("walls", MyBot::choose).play(options);
    }
}
