/** What music needs of where it runs: a catalog, and what reads and converts audio. */
import type { CancelSignal } from '#core/cancel.ts';
import type { Settings } from '#core/config.ts';
import type { ConvertRequest, ProbeOutcome } from '#core/media.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { AgentEngine } from '#core/run/agent.ts';
import type { Converted } from '#core/run/lane-run.ts';
import type { CalibrationProfile } from '../calibration/profile.ts';
import type { Album, DownloadRequest, Track } from '../catalog.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import type { BatchMatch, MatchRequest } from '../match/match.types.ts';

/** The catalog as this workstation or worker has it. */
export interface MusicCatalog {
  /** For the matcher; null while there is no whole copy. Throws AccessionError where it has to be asked and cannot be. */
  index(): Promise<CatalogIndex | null>;
  /** Each look at the index brings it up to what the server has first: what is not in it then is gone. */
  readonly isCurrent?: boolean;
  /** It may be too old for what is wanted of it: it is brought up to date soon. */
  want(): void;
  /** Which catalog it is; null: it has no name. */
  id(): Promise<string | null>;
  /** Those that are there. */
  tracks(ids: readonly string[]): Promise<Track[]>;
  albums(ids: readonly string[]): Promise<Album[]>;
  /** By content's SHA-256: the available tracks whose audio was made from it. */
  madeFrom(contents: readonly string[]): Promise<ReadonlyMap<string, Track>>;
  request(id: string): Promise<DownloadRequest | undefined>;
  /** Tracks that jobs of other places are about to publish: the job by the track. */
  held(): ReadonlyMap<string, string>;
}

/** A catalog of no name over an index in memory, without requests, and held by nobody. */
export function catalogOver(index: () => CatalogIndex): MusicCatalog {
  return {
    index: () => Promise.resolve(index()),
    want: () => undefined,
    id: () => Promise.resolve(null),
    tracks: (ids) => Promise.resolve(ids.flatMap((id) => index().track(id) ?? [])),
    albums: (ids) => Promise.resolve(ids.flatMap((id) => index().album(id) ?? [])),
    madeFrom: () => Promise.resolve(new Map()),
    request: () => Promise.resolve(undefined),
    held: () => new Map(),
  };
}

export interface MusicMedia {
  /** `name`: as the file arrived. */
  probe(sha256: string, name: string, signal: CancelSignal): Promise<Result<ProbeOutcome>>;
  /** Stores a cover; null where it cannot be kept (no space): the audio goes on without it. */
  keepCover(bytes: Uint8Array): Promise<string | null>;
  convert(
    request: ConvertRequest,
    options: { signal: CancelSignal; report(share: number): void },
  ): Promise<Result<Converted>>;
  /** Nothing is being converted: what is kept for the next file may go. */
  rest(): void;
}

export interface MusicPorts {
  clock: Clock;
  ids: Ids;
  catalog: MusicCatalog;
  media: MusicMedia;
  settings(): Promise<Settings>;
  /** The agent's workflow; its code is loaded at the first call. Absent: a person is asked at once. */
  engine?(): Promise<AgentEngine>;
  /** What the matcher's confidence is calibrated by; fitted anew where answers came in. */
  profile(): Promise<CalibrationProfile>;
  /** Lower-case hex, of a text. */
  sha256(text: string): Promise<string>;
  /** Another matcher than the one of this release, for evaluations that keep its answers. */
  match?(request: MatchRequest, index: CatalogIndex, profile: CalibrationProfile): BatchMatch;
}
