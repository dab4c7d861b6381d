/**
 * The cage in a browser: `cage.js` with a policy of its own, and within it a worker without an origin, one a runtime
 * (docs/decisions/102-toolbox-cage-browser.md). To stop is to end both.
 */
import type { EnginePlaces } from 'virtual:toolbox-packs';
import { failed } from '#core/errors.ts';
import { MOST_RESULT, type Cage, type CageJob } from '#core/toolbox/cage.ts';
import { CAGE_SCRIPT } from '#core/toolbox/cage-policy.ts';
import { cageOf, type OpenChild } from '../children.ts';
import { fetchPack } from './fetch-pack.ts';
import type { GivenFile } from './programs/files.ts';

/** Of an engine whose download is under way. */
export type OnDownload = (runtime: CageJob['runtime'], share: number) => void;

/** webR and ngspice make code of text at their start; the others may not. */
const CODE_OF_TEXT = new Set<CageJob['runtime']>(['r', 'spice']);

/** @param places what a build wrote of the engines: a page has it, and hands it to a worker that computes */
export function openBrowserCage(places: EnginePlaces, onDownload: OnDownload): Cage {
  return cageOf(async (runtime, signal) => {
    const place = places[runtime];
    if (place === undefined) throw failed('tool_unavailable', `There is no ${runtime} in a browser.`);
    const files = await fetchPack(place, (share) => onDownload(runtime, share), signal);
    return (events, memoryMb) => openInner(runtime, files, events, memoryMb);
  });
}

function openInner(
  runtime: CageJob['runtime'],
  files: readonly GivenFile[],
  events: Parameters<OpenChild>[0],
  memoryMb: number,
): ReturnType<OpenChild> {
  const warden = new Worker(CODE_OF_TEXT.has(runtime) ? `${CAGE_SCRIPT}?text` : CAGE_SCRIPT, {
    name: `toolbox ${runtime}`,
  });
  const { port1: port, port2: theirs } = new MessageChannel();
  port.onmessage = ({ data }: MessageEvent<string>) => {
    if (data.length <= MOST_RESULT) return events.answer(data);
    events.tooMuch();
    warden.terminate();
  };
  const ended = (said: string): void => {
    warden.terminate();
    events.ended(said);
  };
  warden.onmessage = ({ data }: MessageEvent<{ failed: string }>) => ended(data.failed);
  warden.onerror = (event) => ended(event.message || 'Error: its script could not be loaded');
  const program = new TextDecoder().decode(files.find(({ name }) => name === 'program.js')?.bytes);
  const given = files.filter(({ name }) => name !== 'program.js');
  warden.postMessage({ program, first: { runtime, files: given, memoryMb } }, [theirs]);
  return {
    send: (line) => port.postMessage(line),
    memoryMb: () => null,
    allows: (asked) => asked === memoryMb,
    kill() {
      port.close();
      warden.terminate();
    },
  };
}
