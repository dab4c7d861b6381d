/** Who answers a question: the agent first, where there is one and it has not been asked; then a person. */
import type { AgentFinding, Batch } from '#core/job/job.ts';
import type { Doubt } from '../agent/doubt.ts';
import { questionForGroup, type Phrase } from './phrase.ts';
import { albumChoice, trackChoice, type Question } from './questions.ts';
import { splitOption, type ReviewAdvice } from '#core/job/review.ts';
import type { MusicOption } from '../types.ts';
import { fnv1a } from '#core/fnv1a.ts';
import type { FileEvidence } from '../evidence/evidence.ts';
import type { FileMatch, GroupMatch } from '../match/match.types.ts';

/** A short name of a text: two FNV-1a hashes of 32 bits, as 16 hex digits. To tell apart, never to trust. */
function shortHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed).toString(16).padStart(8, '0')).join('');
}

/** AGENT-2: the same files, kind and options are the same doubt, in whatever order they come. */
export function doubtKey(kind: string, fileIds: readonly string[], optionIds: readonly string[]): string {
  const sorted = (ids: readonly string[]): string => [...ids].sort().join('\n');
  return `${kind}-${shortHash(`${kind}\n\n${sorted(fileIds)}\n\n${sorted(optionIds)}`)}`;
}

interface DoubtFacts {
  kind: Doubt['kind'];
  batch_id: string;
  group: GroupMatch;
  /** The first leads. */
  files: { evidence: FileEvidence; match: FileMatch }[];
  text: Phrase;
  context: Doubt['context'];
  threshold: number;
  said: readonly string[];
}

/** What the matcher is not sure of, with all that the agent may know about it. */
function makeDoubt(facts: DoubtFacts): Doubt {
  const { group, files, kind } = facts;
  const tracks = kind === 'track' ? (files[0]?.match.options ?? []) : [];
  const albums = kind === 'track' ? [] : group.options;
  const ids = files.map(({ evidence }) => evidence.file_id);
  const options = [...tracks.map((option) => option.track_id), ...albums.map((option) => option.album_id)];
  const decided = kind === 'track' && group.verdict === 'matched' ? group.album_id : null;
  const of = decided === null ? undefined : group.options.find((option) => option.album_id === decided);
  return {
    key: doubtKey(kind, ids, options),
    kind,
    batch_id: facts.batch_id,
    group_id: group.group_id,
    file_ids: ids,
    files: files.map(({ evidence }) => evidence),
    detected: {
      album: group.detected.album,
      artist: group.detected.artist,
      year: group.detected.year,
      title: files.length === 1 ? (files[0]?.match.detected.title ?? null) : null,
    },
    albums,
    tracks,
    album: of ? { id: of.album_id, title: of.title, artist: of.artist } : null,
    why: whyOf(files.map(({ match }) => match)),
    question: facts.text.question,
    reasoning: facts.text.reasoning,
    context: facts.context,
    threshold: facts.threshold,
    said: [...facts.said],
  };
}

/** The matcher's vetoes, those of most files first, at most four. */
function whyOf(files: readonly FileMatch[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const reason of file.reasons) {
      if (reason.kind !== 'veto') continue;
      const label = reason.label.replace(/^veto: /, '');
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  const labels = [...counts].sort((a, b) => b[1] - a[1]).map(([label]) => label);
  return labels.slice(0, 4).join('; ');
}

/** A file is not put to the agent more often than this: what its answers keep changing, a person settles. */
const MOST_ROUNDS = 6;

export interface AgentRules {
  agent: 'off' | 'on';
  batch: Batch;
  threshold: number;
  /** What people said about the batch, a line each. */
  said: readonly string[];
  /** A person is looking at this very question already. */
  isOpen(question: Question): boolean;
}

export type Turn = { who: 'agent'; doubt: Doubt } | { who: 'person'; question: Question; advice: ReviewAdvice | null };

/**
 * AGENT-1: with an agent, a doubt goes to it before it goes to a person, and once. What a person took back, what lies
 * before them already, and whether audio is replaced stay theirs.
 */
export function turnOf(question: Question, rules: AgentRules): Turn {
  const doubt = doubtAbout(question, rules);
  if (doubt === null) return { who: 'person', question, advice: null };
  const finding = question.items[0]?.job.agent ?? null;
  if (finding?.key === doubt.key) return advised(question, finding);
  const theirs = question.items.some(({ job }) => job.hold === true) || rules.isOpen(question);
  if (rules.agent !== 'on' || theirs) return { who: 'person', question, advice: null };
  const rounds = Math.max(...question.items.map(({ job }) => job.agent?.rounds ?? 0));
  // What it said last was about another doubt: no advice on this one.
  if (rounds >= MOST_ROUNDS) return { who: 'person', question, advice: null };
  return { who: 'agent', doubt };
}

function doubtAbout(question: Question, rules: AgentRules): Doubt | null {
  if (question.kind === 'replace' || question.kind === 'tracks') return null;
  const files = question.items.flatMap(({ job, file }) =>
    job.evidence === null ? [] : [{ evidence: job.evidence, match: file }],
  );
  if (files.length < question.items.length) return null;
  return makeDoubt({
    kind: question.kind,
    batch_id: rules.batch.id,
    group: question.group,
    files,
    text: question.text,
    context: { type: rules.batch.context_type, request_id: rules.batch.context_id },
    threshold: rules.threshold,
    said: rules.said,
  });
}

/** AGENT-6: the question as a person gets it when the agent was asked: its choice first, and why. */
function advised(question: Question, finding: AgentFinding): Turn {
  const full = withAdvisedOption(question, finding.answer);
  const listed = full.options.some((option) => option.id === finding.answer);
  const options = [...full.options].sort((a, b) => Number(b.id === finding.answer) - Number(a.id === finding.answer));
  const advice: ReviewAdvice = {
    option_id: listed || finding.answer === 'none' ? finding.answer : null,
    why: finding.why,
    model: finding.model,
    recorded: finding.recorded,
    agreement: finding.agreement,
    failed: finding.failed,
  };
  return { who: 'person', question: { ...full, options }, advice };
}

/** What the agent chose is offered, also where the question alone would have left it out. */
function withAdvisedOption(question: Question, answer: string): Question {
  const [kind, id] = splitOption(answer);
  const { group, items } = question;
  if (kind === 'track' && question.kind === 'track' && !question.options.some((option) => option.id === answer)) {
    const more: MusicOption[] =
      items[0]?.file.options.filter((option) => option.track_id === id).map(trackChoice) ?? [];
    return { ...question, options: [...question.options, ...more] };
  }
  const named = group.options.some((option) => option.album_id === id);
  if (kind === 'album' && question.kind === 'no_match' && named && items.length === group.file_ids.length) {
    const text = questionForGroup(
      { ...group, verdict: 'ask_album' },
      items.flatMap(({ job }) => job.evidence ?? []),
    );
    return { ...question, kind: 'album', text, options: group.options.map(albumChoice) };
  }
  return question;
}
