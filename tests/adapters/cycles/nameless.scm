(define (Light_Cycle) 1)
