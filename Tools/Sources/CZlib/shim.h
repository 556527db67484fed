// zlib, whose function for the format of gzip is a macro.
#ifndef GANGWAY_CZLIB_SHIM_H
#define GANGWAY_CZLIB_SHIM_H

#include <string.h>
#include <zlib.h>

// Compresses bytes in the format gzip (RFC 1952): how many bytes that made, 0 where there is no room for them.
static inline unsigned long gangway_gzip(const unsigned char *bytes, unsigned long count, unsigned char *to, unsigned long room) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)bytes;
  stream.avail_in = (unsigned int)count;
  stream.next_out = to;
  stream.avail_out = (unsigned int)room;
  int status = deflate(&stream, Z_FINISH);
  deflateEnd(&stream);
  return status == Z_STREAM_END ? stream.total_out : 0;
}

#endif
