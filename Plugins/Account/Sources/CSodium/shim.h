// libsodium: https://doc.libsodium.org/password_hashing/default_phf
#ifndef GANGWAY_CSODIUM_SHIM_H
#define GANGWAY_CSODIUM_SHIM_H

#include <sodium.h>

#endif
