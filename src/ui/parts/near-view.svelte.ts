import type { Attachment } from 'svelte/attachments';

/** So far outside of what is in sight an element counts as near: about a screen. CSS pixels. */
const MARGIN = 800;

/** Whether an element is in sight or about to be, for lists whose entries cost more than their room. */
export class NearView {
  #near = $state(false);
  /** Of the element when it went out of sight, CSS pixels: the room to keep for it. Null before that. */
  #height = $state<number | null>(null);

  get is(): boolean {
    return this.#near;
  }

  get height(): number | null {
    return this.#height;
  }

  /** Put it on the element. What has the focus in it stays near. */
  readonly attach: Attachment = (element) => {
    const watch = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        const leaves = this.#near && !last.isIntersecting && !element.contains(document.activeElement);
        if (leaves) this.#height = last.boundingClientRect.height;
        if (leaves || last.isIntersecting) this.#near = last.isIntersecting;
      },
      { rootMargin: `${MARGIN}px 0px` },
    );
    watch.observe(element);
    return () => watch.disconnect();
  };
}
