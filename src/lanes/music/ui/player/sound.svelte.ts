/** One sound on the common time axis: an `<audio>`, or the stretch of it that is one track of an album image. */

/** What is used of an HTMLAudioElement. */
export type AudioPort = Pick<
  HTMLAudioElement,
  'src' | 'preload' | 'currentTime' | 'duration' | 'play' | 'pause' | 'addEventListener' | 'removeAttribute' | 'load'
> & { readonly error: { readonly code: number; readonly message?: string } | null };

export interface SoundEvents {
  /** The time went on, or its length became known. */
  moved(): void;
  ended(): void;
  /** It cannot be played (any more); a MediaError's code and words. */
  failed(code: number, said: string): void;
}

/** Of the media file, in seconds; `end` null: up to its end. */
export interface Stretch {
  start: number;
  end: number | null;
}

const WHOLE: Stretch = { start: 0, end: null };

export class Sound {
  /** Something can be heard: a file is set and nothing is wrong with it. */
  ready = $state(false);
  /** Seconds; 0 while it is not known. */
  length = $state(0);
  readonly #audio: AudioPort;
  readonly #events: SoundEvents;
  #stretch = WHOLE;
  /** Where to begin once the file can be sought in. */
  #wanted: number | null = null;

  constructor(audio: AudioPort, events: SoundEvents) {
    this.#audio = audio;
    this.#events = events;
    audio.preload = 'metadata';
    audio.addEventListener('loadedmetadata', () => this.#measure());
    audio.addEventListener('durationchange', () => this.#measure());
    audio.addEventListener('timeupdate', () => this.#moved());
    audio.addEventListener('ended', () => this.#events.ended());
    audio.addEventListener('error', () => {
      if (!this.ready) return;
      this.ready = false;
      this.#events.failed(this.#audio.error?.code ?? 0, this.#audio.error?.message ?? '');
    });
  }

  /** Sets the file; it is read as it is heard, never as a whole. `length`: seconds, as far as they are known before. */
  open(url: string, stretch: Stretch | null, length: number): void {
    this.#stretch = stretch ?? WHOLE;
    this.length = length;
    this.#wanted = this.#stretch.start > 0 ? 0 : null;
    this.ready = true;
    this.#audio.src = url;
  }

  close(): void {
    this.ready = false;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    // Lets go of the file and of the connection.
    this.#audio.load();
  }

  /** Seconds on the axis. */
  get at(): number {
    return this.#wanted ?? Math.max(0, this.#audio.currentTime - this.#stretch.start);
  }

  seek(at: number): void {
    const to = Math.max(0, this.length > 0 ? Math.min(at, this.length) : at);
    if (Number.isFinite(this.#audio.duration)) {
      this.#wanted = null;
      this.#audio.currentTime = this.#stretch.start + to;
    } else this.#wanted = to;
  }

  /** A browser that cannot play it says so by `failed`; one that does not want to now, by an error here. */
  async play(): Promise<void> {
    await this.#audio.play();
  }

  pause(): void {
    this.#audio.pause();
  }

  #measure(): void {
    const { duration } = this.#audio;
    if (!this.ready || !Number.isFinite(duration)) return;
    this.length = Math.max(0, (this.#stretch.end ?? duration) - this.#stretch.start);
    if (this.#wanted !== null) this.seek(this.#wanted);
    this.#events.moved();
  }

  #moved(): void {
    const { end } = this.#stretch;
    if (end !== null && this.#audio.currentTime >= end) {
      this.#audio.pause();
      this.#events.ended();
    } else this.#events.moved();
  }
}
