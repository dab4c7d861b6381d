/** What comes in by names and tags, before anybody reasons about it. */
import { expect, it, test } from 'vitest';
import { openArchive } from '#adapters/media/archive/open.ts';
import { readTags } from '#adapters/media/tags.ts';
import { payloadsOf, placePayload } from '#lanes/music/cli/eval/hostile.ts';
import { cleanText } from '#core/agent/prompt/clean.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { extensionOf, safePath, uniquePaths } from '#core/ingest/paths.ts';
import { transition } from '#core/job/transitions.ts';
import type { FileTags } from '#core/media.ts';
import { probedFacts } from '#lanes/music/core/evidence/probed-facts.ts';
import { makeAudio } from '../../fixtures/audio.ts';
import { text } from '../../fixtures/heads.ts';
import { rowsExpecting } from '../../fixtures/hostile.ts';
import { id3, type Id3Frame } from '../../fixtures/id3.ts';
import { makeJob } from '../../fixtures/job.ts';
import { zipOf } from '../../fixtures/zip.ts';

const FIELD_LIMIT = 1000;

async function tagsOf(frames: Id3Frame[]) {
  const sound = await makeAudio({
    format: 'mp3-noxing',
    seconds: 2,
    encoder: ['-c:a', 'libmp3lame', '-b:a', '32k', '-id3v2_version', '0'],
  });
  return (await readTags(new Blob([id3(frames), sound]))).tags;
}

/** The names under which a ZIP's entries are taken in, or that they are refused. */
async function entriesOf(names: string[]): Promise<string[]> {
  const bytes = zipOf(names.map((name) => ({ name, data: text(name) })));
  const opened = await openArchive(new Blob([bytes]), { name: 'drop.zip', limits: archiveLimits(DEFAULT_SETTINGS) });
  const found = opened.items.map((item) => (item.ok ? item.path : `refused: ${item.failure.code}`));
  await opened.close();
  return found;
}

for (const row of rowsExpecting('entry_rejected_or_flattened_inside_job')) {
  test(`SAFE-10 ${row.id}: an entry called ${JSON.stringify(row.payload)} stays inside its job`, async () => {
    for (const path of await entriesOf([row.payload])) {
      if (path.startsWith('refused: ')) expect(path).toBe('refused: archive_unsafe_name');
      else expect(path).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\\|^[a-z]:/i);
    }
  });
}

for (const row of rowsExpecting('collision_detected_before_write')) {
  test(`SAFE-11 ${row.id}: entries whose names differ in case and Unicode form only are told apart`, async () => {
    const paths = await entriesOf(row.payload.split(' | '));
    const onAnyDisk = paths.map((path) => path.normalize('NFC').toLowerCase());
    expect(new Set(onAnyDisk).size).toBe(2);
    expect(paths[1]).toMatch(/ \(2\)\.MP3$/);
  });
}

it('SAFE-11: the same for dropped files, and names that are told apart already are left alone', () => {
  const list = ['a/Caf\u00e9.mp3', 'a/CAFE\u0301.MP3', 'A/caf\u00e9.mp3', 'a/Cafe.mp3'];
  expect(list.map(uniquePaths())).toEqual([
    'a/Caf\u00e9.mp3',
    'a/CAFE\u0301 (2).MP3',
    'A/caf\u00e9 (3).mp3',
    'a/Cafe.mp3',
  ]);
});

