#lang racket/base
;; Plays Light Cycles, and badly: it goes anywhere that nobody has been.
;; Where to begin: count the free cells that each step leaves you, and take the step with the most.
;; engines/light_cycles/RULES.md says what the state holds and what a move looks like.
(require "referee_bot.rkt" racket/list)

(define ways '((0 -1) (1 0) (0 1) (-1 0)))

(define (choose game)
  (unless (hash? (game-memory game)) (set-game-memory! game (make-hash)))
  (define used (game-memory game))  ; cell: whose trail. The state doesn't show the trails
  (define cycles (hash-ref (game-state game) 'cycles))
  (for ([at cycles] [cycle (in-naturals)])
    (if (< (first at) 0)
        (for ([(cell whose) (hash-copy used)] #:when (= whose cycle)) (hash-remove! used cell))  ; terminated: its trail is free again
        (hash-set! used at cycle)))
  (define count (hash-ref (game-params game) 'cycles_per_team))
  (for/list ([cycle (in-range (* count (game-seat game)) (* count (add1 (game-seat game))))])
    (step game used (list-ref cycles cycle) cycle)))

(define (step game used at cycle)
  (define (free? to)
    (and (< -1 (first to) (hash-ref (game-params game) 'width))
         (< -1 (second to) (hash-ref (game-params game) 'height))
         (not (hash-ref used to #f))))
  (define to (findf free? (for/list ([way ways]) (map + at way))))
  (when to (hash-set! used to cycle))  ; for the other cycles of the team
  (or to at))  ; where there is no way out

(play (hash 'light_cycles choose) "my-bot")
