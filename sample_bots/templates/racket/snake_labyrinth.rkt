#lang racket/base
;; Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
;; Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
;; engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
(require "referee_bot.rkt" racket/list)

(define steps '(("N" -1 0) ("S" 1 0) ("O" 0 -1) ("E" 0 1)))

(define (open? board row column)
  (and (< -1 row (length board))
       (< -1 column (string-length (list-ref board row)))
       (not (char=? (string-ref (list-ref board row) column) #\#))))

(define (choose game)
  (define head (hash-ref (game-state game) 'head))
  (define board (hash-ref (game-state game) 'board))
  (define ways
    (for/list ([step steps]
               #:when (open? board (+ (first head) (second step)) (+ (second head) (third step))))
      (first step)))
  (if (null? ways) "N" (list-ref ways (random (length ways)))))

(play (hash 'snake_labyrinth choose) "my-bot")
