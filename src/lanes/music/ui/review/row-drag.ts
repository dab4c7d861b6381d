/** A row of a question that is dragged onto another one: the two exchange their tracks. */
import type { Attachment } from 'svelte/attachments';

/** What a dragged row carries: its question and its job. */
const KIND = 'application/x-accession-row';

/**
 * Makes a cell one that can be dragged and dropped upon.
 */
export function draggedRow(
  reviewId: string,
  jobId: string,
  onexchange: (from: string) => void,
): Attachment<HTMLElement> {
  return (element) => {
    const carries = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes(KIND) ?? false;
    const start = (event: DragEvent): void => {
      event.dataTransfer?.setData(KIND, JSON.stringify([reviewId, jobId]));
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    };
    const over = (event: DragEvent): void => {
      if (!carries(event)) return;
      event.preventDefault();
      element.dataset['over'] = '';
    };
    const leave = (): void => void delete element.dataset['over'];
    const drop = (event: DragEvent): void => {
      leave();
      if (!carries(event)) return;
      event.preventDefault();
      const [of, from] = JSON.parse(event.dataTransfer?.getData(KIND) ?? '[]') as (string | undefined)[];
      if (of === reviewId && from !== undefined) onexchange(from);
    };
    element.draggable = true;
    const ending = new AbortController();
    const { signal } = ending;
    element.addEventListener('dragstart', start, { signal });
    element.addEventListener('dragover', over, { signal });
    element.addEventListener('dragleave', leave, { signal });
    element.addEventListener('drop', drop, { signal });
    return () => ending.abort();
  };
}
