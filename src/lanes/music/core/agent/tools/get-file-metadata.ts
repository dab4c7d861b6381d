import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolRun } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import { clock } from '#core/text/duration.ts';
import type { MusicContext } from '../context.ts';
import { quiet } from './shapes.ts';

const Input = v.strictObject({ file_id: v.pipe(v.string(), v.description('A file, as F1')) });
/** SAFE: names and numbers only. Comments, lyrics and other free tags are no evidence and never get here. */
const Output = v.strictObject({
  file_id: v.string(),
  name: v.string(),
  folder: v.nullable(v.string()),
  duration_ms: v.nullable(v.number()),
  title: v.nullable(v.string()),
  artist: v.nullable(v.string()),
  album: v.nullable(v.string()),
  track: v.nullable(v.number()),
  disc: v.nullable(v.number()),
  year: v.nullable(v.number()),
});

export const getFileMetadataTool = readTool({
  name: 'get_file_metadata',
  description: 'What was read from one uploaded file: name, folder, length, title, artist, album, number.',
  input: Input,
  output: Output,
  limits: { calls: 12 },
  references: { file_id: 'file' },
  shows: ({ file_id }) => [{ kind: 'file', id: file_id }],
  render: (file, handle) => ({
    file: handle('file', file.file_id),
    name: quiet(file.name),
    folder: quiet(file.folder),
    length: clock(file.duration_ms),
    title: quiet(file.title),
    artist: quiet(file.artist),
    album: quiet(file.album),
    track: file.track,
    disc: file.disc,
    year: file.year,
  }),
  execute({ file_id }, { context }: ToolRun<MusicContext>) {
    const file = context.file(file_id);
    if (!file)
      return Promise.resolve({
        ok: false,
        failure: failure('not_found', 'This file is not part of the question.'),
      });
    const parts = file.path.split('/');
    const { tags } = file;
    return Promise.resolve({
      ok: true,
      output: {
        file_id,
        name: parts.at(-1) ?? file.path,
        folder: parts.at(-2) ?? null,
        duration_ms: file.duration_ms,
        title: tags.title ?? null,
        artist: tags.artist ?? null,
        album: tags.album ?? null,
        track: tags.track ?? null,
        disc: tags.disc ?? null,
        year: tags.year ?? null,
      },
      provenance: [{ source: 'file', ref: file_id }],
    });
  },
});
