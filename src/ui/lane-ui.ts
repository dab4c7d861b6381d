/**
 * What a lane gives to the pages. `LaneUi` itself is loaded before the first page, so it holds little: names, addresses,
 * what a row of a list says. The rest is loaded by the first page that shows it (`questions`, `traces`, `settings`, and
 * each page). Everything but the id is optional: a job or question of a lane that gives less is shown plainly.
 */
import type { LucideIcon } from '@lucide/svelte';
import type { Component } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { DroppedFile } from '#adapters/browser/api.ts';
import type { Job, LaneTypes } from '#core/job/job.ts';
import type { Review, ReviewAnswer, ReviewOption } from '#core/job/review.ts';
import type { JobGroup } from './ingest/job-group.ts';
import type { Joins } from './review/joined.ts';

export interface LaneUi<L extends LaneTypes = LaneTypes> {
  /** As in `lane.ts`, and in the field `lane` of jobs and reviews. */
  readonly id: string;
  /** Entries of the rail and the palette, between History and Settings. */
  readonly places?: readonly Place[];
  /** Lists of the catalog; its pages show all lanes' lists as tabs. */
  readonly lists?: readonly CatalogList[];
  readonly pages?: readonly LanePage[];
  readonly rows?: LaneRows<L>;
  readonly player?: LanePlayer;
  /** Drawn below every page while the player has a job open. */
  loadDock?(): Promise<{ default: Component<{ jobId: string }> }>;
  readonly requests?: LaneRequests;
  /** What the palette finds; asked for when somebody first types into it. */
  searches?(): Promise<readonly LaneSearch[]>;
  /** Groups of the help on keys; asked for when somebody opens it. */
  keys?(): Promise<readonly KeyGroup[]>;
  /** Endings of the files that it takes, for the drop zone: `MP3, FLAC`. */
  readonly formats?: string;
  readonly drops?: LaneDrops;
  /** Files of a drop that was taken in, by its batch's id, that are this lane's without being jobs. */
  readonly kept?: LaneKept;
  /** Whether this device has something of the person's in the lane; not what a server shares with everybody. */
  keeps?(): Promise<boolean>;
  /** Called once a start, after the first page is drawn. */
  start?(): Promise<void>;
  /** Proposals of the lane's matcher that a person judged, for the page of statistics. */
  judged?(): Promise<readonly Judged[]>;
  /** Questions of several drops that are asked as one. */
  readonly joins?: Joins<Review<L['review']>>;
  questions?(): Promise<LaneQuestions<L>>;
  traces?(): Promise<LaneTraces<L>>;
  settings?(): Promise<LaneSettings>;
}

/** The lane's own types end here: the frame hands it only its own jobs and questions. */
export function laneUi<L extends LaneTypes>(ui: LaneUi<L>): LaneUi {
  return ui as unknown as LaneUi;
}

export interface Place {
  id: string;
  label: string;
  /** Below the origin, without a slash before it. It is the current place on every page whose path begins so. */
  path: string;
  /** Beginnings of other pages that belong to it. */
  also?: readonly string[];
  icon: LucideIcon;
}

export type CatalogList = Pick<Place, 'label' | 'path'>;