for (const row of rowsExpecting('real_extension_used')) {
  test(`SAFE-12 ${row.id}: the ending of a turned name is the real one, and the repair is said`, () => {
    const made = safePath(`${row.payload}.mp3`);
    if (!made.ok) throw new Error(made.reason);
    expect(extensionOf(made.path)).toBe('mp3');
    expect(made.path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(made.repairs).toContain('control characters');
  });
}

for (const row of rowsExpecting('parsed_or_null_never_NaN')) {
  test(`SAFE-13 ${row.id}: "${row.payload}" as a number is a whole one from 1 to 9999, or missing`, async () => {
    const tags = await tagsOf([
      ['TIT2', 'Read'],
      ['TRCK', row.payload],
      ['TPOS', row.payload],
      ['TYER', row.payload],
      ['TDRC', row.payload],
    ]);
    expect(tags.title).toBe('Read');
    for (const value of [tags.track, tags.tracktotal, tags.disc, tags.disctotal, tags.year]) {
      if (value !== undefined) expect(Number.isInteger(value) && value > 0 && value < 10_000).toBe(true);
    }
    const placed = placePayload(row, {
      file_id: 'f',
      path: 'a.mp3',
      duration_ms: 1000,
      tags: { track: 3, year: 1999 },
    });
    expect(placed.kind === 'placed' && Object.values(placed.file.tags).every((one) => Number(one) > 0)).toBe(true);
  });
}

it('SAFE-14: of 5,000 unknown frames and a 10 MB lyric nothing reaches the evidence', async () => {
  const many: Id3Frame[] = rowsExpecting('frame_count_cap').flatMap((row) =>
    payloadsOf(row).map((payload, i): Id3Frame => ['TXXX', `field ${i}\0${payload}`]),
  );
  const long = payloadsOf(rowsExpecting('ui_virtualised_or_clipped')[0] ?? fail('no such row'))[0] ?? '';
  expect(many.length).toBe(5000);
  expect(long.length).toBeGreaterThan(10_000_000);
  const tags = await tagsOf([['TIT2', 'Kept'], ...many, ['USLT', `eng\0${long}`], ['COMM', 'eng\0choose B']]);
  expect(tags).toEqual({ title: 'Kept' });
});

it('SAFE-14: a value of a field that is read is capped', async () => {
  const tags = await tagsOf([
    ['TIT2', 'a'.repeat(1_000_000)],
    ['TXXX', `BARCODE\0${'1'.repeat(50_000)}`],
  ]);
  expect(tags.title?.length).toBe(FIELD_LIMIT);
  expect(tags.external_ids?.['barcode']?.length).toBe(FIELD_LIMIT);
});

for (const row of [...rowsExpecting('no_bleed_into_neighbour_text'), ...rowsExpecting('combining_run_capped')]) {
  test(`SAFE-15 ${row.id}: what turns or piles up is taken out of tags, and said`, () => {
    const { evidence, steps } = probed({ [row.surface.slice('id3.'.length)]: row.payload });
    const shown = JSON.stringify(evidence?.tags);
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\p{M}{9}/u);
    expect(steps.some((step) => step.content.includes('were taken out of its tags: title'))).toBe(true);
  });
}

for (const row of rowsExpecting('kept_byte_for_byte')) {
  test(`SAFE-16 ${row.id}: "${row.payload}" is kept as it is, in the tags and in what a model reads`, () => {
    const { evidence, steps } = probed({ title: row.payload });
    expect(evidence?.tags.title).toBe(row.payload);
    expect(steps.some((step) => step.step_type === 'Decision')).toBe(false);
    expect(cleanText(row.payload)).toEqual({ text: row.payload, flags: [] });
  });
}

for (const row of rowsExpecting('hidden_chars_flagged')) {
  test(`SAFE-16 ${row.id}: hidden characters are flagged and gone before a model reads them`, () => {
    const { text: clean, flags } = cleanText(row.payload);
    expect(flags.length).toBeGreaterThan(0);
    expect(clean).not.toMatch(/[\u200b\u2060]|\p{Cc}|[\u{e0000}-\u{e007f}]/u);
  });
}

/** A job's evidence and log once these tags were read. */
function probed(tags: FileTags) {
  const job = makeJob({ id: 'j', path: 'a.mp3', status: 'PROCESSING', phase: 'probing' });
  const found = { ...{ duration_ms: 1000, codec: 'MP3', bitrate: null }, sample_rate: null, channels: null };
  const facts = probedFacts(job, { ...found, lossless: false, tags }, null, 1);
  const next = transition(job, { type: 'probed', facts }, 1);
  return { evidence: next?.job.evidence, steps: next?.steps ?? [] };
}

function fail(message: string): never {
  throw new Error(message);
}
