import { afterEach, expect, test, vi } from 'vitest';
import { NearView } from '#ui/parts/near-view.svelte.ts';

afterEach(() => vi.unstubAllGlobals());

/** An element, and how the browser says whether it is near and how high. `focused`: the focus is in it. */
function watched(near: NearView, focused = { now: false }) {
  let tell = (_near: boolean, _height: number): void => expect.unreachable('it is not watched');
  class Observer {
    constructor(heard: (entries: object[]) => void) {
      tell = (isIntersecting, height) => heard([{ isIntersecting, boundingClientRect: { height } }]);
    }
    observe(): void {}
    disconnect(): void {
      tell = (): void => undefined;
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('document', { activeElement: {} });
  const element = { contains: () => focused.now };
  const stop = near.attach(element as unknown as HTMLElement);
  return { tell: (is: boolean, height = 0) => tell(is, height), stop };
}

test('UI-112 what is in sight is near; out of sight it is not, and its height is known', () => {
  const near = new NearView();
  const { tell, stop } = watched(near);
  expect([near.is, near.height]).toEqual([false, null]);
  tell(true, 10);
  expect(near.is).toBe(true);
  tell(false, 370);
  expect([near.is, near.height]).toEqual([false, 370]);
  // Its rows are gone then: a height of what is empty is none to keep.
  tell(false, 12);
  expect(near.height).toBe(370);
  stop?.();
});

test('UI-112 what has the focus stays, however far it is', () => {
  const focused = { now: true };
  const near = new NearView();
  const { tell } = watched(near, focused);
  tell(true);
  tell(false, 300);
  expect(near.is).toBe(true);
  focused.now = false;
  tell(false, 300);
  expect(near.is).toBe(false);
});
