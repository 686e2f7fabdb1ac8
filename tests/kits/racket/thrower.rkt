#lang racket/base
;; Has no idea in its third answer of a game.
(require "referee_bot.rkt")

(play (hash 'walls (lambda (game)
                     (set-game-memory! game (add1 (or (game-memory game) 0)))
                     (when (= (game-memory game) 3) (hash-ref (hash) "no idea"))
                     'F))
      "thrower")
