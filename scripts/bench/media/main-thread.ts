/// <reference lib="dom" />
/** How long the page's main thread was kept busy at a time. */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    tasks: { longest: number; over: number; late: number; since: number; when: string[] };
  }
}

/**
 * Runs in the page, before the page's own code. The browser tells of tasks over 50 ms alone; of shorter ones speaks
 * a timer that comes late. Both are times on the wall: what other processes take from the page is in them.
 */
export function watchTasks(): void {
  const tasks: Window['tasks'] = { longest: 0, over: 0, late: 0, since: 0, when: [] };
  window.tasks = tasks;
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      tasks.over += 1;
      tasks.longest = Math.max(tasks.longest, duration);
      tasks.when.push(`${((startTime - tasks.since) / 1000).toFixed(1)} s ${duration.toFixed(0)} ms`);
    }
  }).observe({ type: 'longtask', buffered: true });
  // Rarely: a page that does nothing else would spend most of its time on it.
  const every = 100;
  let due = performance.now() + every;
  setInterval(() => {
    const now = performance.now();
    tasks.late = Math.max(tasks.late, now - due);
    due = now + every;
  }, every);
}

/** Forgets what was seen, such as the app's start. */
export async function forgetTasks(page: Page): Promise<void> {
  await page.evaluate(
    () => void Object.assign(window.tasks, { longest: 0, over: 0, late: 0, since: performance.now(), when: [] }),
  );
}

/**
 * Milliseconds: the longest task, where none was over 50 the timer's worst delay; and how many were over 50, which are
 * printed with when they began.
 */
export async function longestTask(page: Page): Promise<{ ms: number; over: number }> {
  const { longest, over, late, when } = await page.evaluate(() => window.tasks);
  if (over > 0) console.log(`tasks over 50 ms: ${when.join(', ')}`);
  return { ms: over > 0 ? longest : Math.min(50, late), over };
}
