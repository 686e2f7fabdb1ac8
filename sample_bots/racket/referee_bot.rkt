#lang racket/base
;; The smallest way to a bot in Racket: write a function, call play.
;;
;;     #lang racket/base
;;     (require "referee_bot.rkt")
;;     (play (hash 'walls (lambda (game) "F")) "my-bot")
;;
;; Nothing but Racket 8 is needed. The environment says where the referee is, as the referee sets it for the bots that it
;; launches:
;;
;;     REFEREE_ADDRESS   host:port, or tls://host:port#sha256=... as the instructor gives it; without it the bot talks over
;;                       standard input and output
;;     REFEREE_NAME      the name to log in with; without it the one given to play
;;     REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
;;     REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it
;;     REFEREE_VERSION   which version of the bot this is, such as 2.1; may be missing
;;
;; With the option --self-play the bot plays against itself, by the program `referee` in PATH:
;; racket my_bot.rkt --self-play walls

(require json openssl racket/list racket/match racket/string racket/system racket/tcp racket/path)
(provide play (struct-out game) left-ms debug patched)

(define status-finished 0)
(define status-refused 2)
(define status-lost 3)
(define status-interrupted 130)
(define pause-first-s 0.05)
(define pause-max-s 2.0)
(define first-patience-s 10)  ; for a referee that isn't there yet
(define patience-s 60)        ; a referee that stays away longer has given the game up
(define port-max 65535)
(define hash-bytes 32)
(define login-wait-s 20)      ; for the referee's first word

;; A game that is on, as a bot sees it. JSON's objects are hashes by symbol, its arrays lists, its null is (json-null).
(struct game (id kind seat names params  ; which game, your seat (from 0), the players, the setup with all defaults filled in
              [state #:mutable]          ; as the game's page describes it
              [turn #:mutable]
              [budget-us #:mutable]      ; what this turn may take
              [last #:mutable]           ; how your last turn went, or #f
              [resumed? #:mutable]       ; the connection was lost, and the game goes on
              [history #:mutable]        ; after a reconnect: a hash (moves, used_us) for each turn so far
              [memory #:mutable]         ; yours, for the length of the game; a lost connection doesn't clear it
              [began #:mutable]
              [note #:mutable]))

;; Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it.
(define (left-ms game)
  (- (/ (game-budget-us game) 1000.0) (- (current-inexact-milliseconds) (game-began game))))

;; Keeps a text for you alone beside this turn's move.
(define (debug game text)
  (set-game-note! game text))

;; For people: standard output may belong to the referee. One write, so that lines of two programs don't mix.
(define (say form . values)
  (write-string (string-append (apply format form values) "\n") (current-error-port))
  (flush-output (current-error-port)))

;; The state after a list of changes: add, replace and remove of RFC 6902.
(define (patched state changes)
  (define (name-in text) (string-replace (string-replace text "~1" "/") "~0" "~"))
  (define (put place names op value)
    (match names
      ['() value]
      [(list name more ...) #:when (hash? place)
       (define key (string->symbol name))
       (cond [(pair? more) (hash-set place key (put (hash-ref place key) more op value))]
             [(equal? op "remove") (hash-remove place key)]
             [else (hash-set place key value)])]
      [(list name more ...)
       (define at (if (equal? name "-") (length place) (string->number name)))
       (define-values (before rest) (split-at place at))
       (append before
               (cond [(pair? more) (cons (put (car rest) more op value) (cdr rest))]
                     [(equal? op "remove") (cdr rest)]
                     [(equal? op "add") (cons value rest)]
                     [else (cons value (cdr rest))]))]))
  (for/fold ([state state]) ([change changes])
    (define path (hash-ref change 'path))  ; the empty one is the whole state
    (define names (if (equal? path "") '() (map name-in (cdr (string-split path "/" #:trim? #f)))))
    (put state names (hash-ref change 'op) (hash-ref change 'value #f))))

;; A move as JSON can say it: vectors become lists, symbols and characters texts.
(define (sayable move)
  (cond [(vector? move) (map sayable (vector->list move))]
        [(list? move) (map sayable move)]
        [(and (symbol? move) (not (eq? move (json-null)))) (symbol->string move)]
        [(char? move) (string move)]
        [(jsexpr? move) move]
        [else (error (format "the function returned ~e, which is no move; it should return one, such as \"F\"" move))]))

(define (begun start)
  (game (hash-ref start 'game_id) (string->symbol (hash-ref start 'game)) (hash-ref start 'seat) (hash-ref start 'names)
        (hash-ref start 'params) (hash-ref start 'state) (hash-ref start 'turn 0) 0 #f #f '() #f 0 #f))

;; What is kept from one connection to the next: the choosers, the name, and the games that are on, by id.
(struct bot (choosers name prepare [games #:mutable] [welcomed? #:mutable]))

(define (login bot)
  (for/fold ([line (hasheq 'type "login" 'name (or (getenv "REFEREE_NAME") (bot-name bot)) 'client "Racket kit 1"
                           'games (map symbol->string (hash-keys (bot-choosers bot))) 'state "delta")])
            ([proof '(token password version)] [variable '("REFEREE_TOKEN" "REFEREE_PASSWORD" "REFEREE_VERSION")] #:when (getenv variable))
    (hash-set line proof (getenv variable))))

(define (on-start bot before start)
  (define resumed? (eq? #t (hash-ref start 'resumed #f)))
  (define id (hash-ref start 'game_id))
  (define game (or (and resumed? (hash-ref before id #f)) (begun start)))
  (set-game-resumed?! game resumed?)
  (set-game-history! game '())
  (set-game-state! game (hash-ref start 'state))
  (say "game ~a ~a: ~a, ~a" id (if resumed? (format "goes on from turn ~a" (hash-ref start 'turn)) "begins") (game-kind game)
       (string-join (game-names game) " against "))
  (set-bot-games! bot (hash-set (bot-games bot) id game))
  (unless resumed? ((bot-prepare bot) game))
  (hasheq 'type "ready" 'game_id id))

;; The file and the line of the innermost function that isn't the kit's, as far as Racket knows them and the words don't tell.
(define (place-of raised words)
  (or (for*/first ([call (if (exn? raised) (continuation-mark-set->context (exn-continuation-marks raised)) '())]
                   [file (in-value (and (cdr call) (last (string-split (format "~a" (srcloc-source (cdr call))) "/"))))]
                   #:unless (member file '(#f "referee_bot.rkt")))
        (if (string-contains? words file) "" (format " (~a, line ~a)" file (srcloc-line (cdr call)))))
      ""))

(define (on-turn bot game message read-at)
  (set-game-turn! game (hash-ref message 'turn))
  (set-game-budget-us! game (hash-ref message 'budget_us 0))
  (set-game-last! game (hash-ref message 'last #f))
  (set-game-began! game read-at)
  (set-game-note! game #f)
  (set-game-state! game (if (hash? (hash-ref message 'state #f))
                            (hash-ref message 'state)
                            (patched (game-state game) (hash-ref message 'delta '()))))
  (define move
    (with-handlers ([(lambda (raised) (not (exn:break? raised)))
                     (lambda (raised)
                       (define words (if (exn? raised) (regexp-replace* #px"\\s*\n\\s*" (exn-message raised) ", ") (format "raised ~e" raised)))
                       (say "no move in turn ~a of game ~a, the turn is given away:" (game-turn game) (game-id game))
                       ((error-display-handler) words raised)  ; with its context
                       (debug game (string-append "failed: " words (place-of raised words)))
                       (json-null))])
      (sayable ((hash-ref (bot-choosers bot) (game-kind game)) game))))
  (define answer (hasheq 'type "move" 'game_id (game-id game) 'turn (game-turn game) 'move move))
  (if (game-note game) (hash-set answer 'debug (format "~a" (game-note game))) answer))

(define (on-end bot game message)
  (define seats (hash-ref message 'seats))
  (define own (list-ref seats (game-seat game)))
  (define place (if (null? (cdr seats)) "" (format "place ~a of ~a, " (hash-ref own 'place) (length seats))))
  (say "game ~a is over: ~ascore ~a: ~a" (game-id game) place (hash-ref own 'score) (hash-ref message 'reason))
  (set-bot-games! bot (hash-remove (bot-games bot) (game-id game))))

(define (farewell bot message)
  (define reason (hash-ref message 'reason "finished"))
  (define words (hash-ref message 'message reason))
  (define unwanted? (member reason '("refused" "replaced")))
  (say (if (and unwanted? (not (bot-welcomed? bot))) "login refused: ~a" "goodbye: ~a") words)
  (if unwanted? status-refused status-finished))

;; Answers the referee's messages. A status when it says goodbye, #f when the stream ends.
(define (listen bot in out)
  (define before (bot-games bot))
  (set-bot-welcomed?! bot #f)
  (let next ()
    (define line (read-line in 'linefeed))
    (define read-at (current-inexact-milliseconds))
    (define message (and (string? line) (non-empty-string? (string-trim line)) (string->jsexpr line)))
    (define game (and message (hash-ref (bot-games bot) (hash-ref message 'game_id #f) #f)))
    (define answer
      (and message
           (match (hash-ref message 'type #f)
             ["hello" (login bot)]
             ["welcome" (set-bot-welcomed?! bot #t) (set-bot-games! bot (hash)) #f]
             ["ping" (hasheq 'type "pong" 'id (hash-ref message 'id))]
             ["start" (on-start bot before message)]
             ["history" (when game (set-game-history! game (append (game-history game) (hash-ref message 'turns)))) #f]
             ["turn" (and game (on-turn bot game message read-at))]
             ["end" (when game (on-end bot game message)) #f]
             [(and kind (or "error" "fault" "note"))
              (define where (if (equal? kind "fault") (format " in game ~a, turn ~a" (hash-ref message 'game_id) (hash-ref message 'turn)) ""))
              (say "~a~a: ~a: ~a" kind where (hash-ref message 'code "") (hash-ref message 'message "")) #f]
             ["bye" (farewell bot message)]
             [_ #f])))  ; messages that a later protocol adds are passed over
    (cond [(eof-object? line) #f]
          [(integer? answer) answer]
          [else
           (when answer
             (write-string (string-append (jsexpr->string answer) "\n") out)
             (flush-output out))
           (next)])))

(struct where (host port tls? fingerprint))
(struct exn:address exn:fail ())
(struct exn:certificate exn:fail ())

;; host:port or tls://host:port#sha256=..., also with an IPv6 address in brackets.
(define (split-address address)
  (match (regexp-match #px"^(tls://)?(\\[[^\\]]+\\]|[^\\s#:]+):(\\d{1,5})(?:#sha256=([0-9A-Fa-f:]+))?$" address)
    [(list _ tls host (app string->number port) digits)
     #:when (and (<= 1 port port-max)
                 (or (not digits) (and tls (= (* 2 hash-bytes) (string-length (string-replace digits ":" ""))))))
     (where (string-trim host #rx"[][]") port (and tls #t) (and digits (string-downcase (string-replace digits ":" ""))))]
    [_ (raise (exn:address (format "REFEREE_ADDRESS must be host:port, such as localhost:7777, or tls://host:port#sha256= with 64 \
hexadecimal digits, not '~a'" address) (current-continuation-marks)))]))

;; Both ends of a connection. Refuses to talk to another certificate than the address names.
(define (dial place)
  (match-define (where host port tls? fingerprint) place)
  (define-values (in out)
    (cond [(not tls?) (tcp-connect host port)]
          [fingerprint (ssl-connect host port (ssl-make-client-context 'auto))]  ; it is compared instead of names and authorities
          [else (ssl-connect host port (ssl-secure-client-context))]))
  (when fingerprint
    ;; The hash that the certificate's own signature uses, which is SHA-256 in the referee's.
    (define found (apply string-append (for/list ([byte (ssl-channel-binding in 'tls-server-end-point)])
                                         (string-append (if (< byte 16) "0" "") (number->string byte 16)))))
    (unless (equal? found fingerprint)
      (close-output-port out)
      (raise (exn:certificate (format "another certificate than the address names answers there: expected sha256=~a, found sha256=~a; \
no token was sent. Ask the instructor whether the referee has a new one" fingerprint found) (current-continuation-marks)))))
  (values in out))

;; Over standard input and output. What the program prints goes to standard error meanwhile, and it finds nothing to read.
(define (play-launched bot out)
  (or (listen bot protocol-input out)
      (begin (say "the connection broke: the referee is gone") status-lost)))

;; Over TCP. Dials again, with growing pauses, where the connection is lost.
(define (play-dialled bot address)
  (define place (split-address address))
  (let again ([patience first-patience-s] [pause pause-first-s])
    (define ending  ; a status, or a text
      (with-handlers ([exn:certificate? raise]
                      [exn:fail:read? (lambda (_) (error (format "what answers at ~a is no referee" address)))]
                      [exn:fail:network? exn-message])
        (define-values (in out) (dial place))
        (begin0 (or (listen bot in out) "the connection was lost")
                (close-input-port in)
                (with-handlers ([exn:fail? void]) (close-output-port out)))))
    (cond [(integer? ending) ending]
          [(and (<= patience 0) (not (bot-welcomed? bot))) (error ending)]
          [else
           (say "~a, trying again" ending)
           (sleep pause)
           (if (bot-welcomed? bot)
               (begin (set-bot-welcomed?! bot #f) (again patience-s pause-first-s))
               (again (- patience pause) (min (* 2 pause) pause-max-s)))])))

;; A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`.
(define (self-play choosers options)
  (define kind (if (pair? options) (car options) (symbol->string (car (hash-keys choosers)))))
  (define (quoted text) (string-append "'" (string-replace text "'" "'\\''") "'"))
  (define program (path->string (path->complete-path (find-system-path 'run-file))))  ; the bot's file
  (define referee (find-executable-path "referee"))
  (define seats (match kind ["walls" 2] ["light_cycles" 4] [_ 1]))
  (cond [referee
         (environment-variables-set! (current-environment-variables) #"REFEREE_ADDRESS" #f)
         (apply system*/exit-code referee "play" kind
                (append (append* (make-list seats (list "--bot" (string-append "racket " (quoted program)))))
                        (list "--reads" (path->string (path-only program)))
                        (if (pair? options) (cdr options) '())))]
        [else
         (say "self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it was \
built (build/release/bin) to PATH")
         status-refused]))

;; Plays until the referee says goodbye, and ends the program: with status 0; 2 where the login was refused or an option is
;; wrong; 3 where there is no connection.
;;
;; `choosers` has a function for each kind of game that the bot plays: it is given the game and returns the move: texts, numbers,
;; lists or vectors of them. Where it fails, the turn is given away, and standard error says why. `prepare` is called with each
;; game before it begins, when time is still free.
(define (play choosers name #:prepare [prepare void])
  (define address (getenv "REFEREE_ADDRESS"))
  (define options (vector->list (current-command-line-arguments)))
  (define self (member "--self-play" options))
  (exit
   (with-handlers ([exn:break? (lambda (_) status-interrupted)]  ; Ctrl-C
                   [exn:fail? (lambda (failed)
                                (say "cannot reach the referee: ~a" (exn-message failed))
                                (if (exn:address? failed) status-refused status-lost))])
     (define one (bot choosers name prepare (hash) #f))
     (cond [self (self-play choosers (cdr self))]
           [address (play-dialled one address)]
           [(and (pair? options) (string-prefix? (car options) "-") (not (getenv "REFEREE_NAME")))
            (say "no such option: ~a; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS" (car options))
            status-refused]
           [else (when (terminal-port? protocol-input)
                   (say "REFEREE_ADDRESS is not set: this bot waits for a referee on its standard input"))
                 (play-launched one protocol-output)]))))

;; From here on, and before any bot's own code: what it prints must not get between the messages.
(define protocol-input (current-input-port))
(define protocol-output (current-output-port))
(unless (getenv "REFEREE_ADDRESS")
  (unless (member "--self-play" (vector->list (current-command-line-arguments)))
    (current-input-port (open-input-string ""))
    (current-output-port (current-error-port))))
