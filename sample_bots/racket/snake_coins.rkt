#lang racket/base
;; Plays Snake Labyrinth: the shortest way to the next coin, and to the exit when coins aren't worth their way. No drilling.
(require "referee_bot.rkt" racket/list)

(define steps '(("N" -1 0) ("S" 1 0) ("O" 0 -1) ("E" 0 1)))
(define coin-points 10)  ; a step costs one

;; The moves of a shortest way from the head to a cell that holds `goal`, or #f. Never through `closed`.
(define (shortest board head goal closed)
  (define (inside? at) (and (< -1 (first at) (vector-length board)) (< -1 (second at) (string-length (vector-ref board 0)))))
  (define (cell at) (string-ref (vector-ref board (first at)) (second at)))
  (let search ([places (list (list head '()))] [next '()] [seen (hash head #t)])
    (cond
      [(and (null? places) (null? next)) #f]
      [(null? places) (search (reverse next) '() seen)]
      [(eqv? (cell (caar places)) goal) (reverse (cadar places))]
      [else
       (define ways
         (for*/list ([step steps]
                     [to (in-value (map + (caar places) (cdr step)))]
                     #:when (and (inside? to) (not (hash-ref seen to #f)) (not (member to closed)) (not (memv (cell to) '(#\# #\!)))))
           (list to (cons (car step) (cadar places)))))
       (search (cdr places) (append (reverse ways) next) (for/fold ([seen seen]) ([way ways]) (hash-set seen (car way) #t)))])))

(define (choose game)
  (define state (game-state game))
  (define board (list->vector (hash-ref state 'board)))
  (define head (hash-ref state 'head))
  (define body (remove head (hash-ref state 'body)))  ; biting it costs coins
  (define steps-left (- (hash-ref (game-params game) 'max_steps) (hash-ref state 'steps)))
  (define coin (shortest board head #\$ body))
  (define worth-it? (and coin (<= (length coin) coin-points) (< (* 3 (length coin)) steps-left)))
  (define way (or (and worth-it? coin) (shortest board head #\_ body) (shortest board head #\_ '()) '("N")))
  (debug game (format "~a in ~a steps" (if worth-it? "a coin" "the exit") (length way)))
  (car way))

(play (hash 'snake_labyrinth choose) "snake-coins-racket")
