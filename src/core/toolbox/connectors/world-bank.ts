/** `world_bank`: declared as a file that is dropped in would be. */
import { declaredTool, readDeclared } from './declared.ts';

export const worldBank = declaredTool(
  readDeclared(
    String.raw`
name: world_bank
about: World Bank, indicators of countries by year.
base: https://api.worldbank.org/v2
licence: CC BY 4.0
attribution: The World Bank
direct: true
endpoints:
  values:
    about: an indicator (indicator, country as ISO codes parted by ";", or all; years as 2000:2020)
    path: /country/{country}/indicator/{indicator}
    input:
      indicator: { type: text, required: true, max: 80 }
      country: { type: text, default: all, max: 200 }
      years: { type: text, max: 9 }
    query: { format: json, per_page: 1000, date: '{years}' }
    rows: $[1][*]
    columns: { country: $.country.value, iso: $.countryiso3code, year: $.date, value: $.value, indicator: $.indicator.id }
    pages: { by: page, field: page }
  countries:
    about: the countries with region and group of income
    path: /country
    query: { format: json, per_page: 400 }
    rows: $[1][*]
    columns: { iso: $.id, name: $.name, region: $.region.value, income: $.incomeLevel.value, capital: $.capitalCity, latitude: $.latitude, longitude: $.longitude }
  indicators:
    about: the indicators of a topic (topic, a number)
    path: /topic/{topic}/indicator
    input:
      topic: { type: integer, required: true, min: 1, max: 99 }
    query: { format: json, per_page: 1000 }
    rows: $[1][*]
    columns: { id: $.id, name: $.name, source: $.source.value }
    pages: { by: page, field: page }
example: { endpoint: values, indicator: SP.POP.TOTL, country: CHE, years: '2000:2020' }
`,
    'world_bank',
  ),
);
