import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { quiet } from '../../agent/prompt/quiet.ts';
import { READ_LIMITS, type PlanToolContext } from './context.ts';
import { Counted } from './fields.ts';

const MOST_SHOWS = 8;
const MOST_EPISODES = 2000;

const Input = v.strictObject({
  show: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('The title of the show, or its ID')),
  season: v.optional(Counted('One season only; 0 for specials')),
});
const Show = v.strictObject({ id: v.string(), title: v.string(), year: v.nullable(v.number()) });
const Output = v.strictObject({
  /** What the words found, best first; the episodes are of the first. */
  shows: v.array(Show),
  episodes: v.array(
    v.strictObject({
      season: v.number(),
      episode: v.number(),
      title: v.nullable(v.string()),
      air_date: v.nullable(v.string()),
      absolute: v.nullable(v.number()),
    }),
  ),
});

export const getEpisodes: AgentTool<PlanToolContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Output>> = {
  name: 'getEpisodes',
  version: 1,
  description: 'The episodes of a show as the catalog knows them: titles, air dates, numbers counted over all seasons.',
  input: Input,
  output: Output,
  risk: 'read',
  side_effects: false,
  limits: READ_LIMITS,
  network: [],
  references: {},
  shows: ({ shows }) => shows.map(({ id }) => ({ kind: 'show', id })),
  render: ({ shows, episodes }, handle) => ({
    shows: shows.map(({ id, title, year }) => ({ show: handle('show', id), title: quiet(title), year })),
    episodes: episodes.map((episode) => ({ ...episode, title: quiet(episode.title) })),
  }),
  async execute({ show, season }, { context: { shows } }) {
    const named = await shows.episodes(show, season ?? null);
    const found = named ? [named.show] : (await shows.find(show)).slice(0, MOST_SHOWS);
    const [best] = found;
    const of = named ?? (best ? await shows.episodes(best.id, season ?? null) : null);
    return {
      ok: true,
      output: { shows: found, episodes: (of?.episodes ?? []).slice(0, MOST_EPISODES) },
      provenance: [{ source: 'catalog', ref: `cursor ${shows.cursor()}` }],
    };
  },
};
