import type { LocalModel } from '../browser/api.ts';
import { unfitFor, type Machine } from './machine.ts';
import { memoryOfGguf, type ListedModel } from './model-list.ts';
import { sumOf, type ModelRow, type Part } from './parts.ts';

/** A model for the list. Listed, begun or the person's own; `missing` are the parts that are not here. */
export function toLocalModel(
  listed: ListedModel | null,
  row: ModelRow | null,
  missing: Part[] | null,
  machine: Machine,
): LocalModel {
  const download = row?.total ?? listed?.downloadBytes ?? 0;
  const model: LocalModel = {
    id: listed?.id ?? row?.id ?? '',
    name: listed?.name ?? row?.name ?? '',
    engine: listed?.engine ?? row?.engine ?? 'wllama',
    download_bytes: download,
    memory_bytes: listed?.memoryBytes ?? memoryOfGguf(download),
    context_length: listed?.contextLength ?? row?.context_length ?? 4096,
    licence: listed?.licence ?? row?.licence ?? '',
    licence_url: listed?.licenceUrl ?? row?.licence_url ?? null,
    needs_f16: listed?.needsF16 ?? false,
    unfit: null,
    twin_id: listed?.twinId ?? null,
    ...progress(row, missing),
    own: row?.own ?? false,
  };
  return { ...model, unfit: unfitFor(model, machine) };
}

function progress(row: ModelRow | null, missing: Part[] | null): Pick<LocalModel, 'state' | 'have_bytes'> {
  if (row === null || missing === null) return { state: 'absent', have_bytes: 0 };
  const gone = new Set(missing.map(({ key }) => key));
  const have = sumOf(row.parts.filter(({ key }) => !gone.has(key))) ?? 0;
  if (row.complete && missing.length === 0) return { state: 'ready', have_bytes: have };
  return { state: missing.length === row.parts.length ? 'absent' : 'partial', have_bytes: have };
}
