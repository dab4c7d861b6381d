import { toFailure } from '#core/errors.ts';
import type { MusicJob } from '#lanes/music/core/types.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import { listeningCopies, storedFile, catalog } from '../client.ts';
import { needsServer } from '#ui/client/server-client.ts';
import { listenTo, stretchOf, type Listened } from './listen.ts';
import { Listening, type LaneIndex } from './listening.svelte.ts';
import { soundOutputError } from './play-error.ts';
import { Wave } from './wave.svelte.ts';

/** Sound up to this long is drawn at once, longer sound when a person asks; of longer sound no copy is made. Milliseconds. */
const DRAWN_AT_ONCE = 20 * 60_000;

/** One file in the dock, beside the audio of a track that it might be. */
export class ListenSession {
  listened = $state.raw<Listened | null>(null);
  /** The track whose audio is in the second lane. */
  track = $state.raw<Track | null>(null);
  /** What is to be said of each lane. */
  readonly notes = $state<[string | null, string | null]>([null, null]);
  readonly waves: readonly [Wave, Wave] = [new Wave(), new Wave()];
  readonly listening: Listening;
  readonly #rested: () => void;
  #url: string | null = null;
  /** What is heard of the file where it is not the file itself: its result, or a copy. SHA-256. */
  #instead: string | null = null;
  readonly #ending = new AbortController();
  /** When the URL of the catalog's audio runs out; epoch milliseconds. */
  #expires = 0;

  constructor(rested: () => void) {
    this.#rested = rested;
    this.listening = new Listening({
      audio: () => new Audio(),
      rested,
      failed: (lane, code, said) => void (lane === 0 ? this.#fileFailed(said) : this.#trackFailed(code, said)),
    });
  }

  /** Tracks that have audio in the catalog. */
  get available(): Track[] {
    return this.listened?.candidates.filter((track) => track.availability === 'available') ?? [];
  }

  get #ended(): boolean {
    return this.#ending.signal.aborted;
  }

