import type { Brief, ToolResult } from '#core/agent/workflow/definition.ts';
import { clock } from '#core/text/duration.ts';
import { choicesOf } from './choices.ts';
import type { Doubt } from './doubt.ts';
import { readFile } from './read-file.ts';
import { shownBy } from './results.ts';
import { quiet } from './tools/shapes.ts';

/** What the model is told: files, what people said, candidates. Names, numbers and lengths only (AGENT-7). */
export function briefOf(doubt: Doubt, results: readonly ToolResult[]): Brief {
  const choices = choicesOf(doubt, results);
  const sections: Brief['sections'] = [{ heading: 'Files', rows: doubt.files.map(fileRow) }];
  if (doubt.album !== null) {
    sections.push({
      heading: 'Their album, which is settled',
      rows: [{ title: quiet(doubt.album.title), artist: quiet(doubt.album.artist) }],
    });
  }
  const wanted = shownBy(results).requests.find(({ id }) => id === doubt.context.request_id);
  if (wanted?.wants)
    sections.push({ heading: 'They were sent for this request', rows: [{ wants: quiet(wanted.wants) }] });
  const said = doubt.said.flatMap((line) => quiet(line) ?? []);
  if (said.length > 0)
    sections.push({ heading: 'What a person decided before', rows: said.map((line) => ({ said: line })) });
  if (doubt.why !== '') sections.push({ heading: 'What is in doubt', rows: [{ doubt: doubt.why }] });
  return { question: questionOf(doubt, choices[0]?.option_id ?? ''), sections, choices };
}

function questionOf(doubt: Doubt, firstOption: string): string {
  const count = doubt.file_ids.length;
  const files = count === 1 ? 'this file' : `these ${count} files`;
  if (doubt.kind === 'track' || firstOption.startsWith('track:')) return 'Which track of the catalog is this file?';
  return `Which album of the catalog ${count === 1 ? 'is' : 'are'} ${files} from?`;
}

/** `F1` is the first file's handle: files are shown before anything else. */
function fileRow(file: Doubt['files'][number], index: number): Record<string, string | number | null> {
  const read = readFile(file);
  const row = {
    file: `F${index + 1}`,
    name: read.name,
    folder: read.folder,
    title: read.titles[0] ?? null,
    artist: read.artist,
    album: read.album,
    track: read.track,
    length: clock(read.duration_ms),
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
