/** /v1/guide: guides, faults, undo and channels over the wire. Instants are milliseconds since the epoch. */
import * as v from 'valibot';
import { EDITED_FIELDS } from './app/edited-value.ts';
import { FAULT_TYPES } from './faults/fault.ts';
import { GUIDE_TOOLS } from './run/run.types.ts';
import { RunRecordSchema } from './run/stored-record.ts';

const Text = v.string();
const Count = v.number();
const Channel = v.nullable(v.pipe(v.string(), v.maxLength(1000)));
const Id = v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, 'letters, digits, ".", "_" and "-", 64 at most'));
export const GuideIdSchema = Id;

export const GuideRecordSchema = v.object({
  schema_version: v.literal(1),
  ...{ id: Text, kind: v.picklist(['file', 'address', 'schedule']), name: Text, zone: v.nullable(Text) },
  ...{ imported_at: Count, import: Text, revision: Count, attributes: v.record(Text, Text) },
  ...{ channels: Count, programmes: Count, whole: v.boolean(), notes: v.array(Text) },
});

export const GuidesSchema = v.object({ items: v.array(GuideRecordSchema) });

export const AddressSchema = v.strictObject({
  url: v.pipe(v.string(), v.maxLength(4000)),
  name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  zone: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(100))), null),
});
/** `changed` false: its server says that it is the same as the last time. */
export const FetchedSchema = v.object({ changed: v.boolean(), guide: GuideRecordSchema });

export const LineupAnswerSchema = v.object({ name: Text, entries: Count, unreadable: v.nullable(Text) });

const FaultType = v.picklist(FAULT_TYPES);
export const OpenFaultSchema = v.object({
  ...{ guide: Text, type: FaultType, code: v.nullable(Text), where: Text },
  ...{ channel: v.nullable(Text), start: v.nullable(Count) },
  /** What is wrong, as the end of a sentence. */
  words: Text,
});
export const OpenFaultsSchema = v.object({ total: Count, items: v.array(OpenFaultSchema) });

export const HealthAnswerSchema = v.object({
  ...{ programmes: Count, failing: Count, counts: v.record(FaultType, Count) },
  issues: v.array(
    v.object({
      ...{ channel_id: v.nullable(Text), issue_type: Text, confidence: Count, affected_items_count: Count },
      ...{ last_error_type: v.nullable(Text), metadata_failure_ratio: Count },
    }),
  ),
  points: v.array(v.object({ at: Count, programmes: Count, failing: Count, open: Count })),
});

const Of = v.variant('kind', [
  v.strictObject({
    ...{ kind: v.literal('fault'), type: FaultType, code: v.nullable(Text), where: v.pipe(Text, v.maxLength(2000)) },
    ...{ channel: Channel, start: v.nullable(Count) },
  }),
  v.strictObject({ kind: v.literal('title'), title: v.pipe(Text, v.maxLength(65_536)) }),
  v.strictObject({ kind: v.literal('type'), channel: v.pipe(Text, v.maxLength(1000)), type: FaultType }),
]);
export const DismissSchema = v.strictObject({
  guide: Id,
  of: v.pipe(v.array(Of), v.minLength(1), v.maxLength(10_000)),
});
export const DismissedSchema = v.object({ ids: v.array(Text) });
export const DismissalsSchema = v.object({
  items: v.array(v.object({ schema_version: v.literal(1), id: Text, guide: Text, at: Count, of: Of })),
});

export const AnswerSchema = v.strictObject({
  ...{ guide: v.optional(v.nullable(Id), null), channel: v.optional(Channel, null), type: FaultType },
  ...{ code: v.nullable(v.pipe(Text, v.maxLength(200))), answer: v.picklist(['mend', 'as-it-should-be']) },
});
/** `left`: faults that it does not reach. Its mends and dismissals are what takes it back. */
export const AnsweredSchema = v.object({
  ...{ changed: Count, left: Count, mends: v.array(Text), dismissals: v.array(Text) },
});

const Instant = v.pipe(Count, v.integer(), v.minValue(-8.64e15), v.maxValue(8.64e15));
const EditSchema = v.strictObject({
  ...{ channel: v.pipe(Text, v.maxLength(1000)), start: Instant, about: v.optional(v.nullable(Count), null) },
  ...{ field: v.picklist(EDITED_FIELDS), after: v.pipe(Text, v.maxLength(65_536)) },
});
export const EditsSchema = v.strictObject({
  guide: Id,
  edits: v.pipe(v.array(EditSchema), v.minLength(1), v.maxLength(1000)),
});
export const EditedSchema = v.object({ changed: Count, mends: v.array(Text) });

export const GridInstant = Instant;
export const GridSchema = v.object({
  channels: Count,
  rows: v.array(
    v.object({
      ...{ guide: Text, channel: Text, name: Text },
      cells: v.array(
        v.object({
          ...{ guide: Text, channel: Text, start: Count, stop: v.nullable(Count), where: Text, about: Count },
          ...{ title: Text, subTitle: Text, mended: v.array(Text) },
          faults: v.array(v.object({ type: FaultType, code: v.nullable(Text), words: Text })),
        }),
      ),
    }),
  ),
});

export const RunWishSchema = v.strictObject({ channel: v.optional(Channel, null) });
export const TriggeredSchema = v.union([
  v.object({ begun: v.literal(true), run: Text }),
  v.object({ begun: v.literal(false), reason: v.nullable(Text) }),
]);
export const DryRunSchema = v.union([
  v.object({ begun: v.literal(true), record: RunRecordSchema }),
  v.object({ begun: v.literal(false), reason: Text }),
]);
export const AskSchema = v.strictObject({
  text: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000)),
  channel: v.optional(Channel, null),
});

export const UndoSchema = v.union([
  v.strictObject({ run: v.pipe(v.string(), v.maxLength(200)) }),
  v.strictObject({
    mends: v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.minLength(1), v.maxLength(100_000)),
  }),
]);
export const UndoneSchema = v.object({
  undone: Count,
  refused: v.array(v.object({ id: Text, where: Text, field: Text, why: Text })),
});

export const MendsSchema = v.object({
  items: v.array(
    v.object({
      ...{ schema_version: v.literal(1), id: Text, guide: Text, channel: Text, start: v.nullable(Count) },
      ...{ about: v.nullable(Count), where: Text, field: Text, before: v.nullable(Text), after: Text, source: Text },
      ...{ reasons: v.array(Text), tool: v.nullable(v.picklist(GUIDE_TOOLS)), run: v.nullable(Text) },
      ...{ at: Count, undone_at: v.nullable(Count) },
    }),
  ),
});
