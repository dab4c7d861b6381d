/** One reason of a decision, as data; the UI shows `label` as a chip. */
export interface Reason {
  /** `title`, `duration`, `position`, `artist`, `album`, `coverage`, `margin`, `request`, `veto`, `chosen`, ... */
  kind: string;
  /** Short, for a chip: `duration +0.4 s`, `tracks 11/12`. */
  label: string;
  tone: 'good' | 'neutral' | 'bad';
  /** The number behind the label, when there is one (seconds, share 0..1, similarity 0..1). */
  value?: number;
  /** Its weight in the result (log-likelihood), when it has one. */
  weight?: number;
}
