// libedit's interface of readline, and functions for what it has as variables.
#ifndef GANGWAY_CEDITLINE_SHIM_H
#define GANGWAY_CEDITLINE_SHIM_H

#include <stdio.h>
#include <editline/readline.h>

// What completes the whole line: there are no words in it that stand alone.
static inline void gangway_complete_lines(char **(*complete)(const char *, int, int)) {
  rl_attempted_completion_function = complete;
  rl_basic_word_break_characters = "";
  rl_completer_word_break_characters = "";
  rl_completion_append_character = 0;
}
static inline void gangway_completion_is_over(void) { rl_attempted_completion_over = 1; }
// libedit would send the signals that it gets to the whole group of processes.
static inline void gangway_name_editor(const char *name) {
  rl_readline_name = name;
  rl_catch_signals = 0;
}

#endif
