import { describe, expect, it } from 'vitest';
import { parseAddress } from '#ui/settings/server-address.ts';

const OWN = 'http://127.0.0.1:8787';

describe('SETTINGS-1: the address of a server', () => {
  it("is empty for the page's own, however it is typed", () => {
    for (const text of ['', '  ', OWN, `${OWN}/`, '127.0.0.1:8787']) {
      expect(parseAddress(text, OWN)).toEqual({ address: '', token: null });
    }
  });

  it('takes a pasted sign-in link apart', () => {
    expect(parseAddress('http://10.0.0.2:8787/#token=abc', OWN)).toEqual({
      address: 'http://10.0.0.2:8787',
      token: 'abc',
    });
  });

  it('keeps a path, without the slash at the end', () => {
    expect(parseAddress('https://music.example/catalog/', OWN)).toEqual({
      address: 'https://music.example/catalog',
      token: null,
    });
  });

  it('says what is wrong', () => {
    for (const text of ['http://', 'ftp://x', 'http://me:secret@host'])
      expect(parseAddress(text, OWN)).toBeTypeOf('string');
    expect(parseAddress('http://music.example', 'https://app.example')).toMatch(/https/);
  });
});
