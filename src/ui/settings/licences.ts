/** The list of third-party software, readable without a browser for Markdown. Loaded at its first use. */
import markdown from '../../../docs/THIRD_PARTY.md?raw';
import packedNotices from '../../../docs/PACKED_NOTICES.txt?raw';
import vorbisNotices from '../../../docs/VORBIS_NOTICES.txt?raw';

/** Table rows as `name version: licence`; links as their words. Then the notices that come with what we built. */
export const licences: string = `${listOf(markdown)}\n\n${vorbisNotices.trim()}\n\n${packedNotices.trim()}`;

function listOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line) && !/^\| package/.test(line))
    .map(plain)
    .join('\n')
    .trim();
}

function plain(line: string): string {
  const words = line
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/^#+\s*/, '');
  if (!words.startsWith('|')) return words;
  const [name = '', version = '', licence = '', ...rest] = words
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  return `${name} ${version}: ${licence}${rest.length > 0 ? `. ${rest.join(', ')}` : ''}`;
}
