/**
 * A trigram index over short folded texts in typed arrays: built in two passes (count, fill), searched by adding up
 * the weights of shared trigrams. Alphabet `[a-z0-9]` plus the border sign, so that a trigram is a number.
 */

const BASE = 37;
const SIZE = BASE * BASE * BASE;

const CODES = new Uint8Array(128);
for (let i = 0; i < 26; i++) CODES[97 + i] = 1 + i;
for (let i = 0; i < 10; i++) CODES[48 + i] = 27 + i;

/** Trigrams of a text, borders included, each once. */
function trigramsOf(text: string): number[] {
  const seen: number[] = [];
  let a = 0;
  let b = 0;
  const last = Math.min(text.length, 120);
  for (let i = 0; i <= last; i++) {
    const c = i < last ? (CODES[text.charCodeAt(i) & 127] ?? 0) : 0;
    const gram = (a * BASE + b) * BASE + c;
    if (i > 0 && !seen.includes(gram)) seen.push(gram);
    a = b;
    b = c;
  }
  return seen;
}

export interface TextHit {
  doc: number;
  /** Cosine similarity 0..1 over weighted trigrams. */
  score: number;
}

export interface TextIndex {
  /** Best documents for a folded, compact text. Ties are all kept up to twice the limit, so that order says nothing. */
  search(text: string, limit: number): TextHit[];
}

/** Builds the index over documents of one or several texts each. */
export function buildTextIndex(docs: readonly string[]): TextIndex {
  const counts = new Uint32Array(SIZE + 1);
  const grams = docs.map(trigramsOf);
  for (const list of grams) for (const gram of list) counts[gram] = (counts[gram] ?? 0) + 1;
  const weights = new Float32Array(SIZE);
  const starts = new Uint32Array(SIZE + 1);
  let total = 0;
  for (let gram = 0; gram < SIZE; gram++) {
    const count = counts[gram] ?? 0;
    starts[gram] = total;
    total += count;
    weights[gram] = count === 0 ? 0 : Math.log(1 + docs.length / count);
  }
  starts[SIZE] = total;
  const postings = new Uint32Array(total);
  const fill = starts.slice();
  const norms = new Float32Array(docs.length);
  grams.forEach((list, doc) => {
    let norm = 0;
    for (const gram of list) {
      const at = fill[gram] ?? 0;
      postings[at] = doc;
      fill[gram] = at + 1;
      norm += (weights[gram] ?? 0) ** 2;
    }
    norms[doc] = Math.sqrt(norm) || 1;
  });
  const scores = new Float32Array(docs.length);
  const most = Math.max(64, docs.length / 12);

  function search(text: string, limit: number): TextHit[] {
    const query = trigramsOf(text);
    let norm = 0;
    for (const gram of query) norm += (weights[gram] || Math.log(1 + docs.length)) ** 2;
    // Common trigrams cost the most and tell the least; they are walked only while nothing rarer has been seen.
    const ordered = query
      .filter((gram) => (counts[gram] ?? 0) > 0)
      .sort((x, y) => (counts[x] ?? 0) - (counts[y] ?? 0) || x - y);
    const touched: number[] = [];
    ordered.forEach((gram, rank) => {
      if (rank >= 6 && (counts[gram] ?? 0) > most) return;
      const weight = (weights[gram] ?? 0) ** 2;
      for (let i = starts[gram] ?? 0; i < (starts[gram + 1] ?? 0); i++) {
        const doc = postings[i] ?? 0;
        if (scores[doc] === 0) touched.push(doc);
        scores[doc] = (scores[doc] ?? 0) + weight;
      }
    });
    const scale = Math.sqrt(norm) || 1;
    let top = 0;
    for (const doc of touched) {
      const score = (scores[doc] ?? 0) / (scale * (norms[doc] ?? 1));
      scores[doc] = score;
      if (score > top) top = score;
    }
    // Sorting everything touched would cost more than finding it.
    const hits: TextHit[] = [];
    for (const doc of touched) {
      const score = scores[doc] ?? 0;
      if (score >= top * 0.4) hits.push({ doc, score });
      scores[doc] = 0;
    }
    return best(hits, limit);
  }
  return { search };
}

function best(hits: TextHit[], limit: number): TextHit[] {
  hits.sort((x, y) => y.score - x.score);
  if (hits.length <= limit) return hits;
  const edge = (hits[limit - 1]?.score ?? 0) - 1e-6;
  let end = limit;
  while (end < hits.length && end < limit * 4 && (hits[end]?.score ?? 0) >= edge) end++;
  return hits.slice(0, end);
}
