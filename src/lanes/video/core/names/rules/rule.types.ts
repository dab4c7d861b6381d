/** What one rule says of one place in a name. */
export interface Claim {
  rule: string;
  start: number;
  end: number;
  /** 0..1: how seldom such a place means anything else. */
  strength: number;
  season: number[];
  episodes: number[];
  /** As written, where the number is fractional or counted over all seasons beside another. */
  absolute: number[];
  version: number | null;
  reason: string;
}

/** A rule of the table: a pattern, and what a match of it says (null: nothing after all). */
export interface Rule {
  name: string;
  strength: number;
  pattern: RegExp;
  /** Only in names with letters beyond ASCII; spares the others the search. */
  foreign?: true;
  read: (match: RegExpExecArray, text: string) => Partial<Omit<Claim, 'rule' | 'start'>> | null;
}

export const isYear = (number: number): boolean => number >= 1925 && number <= 2100;

/** Runs a table over a text; `mask` marks places that are technical, where no claim may begin. */
export function runRules(rules: readonly Rule[], text: string, mask: Uint8Array): Claim[] {
  const claims: Claim[] = [];
  const ascii = /^[ -~]*$/.test(text);
  for (const rule of rules) {
    if (ascii && rule.foreign === true) continue;
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(text); match !== null; match = rule.pattern.exec(text)) {
      if (match[0] === '') rule.pattern.lastIndex += 1;
      // Nor may its number be technical: "5. díl 1080p".
      if (mask[match.index] === 1 || mask[match.index + match[0].length - 1] === 1) continue;
      const said = rule.read(match, text);
      if (said === null) continue;
      const claim: Claim = {
        season: [],
        episodes: [],
        absolute: [],
        version: null,
        reason: '',
        end: match.index + match[0].length,
        strength: rule.strength,
        ...said,
        rule: rule.name,
        start: match.index,
      };
      claims.push(claim);
      rule.pattern.lastIndex = Math.max(rule.pattern.lastIndex, claim.end);
    }
  }
  return claims;
}
