/** Grids of countries and continents: their definitions as the EPSG register has them, computed by proj4. */
import { failed } from '../../errors.ts';
import type { Position } from './features.ts';
import { isKnown, toWgs84, type ToWgs84 } from './crs.ts';

/** A code that says: the coordinates are those of the file's own description. */
export const BY_WKT = -2;
const MOST_WKT = 20_000;

const MGI = '+ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232';
const DHDN = '+ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7';
const SWISS =
  '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +ellps=bessel +towgs84=674.374,15.056,405.346';
const ROME = '+lat_0=0 +k=0.9996 +y_0=0 +ellps=intl +towgs84=-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68';

/** Of the codes that are met most. Metres; shifts of the datum are good to a few metres. */
const GRIDS: Readonly<Record<number, string>> = {
  2056: `${SWISS} +x_0=2600000 +y_0=1200000`,
  21781: `${SWISS} +x_0=600000 +y_0=200000`,
  27700: '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489',
  2157: '+proj=tmerc +lat_0=53.5 +lon_0=-8 +k=0.99982 +x_0=600000 +y_0=750000 +ellps=GRS80',
  2154: '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80',
  28992: '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.2369,50.0087,465.658,-0.406857,0.350733,-1.870347,4.0812',
  31370: '+proj=lcc +lat_0=90 +lon_0=4.36748666666667 +lat_1=51.1666672333333 +lat_2=49.8333339 +x_0=150000.013 +y_0=5400088.438 +ellps=intl +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747',
  3812: '+proj=lcc +lat_0=50.797815 +lon_0=4.35921583333333 +lat_1=49.8333333333333 +lat_2=51.1666666666667 +x_0=649328 +y_0=665262 +ellps=GRS80',
  31287: `+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 ${MGI}`,
  31254: `+proj=tmerc +lat_0=0 +lon_0=10.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
  31255: `+proj=tmerc +lat_0=0 +lon_0=13.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
  31256: `+proj=tmerc +lat_0=0 +lon_0=16.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
  31466: `+proj=tmerc +lat_0=0 +lon_0=6 +k=1 +x_0=2500000 +y_0=0 ${DHDN}`,
  31467: `+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 ${DHDN}`,
  31468: `+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 ${DHDN}`,
  31469: `+proj=tmerc +lat_0=0 +lon_0=15 +k=1 +x_0=5500000 +y_0=0 ${DHDN}`,
  3003: `+proj=tmerc +lon_0=9 +x_0=1500000 ${ROME}`,
  3004: `+proj=tmerc +lon_0=15 +x_0=2520000 ${ROME}`,
  3035: '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80',
  3006: '+proj=utm +zone=33 +ellps=GRS80',
  3067: '+proj=utm +zone=35 +ellps=GRS80',
  2180: '+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80',
  5070: '+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80',
  3347: '+proj=lcc +lat_0=63.390675 +lon_0=-91.8666666666667 +lat_1=49 +lat_2=77 +x_0=6200000 +y_0=3000000 +ellps=GRS80',
  3577: '+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 +x_0=0 +y_0=0 +ellps=GRS80',
  2193: '+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80',
}; // prettier-ignore

/** UTM by its zone on other ellipsoids: NAD83, GDA94 and GDA2020. */
function utmOf(code: number): string | null {
  const of = (zone: number, south: boolean): string => `+proj=utm +zone=${zone} ${south ? '+south ' : ''}+ellps=GRS80`;
  if (code >= 26_901 && code <= 26_923) return of(code - 26_900, false);
  if (code >= 28_348 && code <= 28_358) return of(code - 28_300, true);
  return code >= 7846 && code <= 7859 ? of(code - 7800, true) : null;
}

/**
 * @param code of EPSG, or BY_WKT
 * @param wkt what the file says of its coordinates
 * Throws AccessionError `tool_input` at `crs`.
 */
export async function openCrs(code: number, wkt: string | null = null): Promise<ToWgs84> {
  if (isKnown(code)) return toWgs84(code);
  const known = GRIDS[code] ?? utmOf(code);
  const said = known ?? (wkt !== null && wkt.length <= MOST_WKT ? wkt : null);
  if (said === null) throw unknown(code);
  const { default: proj4 } = await import('proj4');
  let inverse: (position: number[]) => number[];
  try {
    ({ inverse } = proj4(said));
  } catch (cause) {
    throw unknown(code, cause);
  }
  return ([x = 0, y = 0, ...rest]: Position): Position => {
    const [lon = NaN, lat = NaN] = inverse([x, y]);
    if (Number.isFinite(lon) && Number.isFinite(lat)) return [lon, lat, ...rest];
    throw failed('tool_input', `crs: ${x}, ${y} lies outside of ${nameOf(code)}`, { subject: 'crs' });
  };
}

const nameOf = (code: number): string => (code === BY_WKT ? "the file's own coordinates" : `EPSG:${code}`);

const unknown = (code: number, cause?: unknown): Error =>
  failed(
    'tool_input',
    `crs: ${nameOf(code)} are not known here; known are longitude and latitude, Web Mercator, UTM, ${Object.keys(GRIDS).length} grids of countries, and what a .prj describes`,
    { subject: 'crs', cause },
  );
