/* libarchive's reader of 7z, and what packed.c wants to know from inside it. */
#include "archive_read_support_format_7zip.c"
#include "packed.h"

int group_7z(struct archive_read *a) {
  const struct _7zip *zip = a->format->data;
  return zip->entry && zip->entry->ssIndex != (uint32_t)-1 ? (int)zip->entry->folderIndex : -1;
}
