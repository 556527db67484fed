// ncurses with wide characters, and functions for what it defines as macros or changing variables.
#ifndef GANGWAY_CNCURSES_SHIM_H
#define GANGWAY_CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
#include <locale.h>
#include <langinfo.h>
#include <ncurses.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>

// The C library declares it only with _XOPEN_SOURCE.
extern int wcwidth(wchar_t character);

static inline SCREEN *gangway_open(const char *type) { return newterm(type, stdout, stdin); }
static inline int gangway_can_move(void) {
  const char *move = tigetstr("cup");
  return move != NULL && move != (const char *)-1;
}
static inline WINDOW *gangway_screen(void) { return stdscr; }
static inline int gangway_add(int row, int column, const wchar_t *text, int count) {
  return mvaddnwstr(row, column, text, count);
}
static inline int gangway_attributes(unsigned int attributes, int pair) {
  return attr_set((attr_t)attributes, (short)pair, NULL);
}
static inline unsigned int gangway_bold(void) { return (unsigned int)A_BOLD; }
static inline unsigned int gangway_dim(void) { return (unsigned int)A_DIM; }
static inline unsigned int gangway_reverse(void) { return (unsigned int)A_REVERSE; }
static inline unsigned int gangway_underline(void) { return (unsigned int)A_UNDERLINE; }
static inline void gangway_mouse(void) {
  mousemask(
      BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED |
          REPORT_MOUSE_POSITION,
      NULL);
  mouseinterval(0);
}
static inline int gangway_is_press(mmask_t state) { return (state & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0; }
static inline int gangway_is_click(mmask_t state) { return (state & BUTTON1_CLICKED) != 0; }
static inline int gangway_is_release(mmask_t state) { return (state & BUTTON1_RELEASED) != 0; }
static inline int gangway_is_motion(mmask_t state) { return (state & REPORT_MOUSE_POSITION) != 0; }
static inline int gangway_is_wheel_up(mmask_t state) { return (state & BUTTON4_PRESSED) != 0; }
static inline int gangway_is_wheel_down(mmask_t state) { return (state & BUTTON5_PRESSED) != 0; }
static inline const char *gangway_codeset(void) { return nl_langinfo(CODESET); }
static inline int gangway_window_size(int descriptor, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

#endif
