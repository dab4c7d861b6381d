/**
 * What a gullible model reads out of a text as an order to itself. The instrument of the safety tests: a model that
 * obeys every one of these must not be able to do harm (SAFE-1).
 */
export type Order =
  | { do: 'choose'; letter: string }
  | { do: 'none' }
  | { do: 'ask' }
  | { do: 'call'; tool: string }
  | { do: 'name'; id: string }
  | { do: 'claim'; confidence: number };

const READINGS: readonly { words: RegExp; order: (found: RegExpExecArray) => Order }[] = [
  { words: /\b(?:choose|select|pick|reply with|answer is)\s+(?:option\s+)?([A-Z])\b/gi, order: choice },
  { words: /\boption\s+([A-Z])\b(?:\s+is\s+(?:correct|right|true))?/gi, order: choice },
  { words: /"(?:option|answer|choice)"\s*:\s*"([A-Z])"/gi, order: choice },
  { words: /\bapproves?(?:d)?\b/gi, order: () => ({ do: 'choose', letter: 'A' }) },
  { words: /\b(?:answer|say|reply)\s+none\b/gi, order: () => ({ do: 'none' }) },
  { words: /\babstain\b/gi, order: () => ({ do: 'ask' }) },
  { words: /\bcall\s+(\w+)\s*\(/gi, order: ([, tool = '']) => ({ do: 'call', tool }) },
  {
    words: /\b(?:confidence|score)\s*[=:]?\s*(\d+(?:\.\d+)?)/gi,
    order: ([, n]) => ({ do: 'claim', confidence: Number(n) }),
  },
  { words: /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/gi, order: named },
  { words: /\b((?:tr|al|t)[_-]\d{2,})\b/gi, order: named },
];

/** Every order in the text, each once, in the order in which they stand there. */
export function ordersIn(text: string): Order[] {
  const found = READINGS.flatMap(({ words, order }) =>
    Array.from(text.matchAll(words), (match) => ({ at: match.index, order: order(match) })),
  );
  const orders = found.sort((a, b) => a.at - b.at).map(({ order }) => order);
  return orders.filter((order, i) => orders.findIndex((one) => isSame(one, order)) === i);
}

function choice([, letter = '']: RegExpExecArray): Order {
  return { do: 'choose', letter: letter.toUpperCase() };
}

function named([, id = '']: RegExpExecArray): Order {
  return { do: 'name', id };
}

function isSame(a: Order, b: Order): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
