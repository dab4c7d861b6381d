import { failure } from '#core/errors.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import { needsServer } from '#ui/client/server-client.ts';
import { catalog } from '../client.ts';
import { soundOutputError } from './play-error.ts';
import { player } from './player.svelte.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

type OpenClient = () => Promise<Pick<Awaited<ReturnType<typeof catalog>>, 'signedUrl'>>;
type Playable = Pick<Track, 'id' | 'title' | 'artist'>;

/** Plays published tracks through signed URLs, one at a time. The page draws the `<audio>` of `url`. */
export class CatalogPlayer {
  track = $state.raw<Playable | null>(null);
  url = $state<string | null>(null);
  paused = $state(true);
  /** Where it is, in seconds; the page writes it while it plays. */
  at = 0;
  #expires = 0;
  readonly #open: OpenClient;
  readonly #now: () => number;

  /** `now`: milliseconds since the epoch. */
  constructor(open: OpenClient = catalog, now: () => number = Date.now) {
    this.#open = open;
    this.#now = now;
  }

  /** Plays it; pauses or goes on when it is the one that is loaded. */
  async toggle(track: Playable): Promise<void> {
    if (this.track?.id === track.id && this.url !== null) {
      this.paused = !this.paused;
      return;
    }
    await this.play(track);
  }

  /** `at`: from this second on. */
  async play(track: Playable, at = 0): Promise<void> {
    player.stop();
    this.track = track;
    this.url = null;
    this.at = at;
    const client = await this.#open();
    const signed = await client.signedUrl(`/v1/catalog/tracks/${encodeURIComponent(track.id)}/audio`);
    // Another one was chosen, or this one closed, while the server was asked.
    if (this.track.id !== track.id) return;
    if (!signed.ok) {
      this.stop();
      toasts.fail(needsServer(signed.failure, 'Listening needs the server. Try again when it is back.'));
      return;
    }
    this.#expires = signed.value.expires_at;
    this.url = signed.value.url;
    this.paused = false;
  }

  stop(): void {
    this.track = null;
    this.url = null;
    this.paused = true;
  }

  /** The sound broke off: a URL that ran out is renewed and heard on, anything else is said. */
  async failed(error: Pick<MediaError, 'code' | 'message'> | null | undefined): Promise<void> {
    const { track } = this;
    if (track === null) return;
    if (this.#now() > this.#expires) {
      await this.play(track, this.at);
      return;
    }
    this.stop();
    const silent = soundOutputError(error?.message ?? '');
    if (silent !== null)
      return toasts.fail(failure('file_unsupported', silent, { remedy: 'Connect one, and play it again.' }));
    toasts.fail(
      error?.code === MediaError.MEDIA_ERR_DECODE
        ? failure('file_unsupported', `This browser cannot play "${track.title}".`, {
            remedy: 'It is Ogg Vorbis; another browser can play it.',
          })
        : failure('offline', `"${track.title}" could not be loaded from the server.`, {
            remedy: 'Listening needs the server. Try again when it can be reached.',
          }),
    );
  }
}

export const catalogPlayer = new CatalogPlayer();
