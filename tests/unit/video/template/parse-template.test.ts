import { describe, expect, test } from 'vitest';
import { parseTemplate } from '#lanes/video/core/naming/episode-names.ts';
import { PRESETS } from '#lanes/video/core/naming/presets.ts';

describe('VIDEO-51 a bad template says which token is wrong and where', () => {
  test.each([
    ['{show} {epsiode}{ext}', 7, '{epsiode}', 'is no token'],
    ['{show} S{season:2}E{episode}', 8, '{season:2}', 'zeros'],
    ['{show:00} {episode}', 0, '{show:00}', 'takes nothing behind a colon'],
    ['{episode:00000}', 0, '{episode:00000}', 'up to 4 zeros'],
    ['{show} {episode', 7, '{episode', 'never closed'],
    ['{show} {episode}[ - {title}', 16, '[', 'never closed'],
    ['{show} {episode}]', 16, ']', 'closes nothing'],
    ['{show}} {episode}}', 6, '}', 'closes nothing'],
    ['{episode}[a [{title}]]', 12, '[', 'inside another'],
    ['{episode}[/{title}]', 10, '/', 'cannot be optional'],
    ['{show}: {episode}', 6, ':', 'refused by Windows'],
    ['{show}\\{episode}', 6, '\\', 'refused by Windows'],
    ['{ext}{episode}', 0, '{ext}', 'at the end'],
    ['{episode}{ext}{ext}', 9, '{ext}', 'once'],
    ['{show}/{season}{ext}', 0, '{show}/{season}{ext}', 'same name'],
    ['//{episode}', 0, '/', 'without a name'],
    ['{episode}/', 10, '{ext}', 'behind its last slash'],
    ['', 0, '', 'empty'],
    [`${'x'.repeat(600)}{episode}`, 500, '', 'longer'],
  ])('%s', (text, at, token, part) => {
    const parsed = parseTemplate(text);
    expect(parsed).toMatchObject({ ok: false, error: { at, token } });
    if (!parsed.ok) expect(parsed.error.sentence).toContain(part);
  });

  test('places are said as a person counts them', () => {
    const parsed = parseTemplate('{show} {epsiode}{ext}');
    expect(parsed.ok ? '' : parsed.error.sentence).toMatch(
      /^\{epsiode\} at character 8 is no token; there are \{show\}/,
    );
  });
});

describe('VIDEO-52 presets', () => {
  test.each(PRESETS)('$label is a template', ({ template, style }) => {
    expect(parseTemplate(template, style).ok).toBe(true);
  });
});
