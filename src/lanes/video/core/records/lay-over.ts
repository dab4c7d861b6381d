/** A folder that was recognised before, shown as it was confirmed: its records laid over what is read of it now. */
import type { FolderReading, RecognisedFile } from '../folder-reading.ts';
import type { ShowOfRecord, VideoRecord } from './video-record.ts';

/** @param records by path below the folder; one person's word each, so that nothing that is read outweighs it */
export function laidOver(reading: FolderReading, records: ReadonlyMap<string, VideoRecord>): FolderReading {
  if (records.size === 0) return reading;
  const files = reading.files.map((file) => {
    const record = records.get(file.path);
    return record === undefined ? file : recorded(file, record);
  });
  return { ...reading, files, show: showOf([...records.values()]) ?? reading.show, duplicates: duplicatesIn(files) };
}

function recorded(file: RecognisedFile, record: VideoRecord): RecognisedFile {
  const { season, episodes, part, title } = record;
  const same = file.class === 'episode' && file.season === season && file.episodes.join() === episodes.join();
  const day = new Date(record.confirmed_at).toISOString().slice(0, 10);
  const reasons = [`Confirmed ${day}, ${WHOSE[record.source]}.`, ...(same ? [] : [`Read anew: ${asRead(file)}.`])];
  return {
    ...file,
    ...{ class: 'episode', season, episodes: [...episodes], part, title },
    ...{ belongs_to: null, confidence: 1, reasons, source: record.source },
  };
}

const WHOSE = { rules: 'as it was read', agent: 'as the agent said', person: 'by your own word' } as const;

function asRead({ class: kind, season, episodes }: RecognisedFile): string {
  const two = (number: number): string => `${number}`.padStart(2, '0');
  return kind === 'episode' && season !== null && episodes.length > 0
    ? `S${two(season)}E${episodes.map(two).join('E')}`
    : 'no episode';
}

/** The show of all of them; null where they are of several. */
export function showOf(records: readonly Pick<VideoRecord, 'show'>[]): ShowOfRecord | null {
  const [first] = records;
  if (first === undefined) return null;
  const key = ({ show }: Pick<VideoRecord, 'show'>): string => JSON.stringify([show.id, show.title]);
  return records.every((one) => key(one) === key(first)) ? first.show : null;
}

/** Whole files that are the same episode. */
function duplicatesIn(files: readonly RecognisedFile[]): FolderReading['duplicates'] {
  const places = files.flatMap(({ class: kind, season, episodes, part, path }) =>
    kind !== 'episode' || season === null || part !== null
      ? []
      : episodes.map((episode) => ({ season, episode, path })),
  );
  return [...Map.groupBy(places, ({ season, episode }) => `${season}x${episode}`).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined || same.length < 2
      ? []
      : [{ season: first.season, episode: first.episode, paths: same.map(({ path }) => path) }];
  });
}
