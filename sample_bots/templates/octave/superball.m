% Plays Superball, and badly: it swaps two pieces at random, and never scores.
% Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
% engines/superball/RULES.md says what the state holds and what a move looks like.
1;
addpath (fileparts (mfilename ("fullpath")));

function move = choose (game)
  board = char (game.state.board);
  [rows, columns] = find (isletter (board));
  two = randperm (numel (rows), 2);
  move = sprintf ("SWAP %d %d %d %d", [rows(two), columns(two)]' - 1);
end

referee_bot (struct ("superball", @choose), "my-bot")
