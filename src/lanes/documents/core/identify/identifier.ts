/** What a document may be called by, as it stands in a text. */
export type IdentifierKind = 'doi' | 'arxiv' | 'isbn';

export interface FoundIdentifier {
  kind: IdentifierKind;
  /** DOI in lower case, ISBN as its 13 digits, arXiv number with its version where one is given. */
  value: string;
  /** UTF-16 units of the text as it was given; `end` is behind the last. */
  start: number;
  end: number;
}
