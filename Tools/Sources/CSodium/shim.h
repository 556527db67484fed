// libsodium: https://doc.libsodium.org/secret-key_cryptography/secret-key_authentication
#ifndef GANGWAY_CSODIUM_SHIM_H
#define GANGWAY_CSODIUM_SHIM_H

#include <sodium.h>

#endif
