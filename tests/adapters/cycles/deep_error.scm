; Its error is inside of a procedure that its player calls.
(define (second list)
  (cons (cadr list) 0))
(define (LightCycle_deep_error team cycles)
  (vector (second '(1))))
