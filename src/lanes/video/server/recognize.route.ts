import { RecognizedFolderSchema, RecognizeFolderSchema } from '#lanes/video/core/recognize-protocol.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { keyedOnce } from '#server/http/mutate.ts';
import { proposed } from '#server/plans/plans.route.ts';
import { recognizeFolder, type RecognizeDeps } from './recognize-folder.ts';

/** POST /v1/plans/recognize */
export function recognizeRoutes(deps: RecognizeDeps): Route[] {
  return [
    route('POST /v1/plans/recognize', {
      scope: 'EditCatalog',
      tag: 'Plans',
      summary: 'Recognise the episodes of a folder that the server may see, and propose a plan of them.',
      body: RecognizeFolderSchema,
      replies: { 200: json(RecognizedFolderSchema, 'What the folder is, what is unclear of it, and the plan.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, RecognizeFolderSchema, async (body, { user_id }) => {
          const { planId, reading, asked } = await recognizeFolder(deps, body, user_id);
          const { show, questions, gaps, duplicates } = reading;
          const answers = asked.map(({ doubt, answer, why, refused }) => ({
            question: doubt.question,
            answer: doubt.options.find(({ id }) => id === answer?.option_id)?.label ?? null,
            why,
            refused,
          }));
          const done = { status: 200, body: { planId, show, questions, gaps, duplicates, asked: answers } } as const;
          return planId === null ? done : { ...done, audit: proposed(planId, body.mediaFolderPath) };
        }),
    }),
  ];
}
