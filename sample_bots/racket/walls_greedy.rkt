#lang racket/base
;; Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.
(require "referee_bot.rkt" racket/list)

(define steps (hash "N" '(-1 0) "E" '(0 1) "S" '(1 0) "W" '(0 -1)))
(define clockwise '("N" "E" "S" "W"))

(define (ahead at facing)
  (map + at (hash-ref steps facing)))

(define (turned facing by)
  (list-ref clockwise (modulo (+ (index-of clockwise facing) by) 4)))

(define (choose game)
  (define board (list->vector (hash-ref (game-state game) 'board)))
  (define players (hash-ref (game-state game) 'players))
  (define own (list-ref players (game-seat game)))
  (define other (hash-ref (list-ref players (- 1 (game-seat game))) 'at))
  (define others-brick (if (= 0 (game-seat game)) #\B #\A))
  (define (cell at) (string-ref (vector-ref board (first at)) (second at)))
  (define (open? at)
    (and (andmap (lambda (place) (<= 0 place (sub1 (vector-length board)))) at)
         (not (equal? at other))
         (not (eqv? (cell at) others-brick))))
  (let search ([places (list (list (hash-ref own 'at) (hash-ref own 'facing) #f))] [seen (hash)])
    (cond
      [(null? places) "L"]  ; no brick can be had any more
      [else
       (define-values (at facing first-move) (apply values (car places)))
       (cond
         [(hash-ref seen (list at facing) #f) (search (cdr places) seen)]
         [(and (eqv? (cell at) #\.) (open? (ahead at facing))) (or first-move "F")]
         [else
          (define ways (list (list at (turned facing -1) (or first-move "L")) (list at (turned facing 1) (or first-move "R"))))
          (define forward (if (open? (ahead at facing)) (list (list (ahead at facing) facing (or first-move "F"))) '()))
          (search (append (cdr places) forward ways) (hash-set seen (list at facing) #t))])])))

(play (hash 'walls choose) "walls-greedy-racket")
