/** Written by the build (scripts/lib/toolbox-packs.ts): what each engine is made of, in one file. */
declare module 'virtual:toolbox-packs' {
  export interface PackPlace {
    url: string;
    /** On the wire. */
    bytes: number;
    sha256: string;
  }
  /** By runtime. */
  export type EnginePlaces = Readonly<Record<string, PackPlace>>;
  export const packs: EnginePlaces;
}
