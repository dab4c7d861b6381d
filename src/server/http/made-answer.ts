import type { ContentfulStatusCode } from 'hono/utils/http-status';

export interface Answer {
  status: ContentfulStatusCode;
  body: object;
}

export interface MadeAnswer {
  answer: Answer;
  /** It was made before, under the same key. */
  replayed: boolean;
}
