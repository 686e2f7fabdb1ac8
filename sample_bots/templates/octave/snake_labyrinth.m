% Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
% Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
% engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
1;
addpath (fileparts (mfilename ("fullpath")));

function move = choose (game)
  board = char (game.state.board);
  steps = [-1 0; 1 0; 0 -1; 0 1];
  ways = "";
  for k = 1:4
    to = game.state.head(:)' + 1 + steps(k, :);
    if (all (to >= 1) && all (to <= size (board)) && board(to(1), to(2)) != "#")
      ways(end + 1) = "NSOE"(k);
    end
  end
  if (isempty (ways))
    ways = "N";
  end
  move = ways(randi (numel (ways)));
end

referee_bot (struct ("snake_labyrinth", @choose), "my-bot")
