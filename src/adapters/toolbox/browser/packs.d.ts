/** Written by the build (scripts/lib/toolbox-packs.ts): what each engine is made of, in one file. */
declare module 'virtual:toolbox-packs' {
  export interface PackPlace {
    url: string;
    /** On the wire. */
    bytes: number;
    sha256: string;
  }
  export const packs: Readonly<Record<string, PackPlace>>;
}
