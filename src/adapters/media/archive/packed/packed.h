/* What packed.c asks of the three formats beyond libarchive's own interface; each is answered by packed-*.c. */
#ifndef PACKED_H
#define PACKED_H
#include <stdint.h>

struct archive_read;

enum { PACKED_7Z, PACKED_RAR, PACKED_RAR5 };
/* Of an archive as a whole. */
enum { SPLIT = 1, SOLID_ALL = 2 };

/* Entries of one number are packed together: who reads one expands those before it. -1: it stands alone. */
int group_7z(struct archive_read *);

int facts_rar(struct archive_read *);
/* CRC-32 of the entry at hand, as its archive has it; -1 where it has none. */
double crc_rar(struct archive_read *);

int facts_rar5(struct archive_read *);
double crc_rar5(struct archive_read *);
/* From here on the entries are only listed: skipping one expands nothing. */
void list_only_rar5(struct archive_read *);

#endif
