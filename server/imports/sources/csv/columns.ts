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

/** The name of the column that contains each setting; empty if no column does. */
export type Columns = Partial<Record<CsvField, string | undefined>>;

/** The maximum number of characters of a column's name. */
export const MOST_HEADER_CHARACTERS = 200;

/** The column names by which each setting is recognized, in lowercase letters only, most specific first. */
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

/** The columns that say whether the keyword must be present or absent, with the meaning of their cells. */
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

/** Returns the name of a column in lowercase letters only, without its unit in parentheses. */
const plainOf = (header: string) => (header.split('(')[0] ?? '').toLowerCase().replaceAll(/[^a-z]/g, '');

/** Finds the column of each setting by usual names. Settings without a column are missing. */
export function guessColumns(header: string[]): Columns {
  const byName = new Map([...header].reverse().map((column) => [plainOf(column), column]));
  const columns: Columns = {};
  for (const field of csvFields) {
    const known = names[field].find((name) => byName.has(name));
    if (known !== undefined) columns[field] = byName.get(known) ?? '';
  }
  return columns;
}

/** Returns the text of a cell in lowercase letters and digits only. */
const wordOf = (cell: string) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Finds the column that says whether the keyword must be absent; null if there is none. `isAbsent` returns what a cell says; undefined for an unknown
 * text.
 */
export function presenceIn(header: string[]): { at: number; isAbsent: (cell: string) => boolean | undefined } | null {
  const plain = header.map(plainOf);
  const known = presence.find(([name]) => plain.includes(name));
  return known ? { at: plain.indexOf(known[0]), isAbsent: (cell) => known[1].get(wordOf(cell)) } : null;
}
