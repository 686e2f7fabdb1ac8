% Plays Walls, and badly: it turns and walks at random.
% Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
% engines/walls/RULES.md says what the state holds and what a move looks like.
1;
addpath (fileparts (mfilename ("fullpath")));

function move = choose (game)
  move = "FLR"(randi (3));
end

referee_bot (struct ("walls", @choose), "my-bot")
