// Plays Superball, and badly: it swaps two pieces at random, and never scores.
// Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
// engines/superball/RULES.md says what the state holds and what a move looks like.

import java.util.*;

public class MyBot {
    private static final Random RANDOM = new Random();

    static Object choose(RefereeBot.Game game) {
        List<String> board = game.get("board");
        List<String> pieces = new ArrayList<>();
        for (int row = 0; row < board.size(); ++row) {
            for (int column = 0; column < board.get(row).length(); ++column) {
                if (Character.isLetter(board.get(row).charAt(column))) pieces.add(row + " " + column);
            }
        }
        Collections.shuffle(pieces, RANDOM);
        return "SWAP " + pieces.get(0) + " " + pieces.get(1);
    }

    public static void main(String[] options) {
        new RefereeBot("my-bot").plays("superball", MyBot::choose).play(options);
    }
}
