% Prints to standard output by habit.
1;
addpath (fileparts (mfilename ("fullpath")));

function move = choose (game)
  printf ("thinking about turn %d\n", game.turn);
  disp ("and more");
  system ("echo and a child of it");
  move = "F";
end

referee_bot (struct ("walls", @choose), "chatty")
