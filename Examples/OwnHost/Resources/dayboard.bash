# Bash completions for dayboard.
complete -W '--open --plugin --without --frontend --screen-reader --script --fresh --safe-mode --record --help' dayboard
