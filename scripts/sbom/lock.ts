/** What package-lock.json pins, and as a bill of materials (CycloneDX 1.6). */

export interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  /** Only for building and testing. */
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

export interface Part {
  name: string;
  version: string;
  /** As the package states it; null where it states none. */
  licence: string | null;
  integrity: string | null;
  /** Only for building and testing: nothing of it is shipped. */
  dev: boolean;
}

/** Every package with each of its versions, by name. */
export function partsOf({ packages }: Lock): Part[] {
  const parts = new Map<string, Part>();
  for (const [path, locked] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || locked.version === undefined || locked.link === true) continue;
    const name = path.slice(at + 'node_modules/'.length);
    const key = `${name}@${locked.version}`;
    // Of a build tool for another system npm writes that it is optional.
    const dev = locked.dev === true || locked.devOptional === true || /^lightningcss-/.test(name);
    const before = parts.get(key);
    parts.set(key, {
      ...{ name, version: locked.version, licence: locked.license ?? null, integrity: locked.integrity ?? null },
      dev: dev && (before?.dev ?? true),
    });
  }
  return [...parts.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** `pkg:npm/%40scope/name@1.2.3` */
export function purlOf({ name, version }: Pick<Part, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

/** The same lock gives the same bill, byte for byte: it has no time and no number of its own. */
export function billOf(lock: Lock): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: lock.name, version: lock.version, 'bom-ref': purlOf(lock) },
    },
    components: partsOf(lock).map((part) => ({
      type: 'library',
      name: part.name,
      version: part.version,
      'bom-ref': purlOf(part),
      purl: purlOf(part),
      scope: part.dev ? 'excluded' : 'required',
      ...(part.licence === null ? {} : { licenses: [licenceOf(part.licence)] }),
      ...(part.integrity === null ? {} : { hashes: hashesOf(part.integrity) }),
    })),
  };
}

const licenceOf = (licence: string): object =>
  /[ (]/.test(licence) ? { expression: licence.replace(/^\((.*)\)$/, '$1') } : { license: { id: licence } };

const ALGORITHMS: Record<string, string> = { sha512: 'SHA-512', sha1: 'SHA-1', sha256: 'SHA-256' };

function hashesOf(integrity: string): object[] {
  return integrity.split(' ').flatMap((one) => {
    const [name = '', digest = ''] = one.split(/-(.*)/);
    const alg = ALGORITHMS[name];
    return alg === undefined ? [] : [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }];
  });
}
