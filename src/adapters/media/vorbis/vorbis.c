/*
 * libvorbis and libogg as the app calls them: one encoder that gives Ogg pages, one decoder that takes packets.
 * scripts/build-vorbis.mjs makes vorbis.wasm of it. Every stream has a WebAssembly instance of its own, which ends with
 * it: nothing is freed here. NULL and negative numbers are failures; the caller lets go of the instance then.
 */
#include <stdlib.h>
#include <string.h>
#include <vorbis/codec.h>
#include <vorbis/vorbisenc.h>

#define EXPORT(name) __attribute__((export_name(name)))

typedef struct {
  vorbis_info info;
  vorbis_comment comment;
  vorbis_dsp_state dsp;
  vorbis_block block;
  ogg_stream_state stream;
  /* Pages that were not taken yet. */
  unsigned char *out;
  size_t used, room;
} encoder;

typedef struct {
  vorbis_info info;
  vorbis_comment comment;
  vorbis_dsp_state dsp;
  vorbis_block block;
  float **pcm;
} decoder;

/* Room that the caller writes packets into. */
EXPORT("allocate") void *allocate(size_t size) { return malloc(size); }

static int keep(encoder *e, const ogg_page *page) {
  size_t head = (size_t)page->header_len, body = (size_t)page->body_len;
  if (e->used + head + body > e->room) {
    size_t room = 2 * (e->used + head + body);
    unsigned char *out = realloc(e->out, room);
    if (!out) return -1;
    e->out = out;
    e->room = room;
  }
  memcpy(e->out + e->used, page->header, head);
  memcpy(e->out + e->used + head, page->body, body);
  e->used += head + body;
  return 0;
}

/* The pages of the headers are ready to be taken then. Quality from -0.1 to 1. */
EXPORT("encoder_open") encoder *encoder_open(int channels, int rate, float quality, int serial) {
  ogg_packet identification, comment, setup;
  ogg_page page;
  encoder *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  vorbis_info_init(&e->info);
  if (vorbis_encode_init_vbr(&e->info, channels, rate, quality)) return NULL;
  vorbis_comment_init(&e->comment);
  if (vorbis_analysis_init(&e->dsp, &e->info) || vorbis_block_init(&e->dsp, &e->block)) return NULL;
  if (ogg_stream_init(&e->stream, serial)) return NULL;
  if (vorbis_analysis_headerout(&e->dsp, &e->comment, &identification, &comment, &setup)) return NULL;
  ogg_stream_packetin(&e->stream, &identification);
  ogg_stream_packetin(&e->stream, &comment);
  ogg_stream_packetin(&e->stream, &setup);
  while (ogg_stream_flush(&e->stream, &page)) {
    if (keep(e, &page)) return NULL;
  }
  return e;
}

/* Bytes that are ready to be taken. */
EXPORT("encoder_ready") int encoder_ready(const encoder *e) { return (int)e->used; }

/* The number of the next page, when other header pages than those given stand before it. */
EXPORT("encoder_number") void encoder_number(encoder *e, int next) { e->stream.pageno = next; }

/* Where the next samples go, one array a channel in the order of Vorbis. */
EXPORT("encoder_buffer") float **encoder_buffer(encoder *e, int samples) {
  return vorbis_analysis_buffer(&e->dsp, samples);
}

/* So many samples were put there; 0 ends the stream. */
EXPORT("encoder_write") int encoder_write(encoder *e, int samples) {
  ogg_packet packet;
  ogg_page page;
  if (vorbis_analysis_wrote(&e->dsp, samples)) return -1;
  while (vorbis_analysis_blockout(&e->dsp, &e->block) == 1) {
    if (vorbis_analysis(&e->block, NULL) || vorbis_bitrate_addblock(&e->block)) return -1;
    while (vorbis_bitrate_flushpacket(&e->dsp, &packet)) {
      ogg_stream_packetin(&e->stream, &packet);
      while (ogg_stream_pageout(&e->stream, &page)) {
        if (keep(e, &page)) return -1;
      }
    }
  }
  while (samples == 0 && ogg_stream_flush(&e->stream, &page)) {
    if (keep(e, &page)) return -1;
  }
  return 0;
}

/* What is ready; good until the next call. */
EXPORT("encoder_take") unsigned char *encoder_take(encoder *e) {
  e->used = 0;
  return e->out;
}

EXPORT("decoder_open") decoder *decoder_open(void) {
  decoder *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  vorbis_info_init(&d->info);
  vorbis_comment_init(&d->comment);
  return d;
}

/* The headers in their order, 0 to 2. */
EXPORT("decoder_header") int decoder_header(decoder *d, unsigned char *bytes, int length, int number) {
  ogg_packet packet = {bytes, length, number == 0, 0, 0, number};
  if (vorbis_synthesis_headerin(&d->info, &d->comment, &packet)) return -1;
  if (number < 2) return 0;
  return vorbis_synthesis_init(&d->dsp, &d->info) || vorbis_block_init(&d->dsp, &d->block) ? -1 : 0;
}

/* Samples a channel that came out. */
EXPORT("decoder_packet") int decoder_packet(decoder *d, unsigned char *bytes, int length) {
  ogg_packet packet = {bytes, length, 0, 0, -1, 3};
  int samples;
  if (vorbis_synthesis(&d->block, &packet) || vorbis_synthesis_blockin(&d->dsp, &d->block)) return -1;
  samples = vorbis_synthesis_pcmout(&d->dsp, &d->pcm);
  vorbis_synthesis_read(&d->dsp, samples);
  return samples;
}

/* Those samples, one array a channel; good until the next packet. */
EXPORT("decoder_sound") float **decoder_sound(decoder *d) { return d->pcm; }
