/// <reference lib="dom" />
/** Runs in the page before its own code: `dropZoneAt` is when a file could be dropped, milliseconds of the page's clock. */
export function noteDropZone(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector('input[type=file]') === null) return;
    Reflect.set(globalThis, 'dropZoneAt', Date.now());
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}
