// Plays Snake Labyrinth: steps to the nearest coin while that leaves time, then to the nearest exit.

import java.util.*;

public class SnakeCoins {
    private static final String LETTERS = "NESO";
    private static final int[] DOWN = {-1, 0, 1, 0}, RIGHT = {0, 1, 0, -1}; // a step by these letters
    private static final int STEPS_KEPT = 100; // for the way out

    private static char cell(List<String> board, int row, int column) {
        boolean inside = row >= 0 && row < board.size() && column >= 0 && column < board.get(row).length();
        return inside ? board.get(row).charAt(column) : '#';
    }

    /** The first step of a shortest way to the next target; empty where there is none. */
    private static String stepTo(char target, RefereeBot.Game game) {
        List<String> board = game.get("board");
        List<Integer> head = List.of(game.number("head", 0), game.number("head", 1));
        Deque<List<Integer>> places = new ArrayDeque<>(List.of(head));
        Map<List<Integer>, String> firstSteps = new HashMap<>(Map.of(head, ""));
        while (!places.isEmpty()) {
            List<Integer> place = places.remove();
            String first = firstSteps.get(place);
            if (!first.isEmpty() && cell(board, place.get(0), place.get(1)) == target) return first;
            for (int i = 0; i < LETTERS.length(); ++i) {
                List<Integer> next = List.of(place.get(0) + DOWN[i], place.get(1) + RIGHT[i]);
                char cell = cell(board, next.get(0), next.get(1));
                if (cell == '#' || (cell == '_' && target != '_') || firstSteps.containsKey(next)) continue;
                firstSteps.put(next, first.isEmpty() ? LETTERS.substring(i, i + 1) : first);
                places.add(next);
            }
        }
        return "";
    }

    static String choose(RefereeBot.Game game) {
        boolean inTime = game.number("steps") + STEPS_KEPT < RefereeBot.number(game.params, "max_steps");
        String step = inTime ? stepTo('$', game) : "";
        game.debug(step.isEmpty() ? "to the exit" : "to a coin");
        if (step.isEmpty()) step = stepTo('_', game);
        return step.isEmpty() ? "N" : step;
    }

    public static void main(String[] options) {
        new RefereeBot("snake-coins-java").plays("snake_labyrinth", SnakeCoins::choose).play(options);
    }
}
