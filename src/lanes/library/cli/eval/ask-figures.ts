/** What asking is worth, from what came of each question. */

export interface AskedRow {
  set: string;
  /** `answerable`; `unanswerable` as the set says; `left_out`: asked without its document. */
  kind: 'answerable' | 'unanswerable' | 'left_out';
  /** Of those that nothing was chosen on. */
  held: boolean;
  /** Which of the best quotes holds the answer, from 0; -1: none of them. */
  place: number;
  abstained: boolean;
  ms: number;
}

export function askFigures(rows: readonly AskedRow[]): Record<string, number> {
  const figures: Record<string, number> = {};
  const share = (of: readonly AskedRow[], is: (row: AskedRow) => boolean): number =>
    of.length === 0 ? 0 : of.filter(is).length / of.length;
  for (const [ending, among] of [
    ['', rows],
    ['.held', rows.filter(({ held }) => held)],
  ] as const) {
    const answerable = among.filter(({ kind }) => kind === 'answerable');
    for (const set of new Set(answerable.map((row) => row.set))) {
      const own = answerable.filter((row) => row.set === set);
      figures[`${set}.first_quote${ending}`] = share(own, ({ place }) => place === 0);
      figures[`${set}.three_quotes${ending}`] = share(own, ({ place }) => place >= 0 && place < 3);
      figures[`${set}.abstained_wrong${ending}`] = share(own, ({ abstained }) => abstained);
    }
    const of = (kind: AskedRow['kind']): AskedRow[] => among.filter((row) => row.kind === kind);
    figures[`abstained_right${ending}`] = share(of('unanswerable'), ({ abstained }) => abstained);
    figures[`left_out.abstained_right${ending}`] = share(of('left_out'), ({ abstained }) => abstained);
    figures[`abstained_wrong${ending}`] = share(
      answerable.filter(({ set }) => set === 'xquad'),
      ({ abstained }) => abstained,
    );
  }
  const times = rows.map(({ ms }) => ms).sort((a, b) => a - b);
  figures['ms_p50'] = times[times.length >> 1] ?? 0;
  figures['questions'] = rows.length;
  return figures;
}