  async open(jobId: string): Promise<void> {
    this.listened = await listenTo(jobId);
    if (this.#ended) return;
    if (this.listened === null) return this.#silent('This file is not in the list any more.');
    const [first] = this.available;
    if (first !== undefined) void this.choose(first);
    await this.#openFile(this.listened.job.sha256);
  }

  /** Puts this track's audio into the second lane. */
  async choose(track: Track): Promise<void> {
    this.track = track;
    this.notes[1] = null;
    this.waves[1].recall(waveKey(track));
    this.listening.close(1);
    const url = await this.#signed(track);
    if (url !== null && this.track.id === track.id && !this.#ended)
      this.listening.open(1, url, null, (track.duration_ms ?? 0) / 1000);
  }

  /** The waveform of a lane that is made only when a person asks: the catalog's has to be fetched. */
  async draw(lane: LaneIndex): Promise<void> {
    if (lane === 0) return this.#drawFile();
    const { track } = this;
    if (track === null) return;
    await this.waves[1].make(waveKey(track), async () => {
      const url = await this.#signed(track);
      return url === null ? null : { kind: 'served', url, duration_ms: track.duration_ms };
    });
  }

  close(): void {
    this.#ending.abort();
    for (const wave of this.waves) wave.reset();
    this.listening.pause();
    this.listening.close(0);
    this.listening.close(1);
    this.#forgetUrl();
  }

  async #openFile(sha256: string | null): Promise<void> {
    const job = this.listened?.job;
    if (job === undefined) return;
    try {
      if (sha256 === null) throw new Error('nothing is stored');
      const blob = await storedFile(sha256);
      if (this.#ended) return;
      this.#forgetUrl();
      // A URL of the file on disk: the browser reads of it what is heard.
      this.#url = URL.createObjectURL(blob);
      const result = this.#instead !== null && this.#instead === job.output_sha256;
      const length = (result ? job.output_duration_ms : job.duration_ms) ?? 0;
      this.listening.open(0, this.#url, this.#instead === null ? stretchOf(job) : null, length / 1000);
      if (length > 0 && length <= DRAWN_AT_ONCE) void this.#drawFile();
    } catch (thrown) {
      if (this.#ended) return;
      const gone = job.status === 'COMPLETED' || sha256 === null;
      this.#silent(
        gone ? 'The original is not kept in this browser any more.' : toFailure(thrown, job.original_filename).message,
      );
    }
  }

  async #drawFile(): Promise<void> {
    const job = this.listened?.job;
    const sha256 = this.#instead ?? job?.sha256;
    if (job === undefined || sha256 == null) return;
    const stretch = this.#instead === null ? stretchOf(job) : null;
    const start_ms = (stretch?.start ?? 0) * 1000;
    const end_ms = stretch === null || stretch.end === null ? null : stretch.end * 1000;
    // What is left of the file after the start is known only where nothing is left out.
    const duration_ms = stretch === null ? job.duration_ms : null;
    await this.waves[0].make(`${sha256} ${start_ms} ${end_ms ?? ''}`, async () => {
      const blob = await storedFile(sha256).catch(() => null);
      return blob && { kind: 'stored', blob, start_ms, end_ms, duration_ms };
    });
  }

  /** This browser cannot play it; what it was converted to, or a copy that is made to be heard, it can. */
  async #fileFailed(said: string): Promise<void> {
    const job = this.listened?.job;
    if (job === undefined) return;
    const silent = soundOutputError(said);
    if (silent !== null) return this.#silent(silent);
    const cannot = `This browser cannot play ${job.codec ?? 'this format'}.`;
    if (this.#instead !== null) this.#silent(`${cannot} It is converted all the same.`);
    else if (job.output_sha256 !== null)
      await this.#hear(job.output_sha256, `${cannot} You hear what it was converted to.`);
    else await this.#copy(job, cannot);
  }

  async #copy({ sha256, ...job }: MusicJob, cannot: string): Promise<void> {
    if (sha256 === null || (job.duration_ms ?? Infinity) > DRAWN_AT_ONCE)
      return this.#silent(`${cannot} It is converted all the same; it can be heard here once it is.`);
    this.notes[0] = `${cannot} A copy to listen to is being made.`;
    const original = { ...job, sha256 };
    const copy = await listeningCopies.make(original, this.#ending.signal);
    if (this.#ended) return;
    if (!copy.ok) return this.#silent(`${cannot} ${copy.failure.message}`);
    await this.#hear(copy.value, `${cannot} You hear a copy that was made to be listened to.`);
    if (!this.listening.lanes[0].ready) listeningCopies.forget(original);
  }

  async #hear(sha256: string, note: string): Promise<void> {
    this.#instead = sha256;
    await this.#openFile(sha256);
    if (this.listening.lanes[0].ready) this.notes[0] = note;
  }

  async #trackFailed(code: number, said: string): Promise<void> {
    const { track } = this;
    if (track === null || this.#ended) return;
    if (Date.now() > this.#expires) return this.choose(track);
    this.notes[1] =
      soundOutputError(said) ??
      (code === MediaError.MEDIA_ERR_DECODE
        ? 'This browser cannot play the catalog’s audio (Ogg Vorbis).'
        : 'The catalog’s audio could not be loaded from the server.');
    if (this.listening.active === 1) this.#rested();
  }

  async #signed(track: Track): Promise<string | null> {
    const client = await catalog();
    const signed = await client.signedUrl(`/v1/catalog/tracks/${encodeURIComponent(track.id)}/audio`);
    if (signed.ok) {
      this.#expires = signed.value.expires_at;
      return signed.value.url;
    }
    const said = needsServer(signed.failure, 'Comparing needs the server.');
    if (this.track?.id === track.id) this.notes[1] = `${said.message} ${said.remedy}`;
    return null;
  }

  #silent(why: string): void {
    this.notes[0] = why;
    if (this.listening.active === 0) this.#rested();
  }

  #forgetUrl(): void {
    if (this.#url !== null) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}

/** A track's audio may be replaced: by another file. */
const waveKey = (track: Track): string => `track ${track.id} ${track.original_sha256 ?? ''}`;
