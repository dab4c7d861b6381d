/** VIDEO-30: what a file is by its extension alone. */
export type FileKind = 'video' | 'subtitle' | 'audio' | 'image' | 'info' | 'other';

const words = (text: string): Set<string> => new Set(text.split(' '));

const KINDS: readonly (readonly [FileKind, ReadonlySet<string>])[] = [
  [
    'video',
    words(
      '3g2 3gp asf avi divx f4v flv iso m2ts m4v mk3d mkv mov mp4 mpeg mpg mts ogm ogv rm rmvb strm ts vob webm wmv wtv xvid',
    ),
  ],
  ['subtitle', words('ass idx mks smi srt ssa stl sub sup ttml usf vtt')],
  ['audio', words('aac ac3 dts dtshd eac3 flac m4a mka mp3 ogg opus thd wav')],
  ['image', words('bif bmp gif jpeg jpg png tbn webp')],
  ['info', words('chapters edl nfo xml')],
];

/** @param path `/` separated */
export function kindOf(path: string): FileKind {
  const extension = extensionOf(path).slice(1).toLowerCase();
  return KINDS.find(([, known]) => known.has(extension))?.[0] ?? 'other';
}

/** With its dot, as it is written; empty where there is none. A name that begins with a dot has none by that. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || !/^\.[\p{L}\p{N}-]{1,10}$/u.test(name.slice(dot)) ? '' : name.slice(dot);
}

/** The last segment without its extension. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.slice(0, name.length - extensionOf(path).length);
}

/** Everything before the last slash; empty for a file of the folder itself. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
