; The slides' form: a constructor, persistent state, Matrix.scm, one-armed if, prints by habit.
(load "Matrix.scm")
(define games 0)  ; 1 in every game, because the file is read anew
(define LightCycle_ada_lovelace
  (lambda ()
    (define grid (matrix 170 170))
    (define turn 0)
    (define directions (vector #f #f #f))
    (set! games (+ games 1))
    (if (> games 1) (error "read once for two games"))
    (define team
      (lambda (number cycles)
        (set! turn (+ turn 1))
        (if (not (= (vector-length cycles) 12)) (error "expected 12 cycles"))
        (display "thinking about turn ") (display turn) (newline)
        (let ((answer (make-vector 3)))
          (do ((i 0 (+ i 1))) ((= i 3))
            (let* ((at (vector-ref cycles (+ i (* 3 number))))
                   (x (vector-ref at 0)) (y (vector-ref at 1)))
              (if (and (= turn 1) (not (= 0 (matrix-ref grid x y)))) (error "the grid isn't empty"))
              (if (>= x 0) (matrix-set! grid x y 1))
              (vector-set! answer i (vector (+ x (case number ((0) -1) ((2) 1) (else 0)))
                                            (+ y (case number ((1) -1) ((3) 1) (else 0)))))
              ; the vectors are its own: to write on them harms nobody
              (vector-set! at 0 -1)))
          answer)))
    team))
