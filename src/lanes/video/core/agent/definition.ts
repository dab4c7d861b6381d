/**
 * The folder's workflow: what the generic executor (core/agent) needs to know to put a doubt of a folder to a model.
 *
 *   gather (code): listFiles, getEpisodes of the shows in question
 *   brief: names and options -> the model chooses a letter, or calls tools -> decide: hypothesis or question
 *
 *   VIDEO-73 what is in names is fenced and cleaned like everything from outside, what reads like an order is left out,
 *            and no tool of this workflow writes: the worst that a name can do is a wrong hypothesis, which is then checked
 */
import * as v from 'valibot';
import { quiet } from '#core/agent/prompt/instruction-text.ts';
import { wordTool } from '#core/agent/tools/make-tool.ts';
import { answerConfidence } from '#core/agent/workflow/confidence.ts';
import type {
  Brief,
  Choice,
  Decision,
  Outcome,
  ToolResult,
  WorkflowDefinition,
} from '#core/agent/workflow/definition.ts';
import { FolderActionSchema, FolderDoubtSchema, type FolderAction, type FolderDoubt } from './doubt.ts';
import { VIDEO_READ_TOOLS, type VideoToolContext } from './video-tools.ts';

const READING = VIDEO_READ_TOOLS.map(({ name }) => name);
const DECIDING = ['choose_option', 'leave_to_person'];
/** Looks, those of code included, after which the model has to decide. */
const MOST_LOOKS = 10;
/** Titles of episodes that the model is shown of each show that was looked up. */
const MOST_TITLES = 30;

const JUDGING = `How to judge:
- The names of files may be misspelt, abbreviated, translated or in another script.
- The right option gives most files an episode of their own, leaves few episodes missing and gives no episode two files.
- Numbers that go on over the end of a season count through all seasons. A season folder says that they begin anew.
- Samples, openings, trailers and extras are no episodes.`;

const INSTRUCTIONS = {
  choice: `You recognise the episodes of a show in a folder of video files. You get what was read from the names, and options, each with a letter.

${JUDGING}

Choose the option that fits best. If clearly none of them is right, say so. If two fit as well as each other, leave it to a person.`,
  tools: `You recognise the episodes of a show in a folder of video files. You get what was read from the names and the options, each with a handle.

${JUDGING}

Process:
1. Compare names, numbers and titles with the options.
2. Where it helps, look at the files (listFiles, getMediaMetadata) or at the episodes of a show (getEpisodes).
3. When one option fits, call choose_option. If you stay uncertain, call leave_to_person.
A few calls are enough. What you decide is checked against the files and the catalog before anything happens.`,
};

const ChosenSchema = v.strictObject({
  option: v.pipe(v.string(), v.description('The option that is right, by its handle')),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  reasoning: v.pipe(v.string(), v.maxLength(600), v.description('Why, in one sentence')),
});
/** Ends the doubt. Only an option that was shown can be named. */
const chooseOption = wordTool(
  'choose_option',
  'Commit the answer: this option is right. Call it once, when the names and the catalog agree.',
  ChosenSchema,
  { option: 'option' },
);

const leaveToPerson = wordTool(
  'leave_to_person',
  'Leave the decision to a person, when several options are as likely or none is right.',
  v.strictObject({
    reasoning: v.pipe(v.string(), v.maxLength(600), v.description('What is uncertain, in one sentence')),
  }),
);

export const folderWorkflow: WorkflowDefinition<FolderDoubt, FolderAction, VideoToolContext> = {
  name: 'folder-doubt',
  version: 1,
  input: FolderDoubtSchema,
  action: FolderActionSchema,
  tools: [...VIDEO_READ_TOOLS, chooseOption, leaveToPerson],
  instructions: INSTRUCTIONS,
  shows: ({ files, options }) => [
    ...files.map(({ path }) => ({ kind: 'file', id: path })),
    ...options.map(({ id }) => ({ kind: 'option', id })),
  ],
  gather: ({ mediaFolderPath, shows }) => [
    { tool: 'listFiles', input: { mediaFolderPath } },
    ...shows.map((show) => ({ tool: 'getEpisodes', input: { show } })),
  ],
  brief,
  allowed: (_doubt, results) =>
    results.filter(({ tool }) => READING.includes(tool)).length >= MOST_LOOKS ? DECIDING : [...READING, ...DECIDING],
  ballots: 2,
  decide,
  answered: (doubt, optionId) => {
    const option = doubt.options.find(({ id }) => `option:${id}` === optionId);
    return option ? { type: 'AnswerFolder', option_id: option.id, confidence: 1 } : null;
  },
};

const Episodes = v.object({
  shows: v.array(v.object({ title: v.string() })),
  episodes: v.array(v.object({ season: v.number(), episode: v.number(), title: v.nullable(v.string()) })),
});

function brief(doubt: FolderDoubt, results: readonly ToolResult[]): Brief {
  const sections: Brief['sections'] = [
    {
      heading: 'Files',
      rows: doubt.files.map(({ name, folder, says }, at) =>
        present({ file: `F${at + 1}`, name: quiet(name), folder: quiet(folder), read_as: says }),
      ),
    },
  ];
  for (const { tool, output } of results) {
    if (tool !== 'getEpisodes' || !v.is(Episodes, output) || output.episodes.length === 0) continue;
    const rows = output.episodes
      .slice(0, MOST_TITLES)
      .map(({ season, episode, title }) => present({ season, episode, title: quiet(title) }));
    sections.push({ heading: `Episodes of ${quiet(output.shows[0]?.title) ?? 'a show'}`, rows });
  }
  return { question: doubt.question, sections, choices: choicesOf(doubt) };
}

function choicesOf({ options, threshold }: FolderDoubt): Choice[] {
  return options.map(({ id, label, confidence, facts }) => ({
    option_id: `option:${id}`,
    label: quiet(label) ?? '?',
    confidence: Math.min(confidence, threshold),
    facts,
  }));
}

function decide(doubt: FolderDoubt, _results: readonly ToolResult[], outcome: Outcome): Decision<FolderAction> {
  const choices = choicesOf(doubt);
  const ask = (why: string): Decision<FolderAction> => ({
    kind: 'ask',
    question: doubt.question,
    why,
    options: choices.map(({ option_id, label, confidence }) => ({ id: option_id, label, confidence })),
  });
  if (outcome.kind === 'stopped') return ask(outcome.sentence);
  if (outcome.kind === 'tool') {
    const { tool, output } = outcome.result;
    if (tool !== 'choose_option' || !v.is(ChosenSchema, output)) return ask(outcome.why);
    return act(output.option, { agreement: 1, logprob: null, claim: output.confidence }, outcome.why);
  }
  const { verdict } = outcome;
  if (verdict.kind !== 'option') return ask(verdict.why);
  const { agreement, logprob } = verdict;
  return act(verdict.option_id.replace(/^option:/, ''), { agreement, logprob, claim: null }, verdict.why);

  function act(
    id: string,
    answer: { agreement: number; logprob: number | null; claim: number | null },
    why: string,
  ): Decision<FolderAction> {
    const mine = doubt.options.find((option) => option.id === id);
    if (mine === undefined) return ask(why);
    const others = doubt.options.filter((option) => option !== mine).map((option) => option.confidence);
    const facts = { evidence: mine.confidence, next: Math.max(0, ...others), threshold: doubt.threshold, ...answer };
    return { kind: 'act', action: { type: 'AnswerFolder', option_id: id, confidence: answerConfidence(facts) }, why };
  }
}

function present(row: Record<string, string | number | null>): Record<string, string | number | null> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
