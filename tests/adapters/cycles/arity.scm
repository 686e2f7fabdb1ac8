(define LightCycle_no_body (lambda (x) (vector)))
