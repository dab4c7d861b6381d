import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { AccessionError } from '#core/errors.ts';
import { evaluate, spoken } from '#lanes/library/core/ask/tools/calculator/evaluate.ts';
import { readExpression } from '#lanes/library/core/ask/tools/calculator/read-expression.ts';
import { calculator } from '#lanes/library/core/ask/tools/calculator/calculator.ts';
import { evidenceOf } from '../ask-world.ts';
import { STATION } from '../run-world.ts';

const is = (expression: string): string => spoken(evaluate(readExpression(expression)));

describe('calculator', () => {
  it.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['-2 ^ 2', '-4'],
    ['2 ^ 3 ^ 2', '512'],
    ['2 ** -1', '0.5'],
    ['10 − 4 ÷ 2 × 3', '4'],
    ['15 % of 240', '36'],
    ['240 * 15 %', '36'],
    ['30 / 120 in %', '25 %'],
    ['12 % - 5 %', '7 %'],
    ['1.8 m + 60 cm', '2.4 m'],
    ['90 min in h', '1.5 h'],
    ['5 km / 250 m', '20'],
    ['3 * 4200 euros', '12600 euros'],
    ['$5 + $7.50', '$12.5'],
    ['mean(2, 4, 9)', '5'],
    ['sum(1, 2, 3.5)', '6.5'],
    ['min(4 m, 90 cm)', '0.9 m'],
    ['max(1, 7, 3)', '7'],
    ['round(1.005, 2)', '1.01'],
    ['round(-2.5)', '-3'],
    ['round(10 / 3, 3)', '3.333'],
  ])('ASK-73 %s is %s', (expression, result) => {
    expect(is(expression)).toBe(result);
  });

  it.each([
    ['1 +', /the end where a number/],
    ['1 2', /"2" where the end/],
    ['process.exit(1)', /no part of a calculation|where a number/],
    ['constructor', /where a number/],
    ['globalThis', /where a number/],
    ['toString(1)', /where a number/],
    ['__proto__', /no part/],
    ['1; 2', /no part/],
    ['sqrt(4)', /where a number/],
    ['5 / 0', /divided by 0/],
    ['2 ^ 65', /Powers go to 64/],
    ['3 m + 4 kg', /do not go together/],
    ['3 m + 4', /do not go together/],
    ['3 m * 4 m', /not known here/],
    ['3 m ^ 2', /without units/],
    ['10 ^ 64 * 10 ^ 64 * 10 ^ 64 * 10 ^ 64 * 10 ^ 64', /No number/],
    ['('.repeat(40) + '1' + ')'.repeat(40), /deeper than/],
    [Array.from({ length: 65 }, () => '1').join('+'), /more than 64 numbers/],
    ['1'.repeat(501), /longer than/],
  ])('ASK-73 %s is refused', (expression, why) => {
    expect(() => is(expression)).toThrow(why);
  });

  it('ASK-73 whatever is written is a number or a refusal, and no more', () => {
    const part = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '/',
      '^',
      '(',
      ')',
      ',',
      'mean',
      'round',
      '%',
      ' of ',
      'm',
      'in',
      'é',
      '"',
      '\\',
      '`',
      '${1}',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 24 }).map((parts) => parts.join(' ')),
        (text) => {
          try {
            return Number.isFinite(evaluate(readExpression(text)).value);
          } catch (error) {
            return error instanceof AccessionError && error.failure.code === 'invalid';
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('ASK-73 every number stands in the question or in what was found', async () => {
    const evidence = Object.values(await evidenceOf(STATION));
    const known = { question: 'What is 15 % of the price of two winches?', evidence };
    const why = (expression: string) => calculator.refuses?.({ expression }, known) ?? null;
    expect(why('2 * 4200 euros')).toBeNull();
    expect(why('15 % of 4200 euros')).toBeNull();
    expect(why('1.8 m in cm')).toBeNull();
    expect(why('180 cm')).toBeNull();
    expect(why('round(4200 / 4, 2)')).toBeNull();
    expect(why('4 ^ 7')).toBeNull();
    expect(why('4200 * 1.19')).toBe('1.19 stands neither in the question nor in what was found');
    expect(why('1.8 kg')).toMatch(/^1.8 stands neither/);
    expect(why('4200 *')).toMatch(/where a number must stand/);
  });
});
