import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { Mask } from '#core/agent/llm/mask.ts';

const KEY = 'sk-live/+abcabcabd"9';
const mask = new Mask([KEY, 'sk-old-key-1'], ['http://10.0.0.5:11434', '10.0.0.5:11434']);

describe('what leaves the server', () => {
  test('LLM-65: a key is hidden in text, in a URL, in JSON and in base64, a former one too', () => {
    const forms = [KEY, encodeURIComponent(KEY), JSON.stringify(KEY).slice(1, -1), btoa(KEY), 'sk-old-key-1'];
    for (const form of forms) expect(mask.text(`a ${form} b`)).toBe('a [key] b');
  });

  test('LLM-65: as base64 it is hidden whatever its length and letters', () => {
    for (const key of ['abcdef', 'abcdefg', 'abcdefgh', 'schlüssel-€-1', '~!@#$%^&*()'])
      expect(new Mask([key]).text(`x ${Buffer.from(key).toString('base64')} y`)).toBe('x [key] y');
  });

  test('LLM-65, LLM-93: failures lose keys and addresses, and keep the rest', () => {
    const hidden = mask.failure(
      failure('rate_limited', `http://10.0.0.5:11434/api said "Bearer ${KEY}".`, { subject: KEY, retryAfterMs: 5 }),
    );
    expect(hidden).toMatchObject({ code: 'rate_limited', subject: '[key]', retryAfterMs: 5, retryable: true });
    expect(hidden.message).toBe('[address]/api said "Bearer [key]".');
  });

  test('LLM-65: answers lose keys in text, calls and log-probabilities', () => {
    const usage = { tokens_in: 1, tokens_out: 1, milliseconds: 1 };
    const call = { id: KEY, name: 'x', arguments: { [KEY]: [KEY, { deep: `${KEY}!` }, 7, null] } };
    const hidden = mask.response({
      message: { role: 'assistant', content: `say ${KEY}`, tool_calls: [call] },
      finish_reason: 'stop',
      usage,
      first_token_logprobs: { [KEY]: -1 },
    });
    expect(JSON.stringify(hidden)).not.toContain('abcabc');
    expect(hidden.message.tool_calls?.[0]?.arguments).toEqual({ '[key]': ['[key]', { deep: '[key]!' }, 7, null] });
    expect(hidden.usage).toEqual(usage);
  });

  test('LLM-65: placeholders for servers without a key stay words', () => {
    expect(new Mask(['none', '']).text('none of these')).toBe('none of these');
    expect(new Mask([]).stream().push('x')).toBe('x');
  });

  test('LLM-65: cut at any place, a stream says the same as the whole, and never a key', () => {
    const piece = fc.oneof(fc.constantFrom(KEY, KEY.slice(0, 9), 'abc', 'sk-', '[key]', 'sk-old-key-'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(12)), (pieces, cuts) => {
        const whole = pieces.join('');
        const stream = mask.stream();
        let at = 0;
        let said = '';
        for (const cut of cuts) said += stream.push(whole.slice(at, (at += cut)));
        said += stream.push(whole.slice(at)) + stream.end();
        expect(said).not.toContain(KEY);
        expect(said).toBe(mask.text(whole));
      }),
      { numRuns: 2000 },
    );
  });
});
