/** A path apart: folders from the outside in, the name without its extension, the extension without its dot. */
export interface SplitPath {
  folders: string[];
  name: string;
  extension: string | null;
}

const EXTENSIONS = new Set(
  (
    'mkv mk3d avi mp4 m4v mov wmv mpg mpeg m2ts mts ts vob ogm ogv webm flv f4v rm rmvb divx xvid asf 3gp 3g2 iso img ' +
    'strm wtv dvr-ms bdmv ifo bup srt ass ssa sub idx sup vtt smi usf mks nfo txt jpg jpeg png webp bmp gif tbn torrent nzb ' +
    'mka mp3 ac3 eac3 dts aac flac ogg opus wav m4a m3u m3u8 xml sfv md5 par2 zip rar 7z qt swf nrg disc part url'
  ).split(' '),
);
const MOST_FOLDERS = 32;

/** Splits a name or a path. A slash between spaces parts two titles, not two folders. */
export function splitPath(input: string): SplitPath {
  const windows = /^[A-Za-z]:\\|^\\\\|^[^/]*\\[^/]*$/.test(input);
  const parts = input.split(windows ? /[\\/]/ : /(?<! )\/|\/(?! )/).filter((part) => part.trim() !== '');
  const last = parts.pop() ?? '';
  const folders = parts.slice(-MOST_FOLDERS).filter((part) => !/^(?:[A-Za-z]:|\.{1,2})$/.test(part));
  return { folders, ...splitName(last) };
}

/** Takes a known extension off; twice where a patch or a subtitle's language stands before it. */
export function splitName(whole: string): { name: string; extension: string | null } {
  const found = /^(.*[^.\s])[._]([A-Za-z0-9-]{2,6})\s*$/su.exec(whole);
  const extension = found?.[2]?.toLowerCase();
  if (found?.[1] === undefined || extension === undefined || !EXTENSIONS.has(extension))
    return { name: whole, extension: null };
  // "Show.S01E01.ts" is a file, "movie.HDTC.ts" too; but "Show_01_mkv" was a file once and lost its dot.
  const name = found[1].replace(/\.(?:patch)$/i, '');
  return { name, extension };
}
