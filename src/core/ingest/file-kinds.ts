/**
 * What a file can turn out to be by its first bytes. `label` is what a person reads, with its article
 * where the sentence needs one; `family` decides what the lane does with it.
 */
export type FileFamily = 'audio' | 'archive' | 'picture' | 'text' | 'document' | 'video' | 'other';

interface KindFacts {
  family: FileFamily;
  label: string;
}

export const FILE_KINDS = {
  // Audio that the lane takes in
  mp3: { family: 'audio', label: 'MP3' },
  /** An ID3v2 tag whose content behind it was not read: MP3 nearly always, FLAC or AAC sometimes. */
  id3: { family: 'audio', label: 'audio behind an ID3 tag' },
  flac: { family: 'audio', label: 'FLAC' },
  vorbis: { family: 'audio', label: 'Ogg Vorbis' },
  opus: { family: 'audio', label: 'Opus' },
  'ogg-flac': { family: 'audio', label: 'FLAC in Ogg' },
  mp4: { family: 'audio', label: 'MP4 audio' },
  aac: { family: 'audio', label: 'AAC' },
  wav: { family: 'audio', label: 'WAV' },
  rf64: { family: 'audio', label: 'RF64 WAV' },
  aiff: { family: 'audio', label: 'AIFF' },
  aifc: { family: 'audio', label: 'AIFF-C' },
  asf: { family: 'audio', label: 'Windows Media audio' },
  wavpack: { family: 'audio', label: 'WavPack' },
  tta: { family: 'audio', label: 'True Audio' },
  caf: { family: 'audio', label: 'Core Audio' },
  w64: { family: 'audio', label: 'Wave64' },
  ac3: { family: 'audio', label: 'AC-3' },
  ape: { family: 'audio', label: "Monkey's Audio" },
  musepack: { family: 'audio', label: 'Musepack' },
  dsd: { family: 'audio', label: 'DSD audio' },
  realaudio: { family: 'audio', label: 'RealAudio' },
  // Archives
  zip: { family: 'archive', label: 'a ZIP archive' },
  rar: { family: 'archive', label: 'a RAR archive' },
  '7z': { family: 'archive', label: 'a 7z archive' },
  gzip: { family: 'archive', label: 'a gzip archive' },
  tar: { family: 'archive', label: 'a TAR archive' },
  bzip2: { family: 'archive', label: 'a bzip2 archive' },
  xz: { family: 'archive', label: 'an XZ archive' },
  // Pictures
  png: { family: 'picture', label: 'a PNG picture' },
  jpeg: { family: 'picture', label: 'a JPEG picture' },
  gif: { family: 'picture', label: 'a GIF picture' },
  webp: { family: 'picture', label: 'a WebP picture' },
  heif: { family: 'picture', label: 'a HEIF or AVIF picture' },
  // Text and documents
  html: { family: 'text', label: 'an HTML page' },
  xml: { family: 'text', label: 'an XML document' },
  text: { family: 'text', label: 'a text file' },
  pdf: { family: 'document', label: 'a PDF document' },
  ole: { family: 'document', label: 'an Office document (Word, Excel or PowerPoint, old form)' },
  office: { family: 'document', label: 'an Office document or e-book' },
  // Known, and not for this lane
  matroska: { family: 'video', label: 'Matroska or WebM' },
  avi: { family: 'video', label: 'an AVI video' },
  quicktime: { family: 'video', label: 'a QuickTime or MP4 video' },
  'ogg-other': { family: 'other', label: 'Ogg with a codec other than Vorbis, Opus or FLAC' },
  midi: { family: 'other', label: 'MIDI' },
  program: { family: 'other', label: 'a program' },
  appledouble: { family: 'other', label: 'macOS metadata (AppleDouble)' },
  unknown: { family: 'other', label: 'data of an unknown kind' },
} as const satisfies Record<string, KindFacts>;

export type FileKind = keyof typeof FILE_KINDS;

/** The words for a kind: `FLAC`, `an HTML page`. */
export function kindLabel(kind: FileKind): string {
  return FILE_KINDS[kind].label;
}

export function familyOf(kind: FileKind): FileFamily {
  return FILE_KINDS[kind].family;
}

const OPENABLE = ['zip', 'tar', 'gzip', '7z', 'rar'] as const satisfies readonly FileKind[];
/** Archives that are opened here. */
export type ArchiveKind = (typeof OPENABLE)[number];

export function isOpenable(kind: FileKind): kind is ArchiveKind {
  return OPENABLE.some((one) => one === kind);
}

/** `8.1 MB`: decimal units, as file managers and shops write them. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

/** `"x.mp3" in "album.zip"`, or `"x.mp3"` alone. */
export function describeFile(name: string, archive: string | null): string {
  return archive === null ? `"${name}"` : `"${name}" in "${archive}"`;
}
