/** Music at each station of a file's way (core/run/lane-run.ts), over the ports of wherever it runs. */
import { failure } from '#core/errors.ts';
import { splitOption } from '#core/job/review.ts';
import { readRows, trackOf } from '#core/job/row-answer.ts';
import { fail, ok } from '#core/result.ts';
import type { Answered, LaneRun } from '#core/run/lane-run.ts';
import type { Doubt } from '../agent/doubt.ts';
import { acceptedTracks } from '../decide/match-context.ts';
import { hasOpenSheet, unfoldBySheet } from '../evidence/cue-verdict.ts';
import { probedFacts } from '../evidence/probed-facts.ts';
import { learnFromAnswer, learnFromPlan, MOST_REMEMBERED, unlearn } from '../learning/learn.ts';
import type { CatalogNow } from '../learning/memory.ts';
import { commitOfJob, convertRequest } from '../publish/convert-request.ts';
import { answerEvents, type AnswerFacts } from '../questions/answer-events.ts';
import { conflictQuestion, questionAbout, questionLeft } from '../questions/ask-again.ts';
import type { MusicJob, MusicReview, MusicTypes } from '../types.ts';
import { catalogNow, decide, readFacts, type MatchFacts } from './facts.ts';
import type { MusicPorts } from './ports.ts';

export function createMusicRun(ports: MusicPorts): LaneRun<MusicTypes> {
  const { catalog, media, clock } = ports;
  return {
    id: 'music',

    async probe(job, signal) {
      const started = clock.now();
      const found = await media.probe(job.sha256, job.segment?.file ?? job.original_filename, signal);
      if (!found.ok) return found;
      const { cover } = found.value;
      const kept = cover === null ? null : await media.keepCover(cover.bytes);
      const stored = kept === null || cover === null ? null : { sha256: kept, mime: cover.mime };
      return ok({ type: 'probed', facts: probedFacts(job, found.value, stored, clock.now() - started) });
    },
    mayUnfold: hasOpenSheet,
    unfold: (job, batch, jobs) => unfoldBySheet(job, batch, jobs, ports.sha256),

    /** Between two batches: what people answered is taken into the confidence. */
    tend: async () => void (await ports.profile()),
    async isReady(rows, batch) {
      if (catalog.isCurrent) return (await catalog.index()) !== null;
      // An album that a person just created may not be in the copy of the catalog yet.
      for (const review of await rows.reviewsOfBatch(batch.id)) {
        const [kind, id] = splitOption(review.selected_option ?? '');
        if ((kind !== 'created' && kind !== 'album') || id === null) continue;
        if ((await catalog.albums([id])).length > 0) continue;
        catalog.want();
        return false;
      }
      // Only then: an index that is older than the rows would not know the album, and it would be asked about again.
      if ((await catalog.index()) !== null) return true;
      catalog.want();
      return false;
    },
    readFacts: (rows, batch, jobs) => readFacts(ports, rows, batch, jobs),
    decide: (facts, agent) => decide(facts as MatchFacts, agent),
    onPlanned: (rows, context, after, facts) => learnFromPlan(rows, context, after, (facts as MatchFacts).catalog),

    ...(ports.engine ? { engine: ports.engine } : {}),
    rankOf: ({ kind }) => (kind === 'track' ? 1 : 0),
    nameOf(doubt) {
      const { files, detected } = doubt as Doubt;
      const [first] = files;
      if (files.length === 1 && first) return first.path.split('/').at(-1) ?? first.path;
      return detected.album ?? `${files.length} files`;
    },

    readAnswer: (rows, review, option) => readAnswer(ports, review, option, () => rows.jobs(review.job_ids)),
    answerEvents: (review, option, facts) => answerEvents(review, option, facts as Said),
    ownOption(review, jobId, option) {
      if (option === 'each') return null;
      const rows = readRows(option);
      if (rows !== null) return ownRow(rows.rows[jobId], rows.album_id, acceptedTracks(review).get(jobId));
      if (option !== 'accept') return option;
      const track = acceptedTracks(review).get(jobId);
      return track === undefined ? null : `track:${track}`;
    },
    onAnswered: (rows, context, answer: Answered<MusicTypes>) =>
      learnFromAnswer(rows, context, answer, (answer.facts as Said).catalog),
    onTakenBack: (rows, _context, job, how) => unlearn(rows, job, how),
    onRecovered: ({ lanes: { music } }) => music.trimRemembered(MOST_REMEMBERED),
    /** An answered sample is what the local profile rests on; one without an answer will get none any more. */
    async onCleared({ lanes: { music } }, jobIds) {
      const samples = await Promise.all(jobIds.map((id) => music.sample(id)));
      await music.deleteSamples(samples.flatMap((sample) => (sample?.right === null ? [sample.id] : [])));
    },
    questionAbout,
    questionLeft,
    conflictQuestion,

    finish: {
      words: (job) => `Converting to Ogg Vorbis with the tags of "${job.matched_title}"`,
      async convert(job, batch, options) {
        const [track] = await catalog.tracks([job.matched_track_id]);
        if (!track) {
          const why = `The track that "${job.original_filename}" was matched to is not in the catalog any more.`;
          return fail(failure('not_found', why));
        }
        const [album] = await catalog.albums([track.album_id]);
        const { output_bitrate } = await ports.settings();
        return media.convert(convertRequest(job, batch, track, album, output_bitrate), options);
      },
      rest: () => media.rest(),
      commit: commitOfJob,
    },
  };
}

/** What a row says as its own question would have had it; null: nothing. */
function ownRow(word: string | undefined, album: string | null, proposed: string | undefined): string | null {
  if (word !== undefined) return word === 'ask' ? null : word;
  if (album !== null) return `album:${album}`;
  return proposed === undefined ? null : `track:${proposed}`;
}

/** What an answer may speak of, and the catalog that it is remembered with. */
interface Said extends AnswerFacts {
  catalog: CatalogNow;
}

async function readAnswer(
  { catalog }: MusicPorts,
  review: MusicReview,
  option: string,
  jobsOf: () => Promise<MusicJob[]>,
): Promise<Said> {
  const [kind, id] = splitOption(option);
  const jobs = await jobsOf();
  const rows = readRows(option);
  const named = [
    ...(kind === 'track' && id !== null ? [id] : []),
    ...(option === 'accept' || rows !== null ? acceptedTracks(review).values() : []),
    ...Object.values(rows?.rows ?? {}).flatMap((word) => trackOf(word) ?? []),
    ...jobs.flatMap((job) => job.match?.track_id ?? []),
  ];
  const tracks = new Map((await catalog.tracks([...new Set(named)])).map((track) => [track.id, track]));
  const wanted = [...tracks.values()].map((track) => track.album_id);
  if (kind === 'album' && id !== null) wanted.push(id);
  if (rows !== null && rows.album_id !== null) wanted.push(rows.album_id);
  const albums = new Map((await catalog.albums([...new Set(wanted)])).map((album) => [album.id, album]));
  return {
    jobs,
    hasAlbum: (album) => albums.has(album),
    target(trackId) {
      const track = tracks.get(trackId);
      if (!track) return null;
      const album = albums.get(track.album_id)?.title ?? '';
      return { track_id: track.id, title: track.title, album_id: track.album_id, album };
    },
    catalog: await catalogNow(catalog, [...tracks.keys()]),
  };
}
