% Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.
1;
addpath (fileparts (mfilename ("fullpath")));

function at = ahead (at, facing)
  at = at + [-1 0; 0 1; 1 0; 0 -1](facing, :);
end

% Whether the player can go to the square; rows and columns count from 0.
function yes = open_for (square, board, other, brick)
  yes = all (square >= 0) && all (square < rows (board)) && ! isequal (square, other) ...
        && board(square(1) + 1, square(2) + 1) != brick;
end

function move = choose (game)
  board = char (game.state.board);
  other = game.state.players(2 - game.seat).at;
  own = game.state.players(1 + game.seat);
  brick = "BA"(game.seat + 1);  % of the other
  facing = index ("NESW", own.facing);
  places = {own.at, facing, ""};
  seen = false (rows (board), rows (board), 4);
  seen(own.at(1) + 1, own.at(2) + 1, facing) = true;
  next = 1;
  while (next <= rows (places))
    [at, facing, first] = places{next++, :};
    if (board(at(1) + 1, at(2) + 1) == "." && open_for (ahead (at, facing), board, other, brick))
      move = [first, "F"](1);
      return;
    end
    turned = {ahead(at, facing), facing, "F"; at, mod(facing - 2, 4) + 1, "L"; at, mod(facing, 4) + 1, "R"};
    for way = turned'
      [to, towards, letter] = way{:};
      if (letter == "F" && ! open_for (to, board, other, brick)) || seen(to(1) + 1, to(2) + 1, towards)
        continue;
      end
      seen(to(1) + 1, to(2) + 1, towards) = true;
      places(end + 1, :) = {to, towards, [first, letter](1)};
    end
  end
  move = "L";  % no brick can be had any more
end

referee_bot (struct ("walls", @choose), "walls-greedy-octave")
