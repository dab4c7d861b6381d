/** Answers to `replies.jsonl`: what the product reads in a model's text. */
import * as v from 'valibot';
import { readReply } from '#lanes/guide/core/run/reply.ts';
import type { Part } from './part.types.ts';

const ReplyCase = v.object({ id: v.string(), text: v.string() });

export const replies: Part = {
  cases: 'replies.jsonl',
  answers: 'replies.jsonl',
  answer: (cases) =>
    v.parse(v.array(ReplyCase), cases).map(({ id, text }) => {
      const reply = readReply(text);
      return reply.ok ? { id, ok: true, action: reply.action, taken: reply.taken } : { id, ok: false };
    }),
};
