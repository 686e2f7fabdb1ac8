#lang racket/base
;; Plays Walls, and badly: it turns and walks at random.
;; Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
;; engines/walls/RULES.md says what the state holds and what a move looks like.
(require "referee_bot.rkt")

(define (choose game)
  (list-ref '("F" "L" "R") (random 3)))

(play (hash 'walls choose) "my-bot")
