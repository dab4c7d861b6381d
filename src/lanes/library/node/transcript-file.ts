/** Transcripts of runs on the disk: `logs/agent_runs/<timestamp>_<slug>.jsonl` below the data directory. */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { failed, isCode } from '#core/errors.ts';
import type { TranscriptSink } from '#lanes/library/core/ask/run/run-ask.ts';

/** `2026-11-26T13-40-05-123Z_when-does-the-station-close.jsonl` */
export function transcriptName(question: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const words = question
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const slug =
    words
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 48)
      .replace(/-+$/, '') || 'question';
  return `${time}_${slug}.jsonl`;
}

export interface TranscriptFile extends TranscriptSink {
  readonly path: string;
  /** `metrics.json` beside it, and one with the transcript's own name. */
  writeMetrics(metrics: unknown): Promise<void>;
  close(): Promise<void>;
}

/** A new transcript, readable for its owner alone. Throws AccessionError `conflict` where there is a file of that name. */
export async function newTranscript(path: string): Promise<TranscriptFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await opened(path, 'ax');
    await syncDirectory(dirname(path));
    return file;
  } catch (error) {
    if (isCode(error, 'EEXIST'))
      throw failed('conflict', `There is a file "${path}" already.`, {
        remedy: 'Name another one, or take it up with --resume.',
      });
    throw error;
  }
}

/** The text of a transcript, and the file to go on in. A torn last line is cut off. */
export async function resumedTranscript(path: string): Promise<{ text: string; file: TranscriptFile }> {
  const text = await transcriptText(path);
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)));
  return { text: text.slice(0, end), file: await opened(path, 'a') };
}

export async function transcriptText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw failed('not_found', `There is no transcript "${path}".`);
    throw error;
  }
}

async function opened(path: string, flags: 'a' | 'ax'): Promise<TranscriptFile> {
  const handle = await open(path, flags, 0o600);
  return {
    path,
    async append(text) {
      await handle.appendFile(text);
      await handle.datasync();
    },
    async writeMetrics(metrics) {
      const text = `${JSON.stringify(metrics, null, 2)}\n`;
      await writeFileAtomic(path.replace(/(?:\.jsonl)?$/, '.metrics.json'), text, 0o600);
      await writeFileAtomic(join(dirname(path), 'metrics.json'), text, 0o600);
    },
    close: () => handle.close(),
  };
}
