; Its error tells of a vector of 140 numbers, in several lines.
(define (LightCycle_long_error team cycles) (vector-ref (make-vector 140 0) 200))
