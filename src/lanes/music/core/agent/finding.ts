/** What is kept of a workflow that ended, on each of its jobs. */
import type { ToolResult } from '#core/agent/workflow/definition.ts';
import { toolResults } from '#core/agent/workflow/journal.ts';
import type { JournalEntry, Workflow } from '#core/agent/workflow/workflow.ts';
import { choicesOf } from './choices.ts';
import { doubtedConfidence } from '#core/agent/workflow/confidence.ts';
import type { AgentFinding } from '#core/job/job.ts';
import type { AgentAction, Doubt } from './doubt.ts';
import { knownAlbums, shownBy } from './gather.ts';

/** More albums than these are not compared for one answer. */
const MOST_LOOKED_UP = 16;

/**
 * The finding of a workflow that completed, waits for a person, or failed. One that has not ended yet reads as failed:
 * the caller gave it up.
 */
export function findingOf(workflow: Workflow<Doubt, AgentAction>): AgentFinding {
  const { input, journal, state } = workflow;
  const results = toolResults(journal);
  const said = answerIn(workflow, results);
  const best = Math.max(0, ...choicesOf(input, results).map((choice) => choice.confidence));
  const action = actionOf(state);
  const verdict = lastVerdict(journal);
  const agreement = said.failed === null ? (verdict?.agreement ?? 1) : 0;
  const confidence =
    action && 'confidence' in action
      ? action.confidence
      : doubtedConfidence(best, said.answer === 'none' ? 'none' : 'ask', agreement);
  return {
    key: input.key,
    workflow_id: workflow.id,
    answer: said.answer,
    why: said.why.slice(0, 300),
    model: workflow.model,
    recorded: workflow.recorded,
    agreement,
    confidence,
    failed: said.failed,
    looked_up: lookedUp(input, action, results),
  };
}

function answerIn(
  workflow: Workflow<Doubt, AgentAction>,
  results: readonly ToolResult[],
): { answer: string; why: string; failed: string | null } {
  const { state, journal } = workflow;
  const verdict = lastVerdict(journal);
  const action = actionOf(state);
  const why = verdict?.why ?? lastWhy(journal);
  if (action) {
    const answer = answerOfAction(action);
    return { answer, why: state.type === 'Completed' && why === '' ? state.result.why : why, failed: null };
  }
  if (state.type === 'Failed') return { answer: 'failed', why: '', failed: state.failure.message };
  const stopped = journal.find((entry) => entry.kind === 'stopped');
  // Nothing came up that could be put to a model: that is an answer of the catalog, not a fault of the model.
  if (stopped?.bound === 'options') return { answer: 'none', why: stopped.sentence, failed: null };
  if (stopped) return { answer: 'failed', why: '', failed: stopped.sentence };
  if (verdict) return { answer: verdict.kind === 'none' ? 'none' : 'ask', why, failed: null };
  const decided = results.findLast(({ tool }) => tool === 'reject' || tool === 'request_review');
  if (decided) return { answer: decided.tool === 'reject' ? 'none' : 'ask', why, failed: null };
  if (state.type === 'AwaitingReview' || state.type === 'Completed') return { answer: 'ask', why, failed: null };
  return { answer: 'failed', why: '', failed: 'The agent was stopped before it had an answer.' };
}

function answerOfAction(action: AgentAction): string {
  switch (action.type) {
    case 'MatchToTrack':
    case 'FulfillDownloadRequest':
      return `track:${action.track_id}`;
    case 'MatchToAlbum':
      return `album:${action.album_id}`;
    case 'Reject':
      return 'none';
  }
}

function actionOf(state: Workflow<Doubt, AgentAction>['state']): AgentAction | null {
  if (state.type === 'ReadyToExecute' || state.type === 'Executing') return state.action;
  return state.type === 'Completed' ? state.result.action : null;
}

function lastVerdict(journal: readonly JournalEntry[]) {
  return journal.findLast((entry) => entry.kind === 'verdict')?.verdict ?? null;
}

function lastWhy(journal: readonly JournalEntry[]): string {
  const thoughts = journal.flatMap((entry) => (entry.kind === 'thought' && entry.why !== '' ? [entry.why] : []));
  return thoughts.at(-1) ?? '';
}

/** AGENT-5: albums that came up and that the matcher had not named; the chosen one's first, then those that were read. */
function lookedUp(doubt: Doubt, action: AgentAction | null, results: readonly ToolResult[]): string[] {
  const shown = shownBy(results);
  const chosen =
    action === null || action.type === 'Reject'
      ? []
      : action.type === 'MatchToAlbum'
        ? [action.album_id]
        : [...shown.tracks, ...shown.read.flatMap(({ tracks }) => tracks)].flatMap((track) =>
            track.id === action.track_id ? [track.album_id] : [],
          );
  const known = new Set(knownAlbums(doubt));
  const all = [
    ...chosen,
    ...shown.read.map(({ album }) => album.id),
    ...shown.albums.map(({ id }) => id),
    ...shown.tracks.map(({ album_id }) => album_id),
  ];
  return [...new Set(all)].filter((id) => !known.has(id)).slice(0, MOST_LOOKED_UP);
}
