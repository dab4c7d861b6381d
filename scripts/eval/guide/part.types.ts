/** A part of the answer: it reads one file of the cases (or a folder) and writes one file, one JSON object a line. */
export interface Part {
  /** The file of cases, within the folder of the data. */
  cases: string;
  /** The file of answers. */
  answers: string;
  /** `out`: the folder of the answers, for what is written beside them. */
  answer(cases: readonly unknown[], data: string, out: string): unknown[] | Promise<unknown[]>;
}
