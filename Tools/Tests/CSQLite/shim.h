// SQLite, by which tests look at the databases of an app from outside.
#include <sqlite3.h>
