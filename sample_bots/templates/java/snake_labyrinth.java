// Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
// Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
// engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.

import java.util.*;

public class MyBot {
    private static final Random RANDOM = new Random();
    private static final String LETTERS = "NSOE";
    private static final int[] DOWN = {-1, 1, 0, 0}, RIGHT = {0, 0, -1, 1}; // a step by these letters

    private static boolean isOpen(List<String> board, int row, int column) {
        boolean inside = row >= 0 && row < board.size() && column >= 0 && column < board.get(row).length();
        return inside && board.get(row).charAt(column) != '#';
    }

    static Object choose(RefereeBot.Game game) {
        List<String> board = game.get("board");
        String ways = "";
        for (int i = 0; i < LETTERS.length(); ++i) {
            if (isOpen(board, game.number("head", 0) + DOWN[i], game.number("head", 1) + RIGHT[i])) ways += LETTERS.charAt(i);
        }
        return ways.isEmpty() ? "N" : "" + ways.charAt(RANDOM.nextInt(ways.length()));
    }

    public static void main(String[] options) {
        new RefereeBot("my-bot").plays("snake_labyrinth", MyBot::choose).play(options);
    }
}
