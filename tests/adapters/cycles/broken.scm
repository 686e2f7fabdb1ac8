(define LightCycle_broken (lambda ()
