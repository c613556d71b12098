/** The code lengths of each byte and of the end-of-string symbol (RFC 7541, appendix B). They define the code, because it is canonical. */
const LENGTHS = `
  13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28 28 28 28 28 6 10 10 12 13
  6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10 13 6 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
  8 7 8 13 19 13 14 6 15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13 28 20 22 20 20 22 22 22
  23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24 22 21 20 22 22 23 23 21 23 22 22 24
  21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23 26 26 20 19 22 23 22 25 26 26 26 27 27 26 24 25 19
  21 26 27 27 26 27 24 21 21 26 26 28 27 27 27 20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26 27 26 26 27 27
  27 27 27 28 27 27 27 27 27 26 30
`
  .trim()
  .split(/\s+/)
  .map(Number);

const END = 256;
const MOST_PADDING_BITS = 7;

/** The symbol of each code. Codes have a leading 1, which preserves zeros. */
const symbols = new Map<number, number>();
let nextCode = 0;
let lastLength = 0;
for (const [symbol, length] of [...LENGTHS.entries()].sort(([, one], [, other]) => one - other)) {
  nextCode *= 2 ** (length - lastLength);
  lastLength = length;
  symbols.set(2 ** length + nextCode, symbol);
  nextCode += 1;
}

/**
 * Decodes a string in the Huffman code of HPACK (RFC 7541 §5.2).
 * @throws RangeError if it contains the end-of-string symbol, or its padding is too long or not all ones
 */
export function decodeHuffman(bytes: Buffer): Buffer {
  const decoded: number[] = [];
  let code = 1;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      const symbol = symbols.get(code);
      if (symbol === undefined) continue;
      if (symbol === END) throw new RangeError('A string names its end.');
      decoded.push(symbol);
      code = 1;
    }
  }
  const padding = code.toString(2).slice(1);
  if (padding.length > MOST_PADDING_BITS || padding.includes('0')) throw new RangeError('A string does not end.');
  return Buffer.from(decoded);
}
