#lang racket/base
;; Prints to standard output by habit.
(require "referee_bot.rkt")

(displayln "chatty begins")
"a value on its own"
(play (hash 'walls (lambda (game)
                     (printf "thinking about turn ~a\n" (game-turn game))
                     "F"))
      "chatty")
