/** Whether our check of a guide's form says of documents what libxml2 says of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DtdValidator, ParseOption, XmlDocument, XmlDtd } from 'libxml2-wasm';
import { mulberry32 } from '#core/mulberry32.ts';
import { GuideText } from '#lanes/guide/bytes/guide-text.ts';
import { GuideReader, type WritingCode } from '#lanes/guide/core/read/guide-reader.ts';
import { dtdOfTable } from './dtd-of-table.ts';
import { randomGuide } from './random-guides.ts';

export type Verdict = 'valid' | 'not valid' | 'not well-formed';

/** What our reader says. */
export function ourVerdict(bytes: Uint8Array): Verdict {
  const codes: WritingCode[] = [];
  const add = (_: unknown, found: readonly WritingCode[]): void => void codes.push(...found);
  const reader = new GuideReader({ channel: add, programme: add });
  const text = new GuideText();
  reader.write(text.write(bytes));
  reader.write(text.end());
  const read = reader.end();
  if (read.stopped !== null) return 'not well-formed';
  codes.push(...read.codes);
  if (codes.some((code) => !code.startsWith('notvalid'))) return 'not well-formed';
  return codes.length === 0 ? 'valid' : 'not valid';
}

/** Asks libxml2 with a document type. */
export class Judge {
  readonly #validator: DtdValidator;
  constructor(dtd: string) {
    this.#validator = new DtdValidator(XmlDtd.fromString(dtd));
  }
  verdict(bytes: Uint8Array): Verdict {
    let document: XmlDocument;
    try {
      document = XmlDocument.fromBuffer(bytes, { option: ParseOption.XML_PARSE_NONET });
    } catch {
      return 'not well-formed';
    }
    try {
      this.#validator.validate(document);
      return 'valid';
    } catch {
      return 'not valid';
    } finally {
      document.dispose();
    }
  }
}

export interface Agreement {
  documents: number;
  agreed: number;
  /** Those of which the two say different things. */
  different: { document: string; ours: Verdict; theirs: Verdict }[];
  verdicts: Record<Verdict, number>;
}

/** @param dtd the real one where it is there, else what our table says */
export function randomAgreement(count: number, seed: number, dtd = dtdOfTable()): Agreement {
  const random = mulberry32(seed);
  const documents = function* (): Generator<readonly [name: string, bytes: Uint8Array]> {
    for (let made = 0; made < count; made++) {
      const document = randomGuide(random);
      yield [document, new TextEncoder().encode(document)];
    }
  };
  return agreement(documents(), dtd);
}

/** Of all files of a folder; none where it is not there. */
export function folderAgreement(folder: string, dtd: string): Agreement {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : [];
  return agreement(
    names.map((name) => [name, readFileSync(join(folder, name))] as const),
    dtd,
  );
}

function agreement(documents: Iterable<readonly [string, Uint8Array]>, dtd: string): Agreement {
  const judge = new Judge(dtd);
  const all: Agreement = {
    documents: 0,
    agreed: 0,
    different: [],
    verdicts: { valid: 0, 'not valid': 0, 'not well-formed': 0 },
  };
  for (const [name, bytes] of documents) {
    const [ours, theirs] = [ourVerdict(bytes), judge.verdict(bytes)];
    all.documents++;
    all.verdicts[theirs]++;
    if (ours === theirs) all.agreed++;
    else all.different.push({ document: name, ours, theirs });
  }
  return all;
}
