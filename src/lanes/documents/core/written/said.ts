export type SaidName = 'doi' | 'arxiv' | 'isbn' | 'title' | 'author' | 'publication' | 'date' | 'pdf_url';

/** A fact that the file itself says, with the words in which it does. */
export interface Said {
  name: SaidName;
  value: string;
  words: string;
}
