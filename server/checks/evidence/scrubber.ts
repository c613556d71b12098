import { secretHeader } from '@/server/monitors/config/headers';
import type { SecretKind } from '@/server/monitors/types/definition';
import { MASK } from '@/server/platform/secrets';

export interface Secret {
  value: string;
  kind: SecretKind;
}

/** A shorter part of a secret is too common a word to be looked for. */
const SHORTEST = 4;
/** A shorter secret is masked only where it stands alone: "prod", but not in "product". */
const SHORTEST_ANYWHERE = 8;
const SHORTEST_TOKEN = 12;
/** The longest header. A longer text is looked for in pieces. */
const LONGEST = 4_096;
const MOST_PARTS = 200;
const ORDER: SecretKind[] = ['credential', 'url', 'text'];

function leavesOf(value: unknown, name: string): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, Array.isArray(value) ? name : key));
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length >= SHORTEST_ANYWHERE || secretHeader.test(name) ? [text] : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const valuesOf = (query: string) => [...new URLSearchParams(query).values()];

/** A text that may contain a secret anywhere: its JSON values, its form values, and whatever looks like a token. */
function partsOfText(text: string): string[] {
  const tokens = text.split(/[\s"'<>&=,;:{}()[\]]+/).filter((token) => token.length >= SHORTEST_TOKEN);
  return [...leavesOf(parseJson(text), ''), ...(text.includes('=') ? valuesOf(text) : []), ...tokens];
}

function partsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, search, searchParams } = new URL(text);
  const raw = search
    .slice(1)
    .split('&')
    .map((pair) => pair.replace(/^[^=]*=/, ''));
  return [username, password, search.slice(1), ...raw, ...searchParams.values()];
}

/** The name of a scheme (RFC 9110 §11) is no secret. */
const scheme = /^(basic|bearer|digest|negotiate|token)$/i;

/** "Bearer abc", "a=b; c=d": the parts of a header's value that may be quoted alone. */
const partsOfHeader = (value: string) => value.split(/[\s;,]+|(?<=\w)=(?!=|$)/).filter((part) => !scheme.test(part));

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / LONGEST) }, (_, index) =>
    text.slice(index * LONGEST, (index + 1) * LONGEST),
  );
}

function partsOf({ value, kind }: Secret): string[] {
  switch (kind) {
    case 'credential':
      return [value, ...partsOfHeader(value)];
    case 'text':
      return [value, ...partsOfText(value), ...partsOfHeader(value)];
    case 'url':
      return partsOfUrl(value);
    default:
      return kind satisfies never;
  }
}

/** What base64 makes of a text at any of three positions, without the characters that its neighbours change. */
function base64Cores(text: string): string[] {
  const bytes = Buffer.from(text);
  const cores = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const isWhole = (offset + bytes.length) % 3 === 0;
    return encoded.slice(offset === 0 ? 0 : offset + 1, isWhole ? undefined : -1);
  });
  const exact = bytes.toString('base64').replace(/=+$/, '');
  return [exact, ...cores].flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The forms in which a server may send a text back. */
function formsOf(text: string): string[] {
  const uri = encodeURIComponent(text.toWellFormed());
  const hex = Buffer.from(text).toString('hex');
  const percents = hex.replace(/../g, '%$&');
  const lowerUri = uri.replace(/%../g, (code) => code.toLowerCase());
  const escaped = [
    ...[uri, lowerUri, uri.replaceAll('%20', '+'), lowerUri.replaceAll('%20', '+')],
    new URLSearchParams({ '': text }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replace(/[&<>"']/g, (character) => entities[character] ?? character),
  ];
  const anyCase = [text, text.toLowerCase(), text.toUpperCase(), ...escaped];
  if (text.length < SHORTEST_ANYWHERE) return anyCase;
  return [...anyCase, ...base64Cores(text), hex, hex.toUpperCase(), percents, percents.toUpperCase()];
}

const asPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Masks the secrets of a monitor in what its target sent back. */
export class Scrubber {
  /** Longest first, so that what contains another goes as a whole. */
  private readonly forms: string[];

  constructor(secrets: Secret[]) {
    // Texts come last: a long one has many parts, and most of them are no secrets.
    const ordered = secrets.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
    const parts = new Set(
      ordered
        .flatMap(partsOf)
        .flatMap(piecesOf)
        .filter(({ length }) => length >= SHORTEST),
    );
    const forms = new Set(
      [...parts]
        .slice(0, MOST_PARTS)
        .flatMap(formsOf)
        .filter(({ length }) => length >= SHORTEST),
    );
    this.forms = [...forms].sort((one, other) => other.length - one.length);
  }

  /**
   * A text without the secrets, whichever form they are in.
   * @param isCut whether the text may end within a secret, of which the start is masked then
   */
  scrub(text: string, isCut = false): string {
    let clean = text;
    for (const form of this.forms) {
      if (!clean.includes(form)) continue;
      clean =
        form.length >= SHORTEST_ANYWHERE
          ? clean.replaceAll(form, MASK)
          : clean.replace(new RegExp(`(?<![A-Za-z0-9])${asPattern(form)}(?![A-Za-z0-9])`, 'g'), MASK);
    }
    const [, start = clean, end = ''] = /^(.*?)(…"?)$/s.exec(clean) ?? [];
    return isCut || end !== '' ? this.withoutStart(start) + end : clean;
  }

  /** Masks the start of a secret that the text ends with. */
  private withoutStart(text: string): string {
    for (const form of this.forms) {
      const head = form.slice(0, SHORTEST);
      const from = Math.max(0, text.length - form.length + 1);
      for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1)) {
        if (form.startsWith(text.slice(at))) return text.slice(0, at) + MASK;
      }
    }
    return text;
  }

  /** The same of every text within a value. */
  scrubAll<T>(value: T): T {
    if (typeof value === 'string') return this.scrub(value) as T;
    if (Array.isArray(value)) return value.map((each: unknown) => this.scrubAll(each)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.scrubAll(each)])) as T;
  }
}
