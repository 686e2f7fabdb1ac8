% Plays Light Cycles, and badly: it goes anywhere that nobody has been.
% Where to begin: count the free cells that each step leaves you, and take the step with the most.
% engines/light_cycles/RULES.md says what the state holds and what a move looks like.
1;
addpath (fileparts (mfilename ("fullpath")));

function [move, debug, memory] = choose (game)
  debug = "";
  memory = game.memory;
  if (! isfield (memory, "used"))
    memory.used = zeros (game.params.width, game.params.height);  % whose trail. The state doesn't show the trails
  end
  cycles = reshape (game.state.cycles, [], 2);
  for k = 1:rows (cycles)
    if (cycles(k, 1) >= 0)
      memory.used(cycles(k, 1) + 1, cycles(k, 2) + 1) = k;
    else
      memory.used(memory.used == k) = 0;  % it is terminated, and its trail is free again
    end
  end
  move = {};
  count = game.params.cycles_per_team;
  for k = game.seat * count + (1:count)
    [move{end + 1}, memory.used] = step (cycles(k, :), memory.used, k);
  end
end

function [to, used] = step (at, used, k)
  for way = [0 1 0 -1; -1 0 1 0]
    to = at + way';
    if (all (to >= 0) && all (to < size (used)) && ! used(to(1) + 1, to(2) + 1))
      used(to(1) + 1, to(2) + 1) = k;  % for the other cycles of the team
      return;
    end
  end
  to = at;  % there is no way out
end

referee_bot (struct ("light_cycles", @choose), "my-bot")
