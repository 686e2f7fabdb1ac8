#lang racket/base
;; Prints to standard output by habit, and reads.
(require "referee_bot.rkt")

(displayln "chatty begins")
"a value on its own"
(play (hash 'walls (lambda (game)
                     (read-line)
                     (printf "thinking about turn ~a\n" (game-turn game))
                     "F"))
      "chatty")
