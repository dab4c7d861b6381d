/*
 * libarchive as the app calls it: one 7z or RAR archive, read from front to back. scripts/build-packed.mjs makes
 * packed.wasm of it. Each archive has a WebAssembly instance of its own, which ends with it: nothing is freed here.
 *
 *   packed_open -> packed_next (an entry) -> packed_read, packed_read, ... -> packed_next ...
 *                       |
 *                       +- 1: no more     negative: the instance is of no use any more, packed_error says why
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include "archive_platform.h"
#include "archive.h"
#include "archive_entry.h"
#include "archive_private.h"
#include "archive_read_private.h"
#include "packed.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* Fills memory from the archive's bytes at this place; fewer than wanted at its end, negative where it cannot be read. */
__attribute__((import_module("archive"), import_name("read"))) int host_read(double at, void *into, int length);

/* Each read is a message to the file system. */
#define BLOCK (256 * 1024)

static struct {
  struct archive *archive;
  struct archive_entry *entry;
  int format, listing, facts, index;
  int64_t at, size, offset;
  unsigned char *block;
  const void *piece;
  size_t length;
} it;

static la_ssize_t read_block(struct archive *a, void *data, const void **buffer) {
  int64_t left = it.size - it.at;
  int wanted = left < BLOCK ? (int)(left > 0 ? left : 0) : BLOCK;
  int got = wanted == 0 ? 0 : host_read((double)it.at, it.block, wanted);
  if (got < 0) {
    archive_set_error(a, ARCHIVE_ERRNO_MISC, "host read failed");
    return ARCHIVE_FATAL;
  }
  *buffer = it.block;
  it.at += got;
  return got;
}

static la_int64_t skip_bytes(struct archive *a, void *data, la_int64_t wanted) {
  int64_t left = it.size - it.at;
  int64_t skipped = wanted < left ? wanted : left;
  if (skipped < 0) skipped = 0;
  it.at += skipped;
  return skipped;
}

static la_int64_t seek_to(struct archive *a, void *data, la_int64_t offset, int whence) {
  int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? it.at : it.size;
  if (from + offset < 0) return ARCHIVE_FATAL;
  it.at = from + offset;
  return it.at;
}

static struct archive_read *inside(void) { return (struct archive_read *)it.archive; }

/* format: as in packed.h. listing: only names and sizes are wanted. 0, or negative. */
EXPORT("packed_open") int packed_open(int format, double size, int listing) {
  /* Names come out in UTF-8. */
  setlocale(LC_CTYPE, "C.UTF-8");
  it.format = format;
  it.listing = listing;
  it.size = (int64_t)size;
  it.index = -1;
  it.block = malloc(BLOCK);
  it.archive = archive_read_new();
  if (!it.block || !it.archive) return ARCHIVE_FATAL;
  struct archive *a = it.archive;
  int known = format == PACKED_7Z    ? archive_read_support_format_7zip(a)
              : format == PACKED_RAR ? archive_read_support_format_rar(a)
                                     : archive_read_support_format_rar5(a);
  if (known < ARCHIVE_WARN) return known;
  archive_read_set_read_callback(a, read_block);
  archive_read_set_skip_callback(a, skip_bytes);
  archive_read_set_seek_callback(a, seek_to);
  /* One file, not several one after the other. */
  archive_read_set_callback_data(a, NULL);
  return archive_read_open1(a);
}

/* Goes to the next entry: 0; 1 where there is none; negative where the archive cannot be read any further. */
EXPORT("packed_next") int packed_next(void) {
  int result = archive_read_next_header(it.archive, &it.entry);
  if (result == ARCHIVE_RETRY) result = archive_read_next_header(it.archive, &it.entry);
  if (it.archive && inside()->format) {
    if (it.format == PACKED_RAR) it.facts |= facts_rar(inside());
    if (it.format == PACKED_RAR5) it.facts |= facts_rar5(inside());
    if (it.format == PACKED_RAR5 && it.listing) list_only_rar5(inside());
  }
  if (result == ARCHIVE_EOF) return 1;
  if (result < ARCHIVE_WARN) return result;
  it.index++;
  it.offset = 0;
  return 0;
}

/* Known once packed_next was called: SPLIT, SOLID_ALL. */
EXPORT("packed_facts") int packed_facts(void) { return it.facts; }

EXPORT("packed_encrypted") int packed_encrypted(void) {
  return it.archive && archive_read_has_encrypted_entries(it.archive) > 0;
}

EXPORT("packed_error") const char *packed_error(void) {
  const char *words = it.archive ? archive_error_string(it.archive) : NULL;
  return words ? words : "";
}

/* Of the entry at hand: its name as bytes, NULL where none can be had. */
EXPORT("entry_name") const char *entry_name(void) { return archive_entry_pathname(it.entry); }
/* Bytes; negative where the archive does not say. */
EXPORT("entry_size") double entry_size(void) {
  return archive_entry_size_is_set(it.entry) ? (double)archive_entry_size(it.entry) : -1;
}
/* 0 a file, 1 a folder, 2 a link, 3 a device or the like. */
EXPORT("entry_type") int entry_type(void) {
  unsigned type = archive_entry_filetype(it.entry);
  if (archive_entry_hardlink(it.entry) || archive_entry_symlink(it.entry) || type == AE_IFLNK) return 2;
  return type == AE_IFDIR ? 1 : type == AE_IFREG || type == 0 ? 0 : 3;
}
EXPORT("entry_encrypted") int entry_encrypted(void) { return archive_entry_is_data_encrypted(it.entry); }
/* CRC-32, for the caller to check: libarchive checks none of what lies in a RAR as it is. -1: there is none, or it is checked. */
EXPORT("entry_crc") double entry_crc(void) {
  return it.format == PACKED_7Z ? -1 : it.format == PACKED_RAR ? crc_rar(inside()) : crc_rar5(inside());
}
/* See group_7z. */
EXPORT("entry_group") int entry_group(void) {
  if (it.format == PACKED_7Z) return group_7z(inside());
  return it.facts & SOLID_ALL ? 0 : -1;
}

/*
 * The next piece of the entry: 1, then packed_piece and packed_length say where it lies until the next call; 0 at its
 * end; -1 where its checksum is wrong, and other entries can still be read; -2 where nothing more can be.
 */
EXPORT("packed_read") int packed_read(void) {
  la_int64_t offset = 0;
  int result = archive_read_data_block(it.archive, &it.piece, &it.length, &offset);
  if (result == ARCHIVE_EOF) return 0;
  if (result == ARCHIVE_WARN || result == ARCHIVE_FAILED) return -1;
  if (result != ARCHIVE_OK || offset != it.offset) return -2;
  it.offset += (int64_t)it.length;
  return 1;
}
EXPORT("packed_piece") const void *packed_piece(void) { return it.piece; }
EXPORT("packed_length") int packed_length(void) { return (int)it.length; }
