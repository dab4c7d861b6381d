/** The files that music reads: audio, and what lies beside an album. */
import { companionIngester, type CompanionFacts } from '#core/ingest/ingesters.ts';
import { FILE_KINDS, familyOf, type FileKind } from '#core/ingest/file-kinds.ts';
import type { Ingester } from '#core/ingest/ingester.ts';
import { baseName } from '#core/ingest/paths.ts';
import { mislabelled, takeByContent } from '#core/ingest/take-by-content.ts';

const LANE = 'music';

const capabilitiesOf = (...endings: string[]) => endings.map((ending) => `ingest:${ending}` as const);

/** By id: the format as a person calls it, endings (each becomes a capability), and what such a file is by its bytes. */
const AUDIO: Record<string, [format: string, endings: readonly string[], kinds: readonly FileKind[]]> = {
  mp3: ['MP3', ['mp3', 'mp2', 'mpga'], ['mp3']],
  flac: ['FLAC', ['flac', 'fla'], ['flac', 'ogg-flac']],
  m4a: ['MP4 audio', ['m4a', 'mp4', 'm4b', 'aac'], ['mp4', 'aac']],
  ogg: ['Ogg', ['ogg', 'oga'], ['vorbis', 'opus', 'ogg-flac']],
  opus: ['Opus', ['opus'], ['opus']],
  wav: ['WAV', ['wav', 'wave'], ['wav', 'rf64']],
  aiff: ['AIFF', ['aiff', 'aif', 'aifc'], ['aiff', 'aifc']],
  wma: ['Windows Media audio', ['wma', 'asf'], ['asf']],
  wavpack: ['WavPack', ['wv'], ['wavpack']],
  tta: ['True Audio', ['tta'], ['tta']],
  caf: ['Core Audio', ['caf'], ['caf']],
  w64: ['Wave64', ['w64'], ['w64']],
  ac3: ['AC-3', ['ac3'], ['ac3']],
  ape: ["Monkey's Audio", ['ape'], ['ape']],
  musepack: ['Musepack', ['mpc', 'mp+', 'mpp'], ['musepack']],
  dsd: ['DSD audio', ['dsf', 'dff'], ['dsd']],
  realaudio: ['RealAudio', ['ra', 'rm', 'ram'], ['realaudio']],
};

/** Every kind of audio is read by its content, whoever is asked first. */
const ALL_AUDIO = (Object.keys(FILE_KINDS) as FileKind[]).filter((kind) => familyOf(kind) === 'audio');

/**
 * A name that lies does no harm while the content is audio of another kind: it is taken in as what it is, and said so.
 * What is no audio is refused by name.
 */
const audioIngesters = Object.entries(AUDIO).map(([id, [format, endings, kinds]]): Ingester => ({
  agentId: `${id}-ingester`,
  name: `${format} ingester`,
  description: `Takes in ${format} files.`,
  priority: 10,
  capabilities: capabilitiesOf(...endings),
  tags: ['ingester', 'audio'],
  lane: LANE,
  reads: ALL_AUDIO,
  ingest(input) {
    if (kinds.includes(input.kind) || input.kind === 'id3')
      return { as: 'job', lane: LANE, kind: input.kind, note: null };
    return takeByContent(input, format) ?? mislabelled(input, format);
  },
}));

const FRONT = /^(cover|folder|front|album(art)?)\b/;
const NOT_FRONT = /\b(back|cd\d*|disc\d*|disk\d*|inlay|inside|inner|booklet|matrix|label|tray|spine|sticker|obi)\b/;

/** How likely a picture is the front cover, by its name: 0 front, 1 perhaps, 2 another side of the box. Lower first. */
export function coverRank(path: string): 0 | 1 | 2 {
  const name = baseName(path)
    .toLowerCase()
    .replaceAll(/[_\-.]+/g, ' ');
  if (NOT_FRONT.test(name)) return 2;
  return FRONT.test(name) ? 0 : 1;
}

const coverIngester: Ingester = {
  agentId: 'cover-ingester',
  name: 'Cover ingester',
  description: 'Keeps JPEG and PNG pictures as covers for the files of their folder.',
  priority: 10,
  capabilities: capabilitiesOf('jpg', 'jpeg', 'png'),
  tags: ['ingester', 'cover'],
  ingest(input) {
    const taken = takeByContent(input, 'a picture');
    if (taken) return taken;
    if (input.kind !== 'jpeg' && input.kind !== 'png') return mislabelled(input, 'a JPEG or PNG picture');
    if (coverRank(input.path) === 2) return { as: 'companion', kind: 'cover', outcome: 'ignored', keep: 'nothing' };
    return { as: 'companion', kind: 'cover', outcome: 'kept as cover', keep: 'blob' };
  },
};

/** Of the first two the text is kept; the others carry nothing for the catalog. */
const COMPANIONS: readonly CompanionFacts[] = [
  {
    id: 'cue',
    name: 'CUE ingester',
    description: 'Keeps the text of CUE sheets.',
    capabilities: capabilitiesOf('cue'),
    kind: 'cue',
    // Until a file of its drop is split by it, or named.
    outcome: 'kept, not used: a sheet goes only with a file that is new in the same drop',
    keep: 'text',
  },
  {
    id: 'm3u',
    name: 'M3U ingester',
    description: 'Keeps the text of playlists.',
    capabilities: capabilitiesOf('m3u', 'm3u8'),
    kind: 'playlist',
    outcome: 'kept beside the files, not needed',
    keep: 'text',
  },
  {
    id: 'log',
    name: 'Rip log ingester',
    description: 'Leaves rip logs out.',
    capabilities: capabilitiesOf('log', 'accurip'),
    kind: 'log',
    outcome: 'ignored',
    keep: 'nothing',
  },
  {
    id: 'checksum',
    name: 'Checksum ingester',
    description: 'Leaves checksum lists out.',
    capabilities: capabilitiesOf('sfv', 'md5', 'ffp', 'sha1', 'sha256', 'st5'),
    kind: 'checksum',
    outcome: 'ignored',
    keep: 'nothing',
  },
  {
    id: 'notes',
    name: 'Notes ingester',
    description: 'Leaves notes and links out.',
    capabilities: capabilitiesOf('nfo', 'txt', 'url', 'html', 'htm', 'diz', 'webloc'),
    kind: 'text',
    outcome: 'ignored',
    keep: 'nothing',
  },
  {
    id: 'leftovers',
    name: 'Leftovers ingester',
    description: 'Leaves out what programs put beside an album: scripts, lists, lyrics.',
    capabilities: capabilitiesOf('py', 'xml', 'json', 'md', 'lrc'),
    kind: 'text',
    outcome: 'ignored',
    keep: 'nothing',
  },
];

export const musicIngesters: readonly Ingester[] = [
  ...audioIngesters,
  coverIngester,
  ...COMPANIONS.map(companionIngester),
];
