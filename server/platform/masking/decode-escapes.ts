import { decodeHTML } from 'entities';
import { binaryOf, type View, ViewBuilder } from './view';

/** Terminal commands, control characters, and characters without a width: nobody sees them in a text, and they may stand within a secret. */
const INVISIBLE = [
  String.raw`\x1b\[[0-?]*[ -/]*[@-~]`,
  String.raw`\x1b[ -/]*[0-~]`,
  String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f]`,
  // In UTF-8: C1 controls, the soft hyphen, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F, and the byte order mark.
  String.raw`\xc2[\x80-\x9f\xad]`,
  String.raw`\xe2\x80[\x8b-\x8f\xa8-\xae]`,
  String.raw`\xe2\x81[\xa0-\xaf]`,
  String.raw`\xef\xbb\xbf`,
];

const hex = (name: string, min: number, max = min) => `(?<${name}>[0-9A-Fa-f]{${min},${max}})`;

/** The escapes of HTML, XML, JSON, JavaScript, Python, Go, Java, .NET, shells, SQL, CSV and URLs. The name of a group says what it holds. */
const ESCAPE = new RegExp(
  [
    `(?<invisible>${INVISIBLE.join('|')})`,
    // A pair of surrogates (JSON, JavaScript, Java)
    String.raw`\\u(?<high>[Dd][89ABab][0-9A-Fa-f]{2})\\u(?<low>[Dd][C-Fc-f][0-9A-Fa-f]{2})`,
    // \u00e9 \u{e9} \U000000e9 \x{e9} %u00e9 _x00E9_ &#xE9; — groups named c1 to c6 hold hexadecimal code points
    String.raw`\\u${hex('c1', 4)}`,
    String.raw`\\[ux]\{${hex('c2', 1, 8)}\}`,
    String.raw`\\U${hex('c3', 8)}`,
    `%u${hex('c4', 4)}`,
    `_x${hex('c5', 4)}_`,
    `&#[xX]${hex('c6', 1, 12)};?`,
    '&#(?<decimal>[0-9]{1,12});?',
    '&(?<entity>[A-Za-z][A-Za-z0-9]{1,31};?)',
    String.raw`\\x${hex('b1', 2)}`,
    `%${hex('b2', 2)}`,
    String.raw`\\(?<octal>[0-3][0-7]{2}|[0-7]{1,2})`,
    String.raw`\\(?<lineEnd>\r?\n)`,
    // Not what begins another escape, or is dropped: that is decoded first.
    String.raw`\\(?<letter>[ -$'-~])`,
    `(?<doubled>""|'')`,
  ].join('|'),
  'g',
);

const LETTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '', f: '', v: '', a: '', e: '' };

const utf8 = (text: string) => Buffer.from(text.toWellFormed()).toString('latin1');
const codePoint = (code: number) => (code <= 0x10ffff ? utf8(String.fromCodePoint(code)) : '');

/** What an escape stands for, as bytes; null if it is none. */
function decoded(groups: Record<string, string | undefined>): string | null {
  const { high, low, c1, c2, c3, c4, c5, c6, decimal, entity, b1, b2, octal, letter, doubled } = groups;
  const code = c1 ?? c2 ?? c3 ?? c4 ?? c5 ?? c6;
  const byte = b1 ?? b2;
  if (code !== undefined) return codePoint(Number.parseInt(code, 16));
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  if (letter !== undefined) return LETTERS[letter] ?? letter;
  if (decimal !== undefined) return codePoint(Number(decimal));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (doubled !== undefined) return doubled.slice(1);
  if (high !== undefined && low !== undefined) {
    return utf8(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  }
  if (entity === undefined) return '';
  const character = decodeHTML(`&${entity}`);
  return character === `&${entity}` ? null : utf8(character);
}

/** A view with one layer of escapes decoded; null if it has none. */
export function decodeEscapes(view: View): View | null {
  const { bytes, from, to } = view;
  const builder = new ViewBuilder(bytes.length * 2);
  let isChanged = false;
  let rest = 0;
  const keepUntil = (end: number) => {
    for (let index = rest; index < end; index += 1) builder.add(bytes[index] ?? 0, from[index] ?? 0, to[index] ?? 0);
  };
  for (const match of binaryOf(view).matchAll(ESCAPE)) {
    const plain = decoded(match.groups ?? {});
    if (plain === null) continue;
    const end = match.index + match[0].length;
    keepUntil(match.index);
    for (let index = 0; index < plain.length; index += 1) {
      builder.add(plain.charCodeAt(index), from[match.index] ?? 0, to[end - 1] ?? 0);
    }
    rest = end;
    isChanged = true;
  }
  if (!isChanged) return null;
  keepUntil(bytes.length);
  return builder.build();
}
