% Plays E7 Planets, and badly: it flies at random.
% Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
% engines/e7_planets/RULES.md says what the state holds and what a move looks like.
1;
addpath (fileparts (mfilename ("fullpath")));

function move = choose (game)
  move = "UDLR"(randi (4));
end

referee_bot (struct ("e7_planets", @choose), "my-bot")