/** A component with the properties that it is drawn with; made by `drawn`. */
export interface Drawn {
  component: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

/** Puts a component and its properties together, checked against each other. */
export function drawn<Props extends object>(component: Component<Props>, props: Props): Drawn {
  return { component, props } as unknown as Drawn;
}

export interface LanePage {
  /** Below the origin; a part in brackets is a parameter: `catalog/albums/[id]`. */
  path: string;
  /** Loads the page's code. `params` are decoded; `query` is the address's. */
  load(params: Readonly<Record<string, string>>, query: URLSearchParams): Promise<Drawn>;
}

/** What the lists of jobs say. */
export interface LaneRows<L extends LaneTypes = LaneTypes> {
  /** What a file was matched to. `unmatched`: the open question about it offers nothing. */
  Match: Component<{ job: Job<L>; unmatched: boolean }>;
  /** Name of a group of jobs, and whose it is; null while nothing is known but the files' names. */
  title(jobs: readonly Job<L>[]): { title: string; by: string | null } | null;
  /** 0..1 of a decision; null before there is one. */
  confidence(job: Job<L>): number | null;
  /** What is said in the place of a confidence: `You decided`. */
  settled?(job: Job<L>): string | null;
  /** Folders and name, without an ending, of the file that was made of a job; null: as the file was called. */
  resultName?(job: Job<L>): readonly string[] | null;
  /** Texts by which the history finds the job, beside its path and its error. */
  words(job: Job<L>): readonly (string | null | undefined)[];
}

/** Files of a drop that a lane reads itself, not as jobs. */
export interface LaneDrops {
  /** `Library`, as it is said of what was sent there. */
  readonly label: string;
  /** Who says first which files are its own: lower first (a kind of file 10, what is left 50). */
  readonly priority: number;
  /** Names of files that it can read: all else is none of its business. */
  readonly names: RegExp;
  load(): Promise<DropTaker>;
}

/** Files of a drop that lie in its batch until a lane's page opens them there. */
export interface LaneKept {
  /** `Documents`, as it is said of what is there. */
  readonly label: string;
  /** Below the origin. */
  readonly path: string;
  /** Paths of the lane's own files in the batch, archives first among their folders. */
  of(batchId: string): Promise<readonly string[]>;
  /** Opens them on the lane's page. `alone`: nothing else was in the drop, so the page is gone to where it is free. */
  show(batchId: string, alone: boolean): Promise<void>;
}

export interface DropTaker {
  /** Which files of a drop are the lane's own, by all that is in it. */
  claim(files: readonly DroppedFile[]): Promise<readonly DroppedFile[]>;
  /** `folder`: what they all are in, where the browser opened it and nothing else is in it. Null: it was said why not. */
  take(files: readonly DroppedFile[], folder: FileSystemDirectoryHandle | null): Promise<TakenPart | null>;
  /** Takes out again what `take` has answered, also after a reload. */
  takeOut(ids: readonly string[]): Promise<void>;
}

export interface TakenPart {
  /** Where they are seen, below the origin. */
  path: string;
  /** By what they are taken out again; absent where there is no way back. */
  ids?: readonly string[];
}

/** Plays a job's file. */
export interface LanePlayer {
  /** Id of the job whose file is open. */
  readonly job: string | null;
  /** Whether it plays now. */
  plays(jobId: string): boolean;
  /** Opens and plays it; pauses or continues the one that is open. */
  toggle(jobId: string): void;
  stop(): void;
}

/** A request that files can be dropped for. */
export interface NamedRequest {
  id: string;
  title: string;
  by: string;
  /** How many entries are still missing, and the same in words: `12 tracks`; '' where it is not known. */
  missing: number;
  missingWords: string;
}

export interface LaneRequests {
  /** The pending ones, oldest first: a query over IndexedDB that is kept live. */
  pending(): Promise<NamedRequest[]>;
}

export interface Hit {
  /** Unique in the palette. */
  key: string;
  label: string;
  detail: string;
  /** Below the origin; absent: it is no page. */
  path?: string;
  /** Called once its page is there. */
  run?(): void;
}

/** Entries that the palette finds. */
export interface LaneSearch {
  heading: string;
  icon: LucideIcon;
  /** Best first; null where it could not be asked. */
  find(words: string): Promise<readonly Hit[] | null>;
}

export interface KeyGroup {
  name: string;
  /** Key and what it does. */
  keys: readonly (readonly [string, string])[];
}

/** What a person's word, or that they let it be published, says of a proposal. */
export interface Judged {
  /** 0..1, as the matcher claimed it. */
  confidence: number;
  right: boolean;
}

/** How a lane's questions are worded and which parts the cards draw. */
export interface LaneQuestions<L extends LaneTypes = LaneTypes> {
  /** How the table below the options is shown; null: there is none. */
  comparison?(review: Review<L['review']>): Comparison | null;
  /** `compact`: on the dashboard. */
  Table?: Component<{ review: Review<L['review']>; compact: boolean }>;
  /** Details of an option, below its name. */
  Option?: Component<{ review: Review<L['review']>; option: L['review']['option'] }>;
  /** Nothing speaks against the option itself, however many others there are: its share is said plainly. */
  isSame?(review: Review<L['review']>, option: L['review']['option']): boolean;
  /** Whether the option's confidence means anything. */
  isScored?(option: L['review']['option']): boolean;
  /** Search for an entry that is not among the options. */
  Search?: Component<{
    review: Review<L['review']>;
    initial: string;
    busy: boolean;
    onpick: (answer: ReviewAnswer, words: string) => void;
  }>;
  /** What would spare the person this question and others like it; drawn below the ways to answer. */
  Policy?: Component<{ review: Review<L['review']>; busy: boolean }>;
  /** Makes the entry that is missing; drawn where `isMissing`. */
  Create?: Component<{ review: Review<L['review']>; busy: boolean; onanswered: (() => void) | undefined }>;
  /** Nothing was found: the entry can be created, searched for with the files' own words, or the files cancelled. */
  isMissing?(review: Review<L['review']>): boolean;
  /** The words of the files, to search with first. */
  searchWords?(review: Review<L['review']>): string;
  /** `none of these albums`, as the answer is repeated to the person. */
  noneWords?(review: Review<L['review']>): string;
  /** An option's reasons as a person reads them: what speaks against first. */
  reasons?(option: L['review']['option']): ReviewOption['reasons'];
  /** Whether Enter may take the option; what differs throughout is chosen by its own button alone. */
  mayEnter?(review: Review<L['review']>, option: L['review']['option']): boolean;
  /** True: Enter takes a marked option only, never just the first. */
  needsMark?(review: Pick<Review<L['review']>, 'kind'>): boolean;
  /** What several questions of a group are about, where they may be answered at once; null: they may not. */
  together?(review: Review<L['review']>): { about: string | null } | null;
  /** What makes its card take rows that are dragged from another question. */
  takesRows?(review: Review<L['review']>): Attachment<HTMLElement>;
  /** What choosing an option answers once a person changed single rows of the question's table; null: they changed none. */
  adjusted?(review: Review<L['review']>, option: L['review']['option']): Adjusted | null;
  /** What an answer would do, in lines of a file, or some files, and what they are taken for. */
  takes?(review: Review<L['review']>, option: L['review']['option']): { file: string; takes: string }[];
}

export interface Adjusted {
  answer: ReviewAnswer;
  /** `Accept 16, ask about 1`. */
  words: string;
}

export interface Comparison {
  show: string;
  hide: string;
  /** It is never hidden. */
  always: boolean;
  /** Its columns are the options, in their order: the cards are over them. */
  columns: boolean;
}

export interface Fact {
  name: string;
  /** Null or empty: left out. */
  value: string | null;
  mono?: boolean;
}

/** The trace of a job and of a batch. */
export interface LaneTraces<L extends LaneTypes = LaneTypes> {
  facts?(job: Job<L>): Fact[];
  /** What the job was matched to, and why. */
  Decision?: Component<{ job: Job<L> }>;
  /** Whether `Table` has something to show of the group. */
  hasTable?(group: JobGroup<L>): boolean;
  /** The group's files and what they were matched to, side by side. */
  Table?: Component<{ group: JobGroup<L>; open: boolean }>;
}

export interface LaneSettings {
  sections?: readonly { id: string; label: string; before: string; Section: Component }[];
  /** Drawn in the section on publishing. */
  Sync?: Component;
  /** Actions of the audit log in words: `'album.created': 'created an album'`. */
  actions?: Readonly<Record<string, string>>;
}
