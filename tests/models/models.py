"""Each game a second time, in another language: plain, slow, and without a line in common with
the engines. models_test.py plays random games through `referee trace` and compares every state
and every outcome."""
from e7_planets import E7
from light_cycles import LightCycles
from snake_labyrinth import Snake
from superball import Superball
from walls import Walls

MODELS = {"walls": Walls, "light_cycles": LightCycles, "snake_labyrinth": Snake, "e7_planets": E7, "superball": Superball}
