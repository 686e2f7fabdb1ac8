#lang racket/base
;; Plays E7 Planets, and badly: it flies at random.
;; Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
;; engines/e7_planets/RULES.md says what the state holds and what a move looks like.
(require "referee_bot.rkt")

(define (choose game)
  (list-ref '("U" "D" "L" "R") (random 4)))

(play (hash 'e7_planets choose) "my-bot")
