/* libarchive's reader of RAR up to version 4, and what packed.c wants to know from inside it. */
#include "archive_read_support_format_rar.c"
#include "packed.h"

int facts_rar(struct archive_read *a) {
  const struct rar *rar = a->format->data;
  return (rar->main_flags & MHD_VOLUME ? SPLIT : 0) | (rar->main_flags & MHD_SOLID ? SOLID_ALL : 0);
}

double crc_rar(struct archive_read *a) {
  const struct rar *rar = a->format->data;
  return (double)(uint32_t)rar->file_crc;
}
