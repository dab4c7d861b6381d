import { Sound, type AudioPort, type Stretch } from './sound.svelte.ts';

/** 0: your file. 1: the catalog's audio. */
export type LaneIndex = 0 | 1;

export interface ListeningOptions {
  audio(): AudioPort;
  /** Nothing is heard any more, though nobody asked for a pause: the end, or a browser that does not play. */
  rested(): void;
  failed(lane: LaneIndex, code: number, said: string): void;
}

/** Two sounds on one time axis with one position, of which at most one is heard. */
export class Listening {
  readonly lanes: readonly [Sound, Sound];
  /** Which of them is heard. */
  active = $state<LaneIndex>(0);
  /** Seconds on the common axis. */
  position = $state(0);
  readonly #options: ListeningOptions;
  #playing = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.lanes = [this.#lane(0), this.#lane(1)];
  }

  /** Seconds of the longer one. */
  get length(): number {
    return Math.max(this.lanes[0].length, this.lanes[1].length);
  }

  /** Sets a lane's file; heard from the present position when it is that lane's turn. */
  open(lane: LaneIndex, url: string, stretch: Stretch | null, length: number): void {
    const sound = this.lanes[lane];
    sound.open(url, stretch, length);
    if (lane !== this.active) return;
    if (this.position > 0) sound.seek(this.position);
    if (this.#playing) this.#start();
  }

  close(lane: LaneIndex): void {
    this.lanes[lane].close();
  }

  /** From the beginning when it was at its end. */
  play(): void {
    this.#playing = true;
    const sound = this.lanes[this.active];
    if (sound.length > 0 && this.position >= sound.length - 0.05) this.seek(0);
    this.#start();
  }

  pause(): void {
    this.#playing = false;
    for (const lane of this.lanes) lane.pause();
  }

  seek(at: number): void {
    this.position = Math.max(0, this.length > 0 ? Math.min(at, this.length) : at);
    this.lanes[this.active].seek(this.position);
  }

  /** The same second of the other one. */
  switchTo(lane: LaneIndex): void {
    if (lane === this.active || !this.lanes[lane].ready) return;
    this.follow();
    this.lanes[this.active].pause();
    this.active = lane;
    this.lanes[lane].seek(this.position);
    if (this.#playing) this.#start();
  }

  /** Takes the position from what is heard. */
  follow(): void {
    const sound = this.lanes[this.active];
    if (sound.ready) this.position = sound.at;
  }

  #start(): void {
    const sound = this.lanes[this.active];
    if (!sound.ready) return;
    sound.play().catch((thrown: unknown) => {
      // Pausing or another file while it begins is no trouble; what cannot be played is said by its error event.
      if (thrown instanceof DOMException && thrown.name === 'NotAllowedError') this.#rest();
    });
  }

  #rest(): void {
    this.pause();
    this.#options.rested();
  }

  #lane(lane: LaneIndex): Sound {
    return new Sound(this.#options.audio(), {
      moved: () => {
        if (lane === this.active) this.follow();
      },
      ended: () => {
        if (lane !== this.active) return;
        this.follow();
        this.#rest();
      },
      failed: (code, said) => this.#options.failed(lane, code, said),
    });
  }
}
