#lang racket/base
;; Plays Superball, and badly: it swaps two pieces at random, and never scores.
;; Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
;; engines/superball/RULES.md says what the state holds and what a move looks like.
(require "referee_bot.rkt" racket/list)

(define (choose game)
  (define pieces
    (for*/list ([(line row) (in-indexed (hash-ref (game-state game) 'board))]
                [(cell column) (in-indexed line)]
                #:when (char-alphabetic? cell))
      (format "~a ~a" row column)))
  (define two (take (shuffle pieces) 2))
  (format "SWAP ~a ~a" (first two) (second two)))

(play (hash 'superball choose) "my-bot")
