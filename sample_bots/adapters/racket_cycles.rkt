#lang racket/base
;; Runs a file that defines LightCycle_FIRST_LAST, unchanged, as a bot of Light Cycles:
;;
;;     racket sample_bots/adapters/racket_cycles.rkt FILE.scm
;;
;; The file is read anew for each game, in the language mzscheme, before `ready`, so that its reading is not charged; a file
;; that is a module of its own (#lang ... or (module ...)) keeps its language. Both forms of the handout work:
;; (LightCycle_FIRST_LAST) that makes a team's procedure, and (LightCycle_FIRST_LAST TEAM CYCLES) that is it. Each turn it gets
;; vectors of its own. (load "Matrix.scm") finds the player's own file, else ours. An error is told on standard error and
;; as the move's `debug`, with where it was met, and the move is missing. What is printed goes to standard error; reading gives the end of the input at once.
(require "../racket/referee_bot.rkt" json racket/list racket/runtime-path)

(define-runtime-path matrix-file "Matrix.scm")
(define own-load (current-load))
(error-print-width 80)  ; of a value in an error's words

;; As Racket's own, but Matrix.scm is always there.
(define (load-with-matrix path expected)
  (define-values (folder name is-folder) (split-path path))
  (define ours? (and (not (file-exists? path)) (string-ci=? (path->string name) "matrix.scm")))
  (own-load (if ours? matrix-file path) expected))

;; What the player does must not reach the protocol, nor end the adapter.
(define-syntax-rule (fenced body ...)
  (parameterize ([current-output-port (current-error-port)]
                 [current-input-port (open-input-string "")]
                 [current-load load-with-matrix]
                 [exit-handler (lambda (status) (error (format "the player ended its program by (exit ~a)" status)))])
    body ...))

;; Whether the file is a module: it says its language by itself.
(define (module-file? file)
  (call-with-input-file file
    (lambda (in)
      (let skip ()
        (when (regexp-try-match #px"^(?:\\s+|;[^\n]*\n)" in) (skip)))
      (regexp-match-peek #px"^(?:#lang|#reader|\\(module)\\b" in))))

;; A namespace in which the file has been read. Nothing of it is shared with another game.
(define (fresh-namespace file)
  (define space (make-base-empty-namespace))
  (define folder (let-values ([(folder name is-folder) (split-path file)]) folder))
  (parameterize ([current-namespace space] [current-directory folder] [current-directory-for-user folder])
    (cond [(module-file? file)
           (dynamic-require file (void))
           (dynamic-require file #f)
           (module->namespace file)]
          [else
           (namespace-require 'mzscheme)
           (load file)
           space])))

;; The one name of the handout's form that the file defines.
(define (player-name space)
  (define names
    (for/list ([name (namespace-mapped-symbols space)]
               #:when (regexp-match? #rx"^(?i:LightCycle)_" (symbol->string name))
               #:when (procedure? (namespace-variable-value name #t (lambda () #f) space)))
      name))
  (cond [(= (length names) 1) (car names)]
        [(null? names) (error "the file defines no procedure whose name begins with LightCycle_; expected (define LightCycle_first_last ...)")]
        ;; Parts of the program may be named after it: the shortest is meant, where the others begin with it.
        [else
         (define shortest (argmin (lambda (name) (string-length (symbol->string name))) names))
         (unless (for/and ([name names]) (regexp-match? (string-append "^" (regexp-quote (symbol->string shortest))) (symbol->string name)))
           (error (format "the file defines several players, ~a; expected one LightCycle_first_last" names)))
         shortest]))

;; The procedure of (team number, vector of vectors) of a new instance.
(define (fresh-player file)
  (define space (fresh-namespace file))
  (define name (player-name space))
  (define given (namespace-variable-value name #t #f space))
  (parameterize ([current-namespace space])
    (cond [(procedure-arity-includes? given 0)
           (define team (given))
           (unless (and (procedure? team) (procedure-arity-includes? team 2))
             (error (format "(~a) returned ~e; expected the team's procedure of a team number and a vector" name team)))
           team]
          [(procedure-arity-includes? given 2) given]
          [else (error (format "~a takes other arguments than the handout's; expected none, or a team number and a vector" name))])))

;; In which procedure of the player's an error was met, as far as it left a trace: calls in tail position leave none.
(define (place-of failed)
  (define-values (home file is-folder) (split-path player-file))
  (or (for/or ([frame (continuation-mark-set->context (exn-continuation-marks failed))])
        (define at (cdr frame))
        (and at (path? (srcloc-source at)) (srcloc-line at)
             (let-values ([(folder name is-folder) (split-path (srcloc-source at))])
               (and (equal? folder home)
                    (format "where: in ~a, which begins in line ~a of ~a, or in what it calls" (or (car frame) "a procedure") (srcloc-line at) name)))))
      "where in the file is not known: DrRacket marks it when it calls the player with its team number and the cycles' places"))

;; Of a value that is too long for an error's words its beginning is enough, which games have in common.
(define (with-short-values words)
  (regexp-replace* #px"(?m:^(  [^:\n]+: [^)\n]{0,30}\\)?).*\\.\\.\\.$)" words "\\1 ..."))

(define (prepare game file)
  (set-game-memory! game
    (with-handlers ([exn:fail? (lambda (failed) (eprintf "~a\n" (exn-message failed)) failed)])
      (with-handlers ([exn:fail:read? (lambda (failed) (error (string-append "the file can't be read as Racket: " (exn-message failed))))])
        (fenced (fresh-player file))))))

;; A cell as JSON has it; what is none is null, so that it costs its own cycle only.
(define (cell-of value)
  (if (and (vector? value) (= (vector-length value) 2) (andmap exact-integer? (vector->list value)))
      (vector->list value)
      (json-null)))

(define (choose game)
  (define player (game-memory game))
  (when (exn? player) (raise player))
  (define cycles (for/vector ([cycle (hash-ref (game-state game) 'cycles)]) (apply vector cycle)))
  (define team (game-seat game))
  (define answer
    (with-handlers ([exn:fail? (lambda (failed)
                                 (raise (exn:fail (string-append (with-short-values (exn-message failed)) "; " (place-of failed))
                                                  (exn-continuation-marks failed))))])
      (fenced (player team cycles))))
  (unless (vector? answer)
    (error (format "the player returned ~a~e; expected a vector of vectors, such as (vector (vector 168 45) ...)~a"
                   (if (list? answer) "the list " "") answer (if (list? answer) ", which (list->vector ...) makes of a list" ""))))
  (define cells (map cell-of (vector->list answer)))
  (when (memq (json-null) cells)
    (debug game (format "a cell is a vector of two integers, such as (vector 168 45)~a: ~e"
                        (if (for/or ([value answer]) (list? value)) ", not a list" "") answer)))
  cells)

(define words (current-command-line-arguments))
(unless (and (= (vector-length words) 1) (file-exists? (vector-ref words 0)))
  (eprintf "expected the file with the player, such as: racket racket_cycles.rkt lightcycle.scm\n")
  (exit 2))
(define player-file (path->complete-path (vector-ref words 0)))
(play (hash 'light_cycles choose) "LightCycle" #:prepare (lambda (game) (prepare game player-file)))
