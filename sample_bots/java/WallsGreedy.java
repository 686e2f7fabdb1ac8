// Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.

import java.util.*;

public class WallsGreedy {
    private static final String CLOCKWISE = "NESW";
    private static final int[] DOWN = {-1, 0, 1, 0}, RIGHT = {0, 1, 0, -1}; // a step in these directions

    private static class Place {
        final int row, column, facing;
        final String first; // the move that this way begins with

        Place(int row, int column, int facing, String first) {
            this.row = row;
            this.column = column;
            this.facing = facing;
            this.first = first;
        }

        Place after(char move) {
            String way = first.isEmpty() ? String.valueOf(move) : first;
            if (move == 'F') return new Place(row + DOWN[facing], column + RIGHT[facing], facing, way);
            return new Place(row, column, (facing + (move == 'R' ? 1 : 3)) % 4, way);
        }
    }

    private final List<String> board;
    private final int otherRow, otherColumn;
    private final char othersBrick;

    private WallsGreedy(RefereeBot.Game game) {
        int other = 1 - game.seat;
        board = game.get("board");
        otherRow = game.number("players", other, "at", 0);
        otherColumn = game.number("players", other, "at", 1);
        othersBrick = "AB".charAt(other);
    }

    private boolean canEnter(Place place) {
        int size = board.size();
        if (place.row < 0 || place.row >= size || place.column < 0 || place.column >= size) return false;
        return board.get(place.row).charAt(place.column) != othersBrick && !(place.row == otherRow && place.column == otherColumn);
    }

    private String move(Place begin) {
        Deque<Place> places = new ArrayDeque<>(List.of(begin));
        Set<List<Integer>> seen = new HashSet<>();
        while (!places.isEmpty()) {
            Place place = places.remove();
            boolean free = board.get(place.row).charAt(place.column) == '.';
            if (free && canEnter(place.after('F'))) return place.first.isEmpty() ? "F" : place.first;
            for (char move : "FLR".toCharArray()) {
                Place next = place.after(move);
                if (canEnter(next) && seen.add(List.of(next.row, next.column, next.facing))) places.add(next);
            }
        }
        return "L"; // no brick can be had any more
    }

    static String choose(RefereeBot.Game game) {
        String facing = game.get("players", game.seat, "facing");
        int row = game.number("players", game.seat, "at", 0), column = game.number("players", game.seat, "at", 1);
        return new WallsGreedy(game).move(new Place(row, column, CLOCKWISE.indexOf(facing), ""));
    }

    public static void main(String[] options) {
        new RefereeBot("walls-greedy-java").plays("walls", WallsGreedy::choose).play(options);
    }
}
