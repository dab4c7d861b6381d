import { expect, test } from 'vitest';
import { askFigures } from '#lanes/library/cli/eval/ask-figures.ts';

test('ASK-34 eval -- ask counts first and three quotes, abstentions right and wrong, and those of the half that nothing was chosen on', () => {
  const row = (kind: 'answerable' | 'unanswerable' | 'left_out', place: number, abstained: boolean, held: boolean) => ({
    ...{ set: 'xquad', kind, place, abstained, held, ms: 4 },
  });
  const figures = askFigures([
    row('answerable', 0, false, false),
    row('answerable', 2, false, true),
    row('answerable', -1, true, true),
    row('answerable', 3, false, false),
    row('unanswerable', -1, true, true),
    row('unanswerable', -1, false, false),
    row('left_out', -1, true, false),
  ]);
  expect(figures).toMatchObject({
    'xquad.first_quote': 0.25,
    'xquad.three_quotes': 0.5,
    'xquad.three_quotes.held': 0.5,
    abstained_right: 0.5,
    'abstained_right.held': 1,
    'left_out.abstained_right': 1,
    abstained_wrong: 0.25,
    'abstained_wrong.held': 0.5,
    ms_p50: 4,
  });
});
