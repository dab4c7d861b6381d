/* libarchive's reader of RAR from version 5 on, and what packed.c wants to know from inside it. */
#include "archive_read_support_format_rar5.c"
#include "packed.h"

int facts_rar5(struct archive_read *a) {
  const struct rar5 *rar = get_context(a);
  return (rar->main.volume ? SPLIT : 0) | (rar->main.solid ? SOLID_ALL : 0);
}

double crc_rar5(struct archive_read *a) {
  const struct rar5 *rar = get_context(a);
  return rar->file.stored_crc32 ? (double)rar->file.stored_crc32 : -1;
}

void list_only_rar5(struct archive_read *a) {
  struct rar5 *rar = get_context(a);
  rar->main.solid = 0;
  /* A solid entry is refused where nothing was expanded before it. */
  if (!rar->cstate.window_buf) rar->cstate.window_buf = malloc(1);
}
