; What the course's Matrix.scm gives, as far as the handout shows it: a table of rows and columns, counted from 0, that holds
; 0 everywhere at first. Written for this project; used where a player has no file of this name beside it.

(define (matrix rows columns . fill)
  (define (row ignored)
    (make-vector columns (if (null? fill) 0 (car fill))))
  (let ((all (make-vector rows #f)))
    (do ((i 0 (+ i 1))) ((= i rows) all)
      (vector-set! all i (row i)))))

(define (matrix-rows m)
  (vector-length m))

(define (matrix-cols m)
  (if (= 0 (vector-length m)) 0 (vector-length (vector-ref m 0))))

(define (matrix-ref m i j)
  (vector-ref (vector-ref m i) j))

(define (matrix-set! m i j value)
  (vector-set! (vector-ref m i) j value))
