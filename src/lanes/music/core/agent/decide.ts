/** From what the model said to what happens: a hypothesis for the matcher, or a question for a person. */
import * as v from 'valibot';
import type { Choice, Decision, Outcome, ToolResult } from '#core/agent/workflow/definition.ts';
import { choicesOf } from './choices.ts';
import { answerConfidence } from '#core/agent/workflow/confidence.ts';
import type { AgentAction, Doubt } from './doubt.ts';
import { shownBy } from './gather.ts';
import { MatchSetSchema } from './tools.ts';

interface Answer {
  target: { kind: 'track'; id: string; album_id: string | null } | { kind: 'album'; id: string };
  agreement: number;
  logprob: number | null;
  claim: number | null;
}

export function decide(doubt: Doubt, results: readonly ToolResult[], outcome: Outcome): Decision<AgentAction> {
  const choices = choicesOf(doubt, results);
  const ask = (why: string): Decision<AgentAction> => ({
    kind: 'ask',
    question: doubt.question,
    why,
    options: choices.map(({ option_id, label, confidence }) => ({ id: option_id, label, confidence })),
  });
  if (outcome.kind === 'stopped') return ask(outcome.sentence);
  if (outcome.kind === 'tool') {
    const { tool, output } = outcome.result;
    const answer = tool === 'set_match' ? answerOfCall(output) : null;
    return answer ? act(doubt, results, choices, answer, outcome.why) : ask(outcome.why);
  }
  const { verdict } = outcome;
  if (verdict.kind !== 'option') return ask(verdict.why);
  const target = targetOf(verdict.option_id);
  if (target === null) return ask(verdict.why);
  const answer = { target, agreement: verdict.agreement, logprob: verdict.logprob, claim: null };
  return act(doubt, results, choices, answer, verdict.why);
}

/** A person's answer as an action; null for `none`, which leaves the files where they are. */
export function answered(doubt: Doubt, optionId: string): AgentAction | null {
  if (optionId === 'cancelled') return { type: 'Reject', reason: 'left out by the person' };
  const target = targetOf(optionId);
  if (target === null) return null;
  return target.kind === 'album'
    ? { type: 'MatchToAlbum', file_ids: doubt.file_ids, album_id: target.id, confidence: 1 }
    : trackAction(doubt, target.id, 1, doubt.context.request_id);
}

function act(
  doubt: Doubt,
  results: readonly ToolResult[],
  choices: readonly Choice[],
  answer: Answer,
  why: string,
): Decision<AgentAction> {
  const { target } = answer;
  const confidence = confidenceOf(doubt, choices, answer);
  if (target.kind === 'track' && doubt.file_ids.length === 1)
    return { kind: 'act', action: trackAction(doubt, target.id, confidence, requestOf(doubt, results, target)), why };
  const album_id = target.kind === 'album' ? target.id : target.album_id;
  if (album_id === null) return { kind: 'ask', question: doubt.question, why, options: [] };
  return { kind: 'act', action: { type: 'MatchToAlbum', file_ids: doubt.file_ids, album_id, confidence }, why };
}

function confidenceOf(doubt: Doubt, choices: readonly Choice[], answer: Answer): number {
  const { target } = answer;
  const ids = [
    `${target.kind}:${target.id}`,
    ...(target.kind === 'track' && target.album_id !== null ? [`album:${target.album_id}`] : []),
  ];
  const mine = choices.find((choice) => ids.includes(choice.option_id));
  const others = choices.filter((choice) => choice !== mine).map((choice) => choice.confidence);
  return answerConfidence({
    // What neither the matcher nor a search put forward has next to nothing to show.
    evidence: mine?.confidence ?? 0.05,
    next: Math.max(0, ...others),
    agreement: answer.agreement,
    logprob: answer.logprob,
    claim: answer.claim,
    threshold: doubt.threshold,
  });
}

function trackAction(doubt: Doubt, track_id: string, confidence: number, request_id: string | null): AgentAction {
  const file_id = doubt.file_ids[0] ?? '';
  return request_id === null
    ? { type: 'MatchToTrack', file_id, track_id, confidence }
    : { type: 'FulfillDownloadRequest', file_id, request_id, track_id, confidence };
}

/** The request that the files were sent for, where it wants this track or its album. */
function requestOf(
  doubt: Doubt,
  results: readonly ToolResult[],
  target: { id: string; album_id: string | null },
): string | null {
  const shown = shownBy(results);
  const request = shown.requests.find(({ id }) => id === doubt.context.request_id);
  if (!request) return null;
  const tracks = [...shown.tracks, ...shown.read.flatMap(({ tracks: of }) => of)];
  const album =
    target.album_id ??
    doubt.tracks.find((track) => track.track_id === target.id)?.album_id ??
    tracks.find((track) => track.id === target.id)?.album_id ??
    null;
  const wants = request.track_id === target.id || (request.album_id !== null && request.album_id === album);
  return wants ? request.id : null;
}

function answerOfCall(output: unknown): Answer | null {
  if (!v.is(MatchSetSchema, output)) return null;
  const { track_id, album_id, claim } = output;
  const target: Answer['target'] =
    track_id === null ? { kind: 'album', id: album_id } : { kind: 'track', id: track_id, album_id };
  return { target, agreement: 1, logprob: null, claim };
}

function targetOf(optionId: string): Answer['target'] | null {
  const at = optionId.indexOf(':');
  const id = optionId.slice(at + 1);
  if (at < 0 || id === '') return null;
  if (optionId.startsWith('album:')) return { kind: 'album', id };
  return optionId.startsWith('track:') ? { kind: 'track', id, album_id: null } : null;
}
