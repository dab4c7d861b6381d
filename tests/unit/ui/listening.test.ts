import { describe, expect, test } from 'vitest';
import { candidateIds, stretchOf } from '#lanes/music/ui/player/listen.ts';
import { Listening } from '#lanes/music/ui/player/listening.svelte.ts';
import type { AudioPort } from '#lanes/music/ui/player/sound.svelte.ts';

/** An `<audio>` that plays when it is told to and whose time moves only by hand. */
class FakeAudio implements AudioPort {
  src = '';
  preload: 'none' | 'metadata' | 'auto' | '' = '';
  currentTime = 0;
  duration = NaN;
  error: { code: number } | null = null;
  playing = false;
  readonly #listeners = new Map<string, (() => void)[]>();

  readonly addEventListener = (name: string, listener: unknown): void => {
    if (typeof listener !== 'function') return;
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), () => void Reflect.apply(listener, this, [])]);
  };
  async play(): Promise<void> {
    this.playing = true;
  }
  pause(): void {
    this.playing = false;
  }
  load(): void {
    this.duration = NaN;
  }
  removeAttribute(): void {
    this.src = '';
  }
  say(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
  know(duration: number): void {
    this.duration = duration;
    this.say('loadedmetadata');
  }
  reach(time: number): void {
    this.currentTime = time;
    this.say('timeupdate');
  }
}

function opened() {
  const audios: FakeAudio[] = [];
  const said: string[] = [];
  const listening = new Listening({
    audio: () => {
      const audio = new FakeAudio();
      audios.push(audio);
      return audio;
    },
    rested: () => said.push('rested'),
    failed: (lane, code) => said.push(`failed ${lane} ${code}`),
  });
  const [file, track] = audios;
  if (file === undefined || track === undefined) throw new Error('two lanes');
  return { listening, file, track, said };
}

describe('UI-50 two sounds on one time axis', () => {
  test('UI-50 switching keeps the second, and one at a time is heard', () => {
    const { listening, file, track } = opened();
    listening.open(0, 'blob:a', null, 225);
    listening.open(1, 'https://b', null, 230);
    file.know(225);
    track.know(230);
    expect(listening.length).toBe(230);
    listening.play();
    file.reach(42);
    expect(listening.position).toBe(42);
    listening.switchTo(1);
    expect([file.playing, track.playing, track.currentTime]).toEqual([false, true, 42]);
    track.reach(50);
    // What the silent one says moves nothing.
    file.reach(3);
    expect(listening.position).toBe(50);
    listening.switchTo(0);
    expect([file.playing, track.playing, file.currentTime]).toEqual([true, false, 50]);
    listening.pause();
    expect([file.playing, track.playing]).toEqual([false, false]);
  });

  test('UI-50 a lane that cannot be heard is not switched to', () => {
    const { listening, file, said } = opened();
    listening.open(0, 'blob:a', null, 10);
    listening.play();
    listening.switchTo(1);
    expect(listening.active).toBe(0);
    file.error = { code: 4 };
    file.say('error');
    expect(said).toEqual(['failed 0 4']);
    expect(listening.lanes[0].ready).toBe(false);
  });

  test('UI-50 seeking stays within the sound; at its end it rests and begins anew', () => {
    const { listening, file, said } = opened();
    listening.open(0, 'blob:a', null, 60);
    // Before its header is read there is nothing to seek in; it is done as soon as there is.
    listening.seek(30);
    expect(file.currentTime).toBe(0);
    file.know(60);
    expect(file.currentTime).toBe(30);
    listening.seek(-5);
    expect([listening.position, file.currentTime]).toEqual([0, 0]);
    listening.seek(900);
    expect([listening.position, file.currentTime]).toEqual([60, 60]);
    file.say('ended');
    expect(said).toEqual(['rested']);
    listening.play();
    expect([file.currentTime, file.playing]).toEqual([0, true]);
  });

  test('UI-50 what is opened after play was pressed is heard as soon as it is there', () => {
    const { listening, file } = opened();
    listening.play();
    expect(file.playing).toBe(false);
    listening.open(0, 'blob:a', null, 60);
    expect(file.playing).toBe(true);
  });

  test('UI-50, UI-118 a track of an album image is heard from its start to its end', () => {
    const { listening, file, said } = opened();
    listening.open(
      0,
      'blob:image',
      stretchOf({ duration_ms: 20_000, segment: { start_ms: 100_000, end_ms: 120_000 } }),
      20,
    );
    file.know(3000);
    expect([file.currentTime, listening.length, listening.position]).toEqual([100, 20, 0]);
    listening.play();
    file.reach(105);
    expect(listening.position).toBe(5);
    file.reach(120.1);
    expect([file.playing, said.join()]).toEqual([false, 'rested']);
    expect(stretchOf({ duration_ms: 1000 })).toBeNull();
  });
});

describe('UI-51 what is put beside the file', () => {
  const job = { id: 'j1', matched_track_id: null, match: null };
  const option = { id: 'o', label: '', confidence: 1, reasons: [] };

  test('UI-51 the tracks that this file would be by each option, once each', () => {
    const track = (track_id: string) => ({
      ...{ track_id, album_id: 'al', title: '', artist: '', album: '', disc: 1, position: 1 },
      ...{ duration_ms: null, confidence: 1, reasons: [] },
    });
    const options = ['t2', 't1', 't2'].map((id) => ({ ...option, track: track(id) }));
    expect(candidateIds(job, { options, files: [] })).toEqual(['t2', 't1']);
    const file = { job_id: 'j1', name: '', title: null, disc: null, position: null, duration_ms: null };
    expect(candidateIds(job, { options: [option], files: [{ ...file, proposed: track('t9') }] })).toEqual(['t9']);
  });

  test('UI-51 without an open question what it was matched to', () => {
    expect(candidateIds({ ...job, matched_track_id: 't5' }, null)).toEqual(['t5']);
    expect(candidateIds(job, null)).toEqual([]);
  });
});
