/** The settings that a column can have. */
export const csvFields = [
  'url',
  'name',
  'type',
  'port',
  'interval',
  'timeout',
  'tags',
  'expectedStatus',
  'method',
  'keyword',
  'active',
] as const;
export type CsvField = (typeof csvFields)[number];

/** The name of a column, by the setting that it has; empty for none. */
export type Columns = Partial<Record<CsvField, string | undefined>>;

/** The maximum number of characters of a column's name. */
export const MOST_HEADER_CHARACTERS = 200;

/** The names of columns by which each setting is recognized, in lowercase without spaces and signs; the best first. */
const names: Record<CsvField, string[]> = {
  url: [
    'url',
    'urlip',
    'address',
    'websiteurl',
    'website',
    'target',
    'endpoint',
    'link',
    'uri',
    'hostname',
    'host',
    'domain',
    'site',
  ],
  name: ['name', 'friendlyname', 'title', 'monitorname', 'checkname', 'displayname', 'label', 'monitor', 'service'],
  type: ['type', 'monitortype', 'checktype', 'testtype', 'kind', 'protocol'],
  port: ['port', 'portnumber'],
  interval: [
    'interval',
    'checkinterval',
    'intervalseconds',
    'intervalminutes',
    'frequency',
    'checkfrequency',
    'checkrate',
    'resolution',
    'period',
  ],
  timeout: ['timeout', 'timeoutseconds', 'timeoutms', 'requesttimeout'],
  tags: ['tags', 'tag', 'labels', 'groups', 'group', 'category'],
  expectedStatus: [
    'expectedstatus',
    'expectedstatuscodes',
    'expectedstatuscode',
    'statuscodes',
    'statuscode',
    'expectedcode',
  ],
  method: ['method', 'httpmethod', 'requestmethod', 'verb'],
  keyword: ['keyword', 'keywordvalue', 'expectedtext', 'contains', 'findstring', 'mustcontain'],
  active: ['active', 'isactive', 'enabled', 'isenabled'],
};

/** The columns that say whether the keyword must be present or absent, and what their cells say. */
const presence: [name: string, isAbsent: Map<string, boolean>][] = [
  // "Exists" would say the opposite in UptimeRobot, which alerts if the keyword exists.
  [
    'keywordtype',
    new Map(Object.entries({ contains: false, alertnotexists: false, notcontains: true, alertexists: true })),
  ],
  [
    'donotfind',
    new Map(Object.entries({ '': false, '0': false, false: false, no: false, '1': true, true: true, yes: true })),
  ],
];

/** The name of a column without its unit in parentheses, spaces and signs. */
const plainOf = (header: string) => (header.split('(')[0] ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');

/** The columns that a header names in a usual way. Each has one setting at most. */
export function guessColumns(header: string[]): Columns {
  const byName = new Map([...header].reverse().map((column) => [plainOf(column), column]));
  const columns: Columns = {};
  for (const field of csvFields) {
    const known = names[field].find((name) => byName.has(name));
    if (known !== undefined) columns[field] = byName.get(known) ?? '';
  }
  return columns;
}

/** A cell as a word, without spaces and signs. */
const wordOf = (cell: string) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Where the table says whether the keyword must be absent, and what a cell says, undefined if nothing; null if it has no such column. */
export function presenceIn(header: string[]): { at: number; isAbsent: (cell: string) => boolean | undefined } | null {
  const plain = header.map(plainOf);
  const known = presence.find(([name]) => plain.includes(name));
  return known ? { at: plain.indexOf(known[0]), isAbsent: (cell) => known[1].get(wordOf(cell)) } : null;
}
