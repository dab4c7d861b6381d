import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { readBy } from './reading.ts';

const read = async (html: string) => (await readBy(libraryAgents(), 'a.html', html)).chunks;
const shown = (html: string): string[] => visibleText(html).blocks.map(({ text }) => text);

describe('LIBRARY-23 what is visible of a page', () => {
  test('neither scripts, styles, comments, templates nor what is hidden', () => {
    const page = `<!doctype html><title>T &amp; U</title><style>.gone, #off { display: none } .here { color: red }</style>
      <script>var fake = "<p>fake</p>";</script><!-- <p>fake</p> --><noscript>fake</noscript>
      <p hidden>fake<b>fake</b></p><p style="color:red; DISPLAY : none">fake</p><p style="visibility:hidden">fake</p>
      <p style="font-size:0">fake</p><p style="opacity: 0.0">fake</p><p style="text-indent:-9999px">fake</p>
      <div class="x gone">fake<p>fake</p></div><div id=off>fake</div><template><p>fake</p></template>
      <dialog>fake</dialog><dialog open>asked</dialog><svg><text>fake</text></svg><select><option>fake</select>
      <p class=here>Here<br>and <i>there</i>, it&#39;s 1&nbsp;&lt;&nbsp;2<p>unclosed<input type=hidden value=fake>`;
    expect(visibleText(page)).toMatchObject({ title: 'T & U' });
    expect(shown(page)).toEqual(['asked', 'Here', "and there, it's 1 < 2", 'unclosed']);
  });

  test('tables row by row, lists line by line, preformatted text as it is', () => {
    expect(
      shown(
        '<table><tr><th>Boat<th>Seats</tr><tr><td><p>Gull</p><p>two</p></td><td></td><td>4</td></tr></table>' +
          '<ul><li>one<li>two</ul><pre>\n  a  b\n    c\n</pre><p>d\n   e</p>',
      ),
    ).toEqual(['Boat | Seats', 'Gull two | | 4', 'one', 'two', '  a  b\n    c', 'd e']);
  });

  test('of any page there is an answer', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<b',
      '>',
      'a',
      '<!--',
      '<tr><td>',
      '</table>',
      '&amp',
      '<script>',
      '"',
      '\n',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (parts) => void visibleText(parts.join(''))));
  });
});

test('LIBRARY-23 100,000 elements in each other are read as text, and said', async () => {
  const read = await readBy(libraryAgents(), 'a.html', `${'<div>'.repeat(100_000)}deep`);
  expect(read.agentId).toBe('text-ingester');
  expect(read.warnings[0]).toContain('nested');
});

test('LIBRARY-24 a page has a section a heading, with its lines and its place among the headings', async () => {
  const chunks = await read(
    '<html><head><title>Mill</title></head>\n<body>\n<p>Before.</p>\n<h1>Wheel\n</h1>\n<p>It turns.</p>\n<script>\nx()\n</script>\n' +
      '<h2>Spokes</h2>\n<p>Eight.</p>\n<h1>Weir</h1>\n</body></html>\n',
  );
  expect(
    chunks.map(({ chunkType, text, fullyQualifiedName, parentSymbol, startLine, endLine, metadata }) => [
      ...[chunkType, text, fullyQualifiedName, parentSymbol, startLine, endLine, metadata['title']],
    ]),
  ).toEqual([
    ['text', 'Before.', null, null, 3, 3, 'Mill'],
    ['section', 'Wheel\nIt turns.', 'Wheel', null, 4, 6, 'Mill'],
    ['section', 'Spokes\nEight.', 'Wheel.Spokes', 'Wheel', 10, 11, 'Mill'],
    ['section', 'Weir', 'Weir', null, 12, 12, 'Mill'],
  ]);
});
