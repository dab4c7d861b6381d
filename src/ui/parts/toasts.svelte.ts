import type { Failure } from '#core/errors.ts';

export interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  remedy: string | null;
  action: { label: string; run: () => void } | null;
}

const GOOD_FOR_MS = 8000;

/** Short words about what just happened. Failures stay until they are closed. */
class Toasts {
  list = $state<Toast[]>([]);
  #next = 1;

  fail(failure: Failure): void {
    if (this.list.some((toast) => toast.text === failure.message)) return;
    this.#add({ tone: 'bad', text: failure.message, remedy: failure.remedy, action: null });
  }

  /** Answers its id, to close it early. `stays`: until it is closed, as nothing else leads back. */
  say(text: string, action: Toast['action'] = null, stays = false): number {
    const id = this.#add({ tone: 'good', text, remedy: null, action });
    if (!stays) setTimeout(() => this.close(id), GOOD_FOR_MS);
    return id;
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  #add(toast: Omit<Toast, 'id'>): number {
    const id = this.#next++;
    this.list = [...this.list.slice(-3), { id, ...toast }];
    return id;
  }
}

export const toasts = new Toasts();
