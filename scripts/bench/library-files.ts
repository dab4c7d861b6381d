/** Made-up files of 4 KB, the same on every machine. */
import { mulberry32 } from '#core/mulberry32.ts';

const BYTES = 4_096;
const SYLLABLES = [
  'ka',
  'lo',
  'mer',
  'tin',
  'sa',
  'dro',
  'pel',
  'vi',
  'gan',
  'hu',
  'ster',
  'no',
  'bri',
  'qua',
  'fe',
  'zon',
];

export class Words {
  readonly #random: () => number;
  readonly #vocabulary: string[] = [];

  constructor(seed: number, size = 30_000) {
    this.#random = mulberry32(seed);
    while (this.#vocabulary.length < size) {
      const length = 2 + this.pick(3);
      this.#vocabulary.push(Array.from({ length }, () => SYLLABLES[this.pick(SYLLABLES.length)] ?? '').join(''));
    }
  }

  /** 0 up to, and without, `below`. */
  pick(below: number): number {
    return Math.floor(this.#random() * below);
  }

  /** Few words are said often, most seldom (Zipf). */
  word(): string {
    const rank = Math.floor(this.#vocabulary.length ** this.#random()) - 1;
    return this.#vocabulary[rank] ?? 'ka';
  }

  sentence(): string {
    const text = Array.from({ length: 8 + this.pick(10) }, () => this.word()).join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }

  paragraph(length: number): string {
    let text = this.sentence();
    while (text.length < length) text += ` ${this.sentence()}`;
    return text;
  }

  name(): string {
    const [first, second] = [this.word(), this.word()];
    return `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  }

  text(): string {
    let text = '';
    while (text.length < BYTES) text += `${this.paragraph(400)}\n\n`;
    return text.slice(0, BYTES);
  }

  csharp(): string {
    let body = '';
    while (body.length < BYTES - 200)
      body += `    /// <summary>${this.sentence()}</summary>\n    public int ${this.name()}(string ${this.word()}, int n)\n    {\n        var ${this.name()} = n * ${this.pick(99)};\n        return n > 3 ? ${this.name()}(n - 1) : n;\n    }\n\n`;
    return `namespace Bench.${this.name()};\n\npublic class ${this.name()}\n{\n${body}}\n`;
  }

  python(): string {
    let body = '';
    while (body.length < BYTES - 200)
      body += `    def ${this.name()}(self, ${this.word()}, n):\n        """${this.sentence()}"""\n        total = n * ${this.pick(99)}\n        return self.${this.name()}(n - 1) if n > 3 else total\n\n`;
    return `class ${this.name()}:\n${body}`;
  }
}
