/** How long the sources are, in all and by room. */
import type { Figures } from './main.ts';
import { sources } from './sources.ts';

/** A room: the first folder of `src`, or a lane. */
const ROOM = /^(?:src\/lanes\/([^/]+)\/|src\/([^/]+)\/|(workers)\/)/;

export function lineFigures(): Figures {
  const files = sources('{src,workers}/**/*.{ts,svelte,css,html,c}').map(({ path, text }) => ({
    path,
    lines: text.trimEnd().split('\n').length,
  }));
  const lengths = files.map(({ lines }) => lines).sort((a, b) => a - b);
  const rooms: Record<string, number> = {};
  for (const { path, lines } of files) {
    const [, lane, folder, workers] = ROOM.exec(path) ?? [];
    const room = lane === undefined ? (folder ?? workers ?? 'src') : `lanes_${lane}`;
    rooms[`lines_${room.replaceAll('-', '_')}`] = (rooms[`lines_${room.replaceAll('-', '_')}`] ?? 0) + lines;
  }
  return {
    src_files: files.length,
    src_lines: lengths.reduce((sum, lines) => sum + lines, 0),
    median_lines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    max_lines: lengths.at(-1) ?? 0,
    ...Object.fromEntries(Object.entries(rooms).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
