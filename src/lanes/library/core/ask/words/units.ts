/** Units of measure: what is written for them, what they measure and how large they are. */

export interface Unit {
  /** What it measures; two units of one dimension can be compared. */
  dimension: string;
  /** How many of the dimension's base it is. */
  factor: number;
}

/** dimension: base unit first; `factor name name ...`, a unit a part. Short names count only right behind digits. */
const TABLE = `
length: 1 m metre metres meter meters; 1000 km kilometre kilometres kilometer kilometers; 0.01 cm centimetre centimetres centimeter centimeters;
 0.001 mm millimetre millimetres millimeter millimeters; 0.000001 µm micrometre micrometres micrometer micrometers; 0.000000001 nm nanometre nanometres nanometer nanometers;
 1609.344 mi mile miles; 0.3048 ft foot feet; 0.0254 inch inches; 0.9144 yd yard yards; 1852 nautical_mile; 1.8288 fathom fathoms
time: 1 s sec secs second seconds; 0.001 ms millisecond milliseconds; 60 min mins minute minutes; 3600 h hr hrs hour hours; 86400 day days;
 604800 week weeks; 2629800 month months; 31557600 yr yrs year years; 315576000 decade decades; 3155760000 century centuries
mass: 1 g gram grams gramme grammes; 1000 kg kilogram kilograms kilo kilos; 0.001 mg milligram milligrams; 1000000 t tonne tonnes; 907184.74 ton tons; 453.59237 lb lbs pounds_weight; 28.349523 oz ounce ounces
volume: 1 l litre litres liter liters; 0.001 ml millilitre millilitres milliliter milliliters; 0.01 cl; 3.785412 gallon gallons; 0.473176 pint pints
percent: 1 % percent per_cent percentage_point percentage_points
temperature: 1 °c celsius degrees_celsius
temperature_f: 1 °f fahrenheit degrees_fahrenheit
temperature_k: 1 kelvin kelvins
angle: 1 ° degree degrees
wind: 1 beaufort
speed: 1 knot knots; 0.539957 km/h kph; 0.868976 mph
crown: 1 crown crowns
dollar: 1 $ dollar dollars usd; 0.01 cent cents
euro: 1 € euro euros eur
pound: 1 £ pound pounds gbp
yen: 1 ¥ yen
franc: 1 franc francs chf
rupee: 1 rupee rupees
data: 1 byte bytes; 1000 kb kilobyte kilobytes; 1000000 mb megabyte megabytes; 1000000000 gb gigabyte gigabytes; 1000000000000 tb terabyte terabytes; 0.125 bit bits
energy: 1 j joule joules; 1000 kj kilojoule kilojoules; 3600000 kwh; 4.184 calorie calories; 4184 kcal kilocalorie kilocalories
power: 1 w watt watts; 1000 kw kilowatt kilowatts; 1000000 mw megawatt megawatts; 1000000000 gw gigawatt gigawatts
voltage: 1 v volt volts; 1000 kv kilovolt kilovolts
current: 1 amp amps ampere amperes
frequency: 1 hz hertz; 1000 khz kilohertz; 1000000 mhz megahertz; 1000000000 ghz gigahertz
pressure: 1 pa pascal pascals; 100 hpa hectopascal hectopascals millibar millibars; 100000 bar bars; 1000 kpa kilopascal kilopascals
area: 1 m² sqm; 10000 ha hectare hectares; 4046.8564 acre acres; 1000000 km²
`;

const units = new Map<string, Unit>();
for (const row of TABLE.trim().split(/\n(?=\S)/)) {
  const [dimension = '', rest = ''] = row.split(/:(.*)/s);
  for (const part of rest.split(';')) {
    const [factor, ...names] = part.trim().split(/\s+/);
    for (const name of names) units.set(name.replaceAll('_', ' '), { dimension, factor: Number(factor) });
  }
}

/** Names that are words or letters of their own, so that they are units right behind digits only. */
const SHORT = new Set([
  'm',
  's',
  'h',
  'g',
  't',
  'l',
  'j',
  'w',
  'v',
  'mi',
  'ft',
  'bar',
  'min',
  'sec',
  'pa',
  'oz',
  'lb',
  'amp',
  'ton',
]);

/** `name`: lower case; `behindDigits`: a number in digits stands right before it. */
export function unitOf(name: string, behindDigits: boolean): Unit | null {
  if (!behindDigits && SHORT.has(name)) return null;
  return units.get(name) ?? null;
}
