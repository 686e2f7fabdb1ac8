% Plays Snake Labyrinth: the shortest way to the next coin that leaves a way out, and to the exit when there is none. No drilling.
1;
addpath (fileparts (mfilename ("fullpath")));

% The letters of a shortest way from `from` to a cell that holds `goal`; "" where there is none.
function way = shortest (board, from, goal)
  steps = [-1 0; 1 0; 0 -1; 0 1];
  places = {from, ""};
  seen = false (size (board));
  seen(from(1), from(2)) = true;
  next = 1;
  while (next <= rows (places))
    [at, so_far] = places{next++, :};
    if (board(at(1), at(2)) == goal)
      way = so_far;
      return;
    end
    for k = 1:4
      to = at + steps(k, :);
      if (any (to < 1) || any (to > size (board)) || seen(to(1), to(2)) || any (board(to(1), to(2)) == "#!"))
        continue;
      end
      seen(to(1), to(2)) = true;
      places(end + 1, :) = {to, [so_far, "NSOE"(k)]};
    end
  end
  way = "";
end

function [move, debug] = choose (game)
  board = char (game.state.board);
  head = game.state.head + 1;
  steps_left = game.params.max_steps - game.state.steps;
  for segment = reshape (game.state.body, [], 2)'
    if (! isequal (segment', game.state.head))
      board(segment(1) + 1, segment(2) + 1) = "#";  % biting costs coins
    end
  end
  way = shortest (board, head, "$");
  goal = "a coin";
  if (isempty (way) || numel (way) > 10 || numel (way) * 3 > steps_left)  % ten points a coin, one a step
    way = shortest (board, head, "_");
    goal = "the exit";
  end
  if (isempty (way))
    way = shortest (char (game.state.board), head, "_");  % through the body, if that's all there is
  end
  move = [way, "N"](1);
  debug = sprintf ("%s in %d steps", goal, numel (way));
end

referee_bot (struct ("snake_labyrinth", @choose), "snake-coins-octave")
