; The other form of the slides: called with team and cycles at once; errs in its third turn, a broken cell in its second.
(define turn 0)
(define (LightCycle_alan_turing TeamNumber cycleLocationList)
  (set! turn (+ turn 1))
  (read-line)
  (if (= turn 3) (error "no idea"))
  (if (= turn 4) (exit 7))
  (vector (vector 1 2) (if (= turn 2) (list 1 2) (vector 3 4)) (vector 5 (* 1.0 turn))))
