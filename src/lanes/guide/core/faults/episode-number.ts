/** Numbers of episodes in XMLTV's own notation: `season.episode.part`, each from zero, each with or without how many. */

export interface EpisodeNumber {
  /** From 1, 0 for specials; null: not said. */
  season: number | null;
  /** From 1; null: not said. */
  episode: number | null;
}

const PART = '\\s*(\\d+(?:\\s*\\/\\s*\\d+)?|\\/\\s*\\d+)?\\s*';
const NOTATION = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/** Three parts between two dots, each empty, `n`, `n/m` or `/m`; null for anything else. */
export function readXmltvNumber(text: string): EpisodeNumber | null {
  const found = NOTATION.exec(text);
  if (found === null) return null;
  return { season: numberOf(found[1]), episode: numberOf(found[2]) };
}

function numberOf(part: string | undefined): number | null {
  const digits = /^\d+/.exec(part ?? '')?.[0];
  return digits === undefined ? null : Number(digits) + 1;
}
