/**
 * Rows of a question that are dragged: onto another row, where the two exchange their tracks, onto a row of another album,
 * or onto another question.
 */
import type { Attachment } from 'svelte/attachments';

/** A row under way: its question, the candidate's column that it was taken from, and its file. */
export interface DraggedRow {
  review: string;
  column: number;
  job: string;
}

/** What the browser is told is dragged: nothing that another program could take. */
const KIND = 'application/x-accession-row';

/** The one that is dragged on this page. */
let dragged: DraggedRow | null = null;

/** Makes a cell one that can be dragged, and dropped upon by rows of its own question. */
export function draggedRow(row: DraggedRow, ondropped: (from: DraggedRow) => void): Attachment<HTMLElement> {
  return (element) => {
    element.draggable = true;
    const ending = new AbortController();
    const start = (event: DragEvent): void => {
      event.stopPropagation();
      dragged = row;
      event.dataTransfer?.setData(KIND, row.job);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
    };
    element.addEventListener('dragstart', start, { signal: ending.signal });
    element.addEventListener('dragend', () => (dragged = null), { signal: ending.signal });
    dropsOn(element, ending.signal, ({ review }) => review === row.review, ondropped);
    return () => ending.abort();
  };
}

/** Makes a question take rows of others. */
export function takesRows(review: string, ondropped: (from: DraggedRow) => void): Attachment<HTMLElement> {
  return (element) => {
    const ending = new AbortController();
    dropsOn(element, ending.signal, (from) => from.review !== review, ondropped);
    return () => ending.abort();
  };
}

function dropsOn(
  element: HTMLElement,
  signal: AbortSignal,
  takes: (from: DraggedRow) => boolean,
  ondropped: (from: DraggedRow) => void,
): void {
  const over = (event: DragEvent): void => {
    if (dragged === null || !takes(dragged)) return;
    event.preventDefault();
    element.dataset['over'] = '';
  };
  const leave = ({ relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) delete element.dataset['over'];
  };
  const drop = (event: DragEvent): void => {
    delete element.dataset['over'];
    const from = dragged;
    if (from === null || !takes(from)) return;
    event.preventDefault();
    dragged = null;
    ondropped(from);
  };
  element.addEventListener('dragover', over, { signal });
  element.addEventListener('dragleave', leave, { signal });
  element.addEventListener('drop', drop, { signal });
}
