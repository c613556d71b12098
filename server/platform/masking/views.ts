import { fromBase64, fromDumps, fromHex, fromLists, fromQuotedPrintable } from './decode';
import { decodeEscapes } from './decode-escapes';
import { textIn, toView, type View } from './view';

/** The maximum number of escape layers; JSON in JSON in HTML has three. */
const MOST_LAYERS = 6;
/** The maximum depth of encodings; base64 of hexadecimal digits has two. */
const MOST_DECODED = 2;

/** Returns a view, and the results of decoding its escapes layer by layer. */
export function layersOf(view: View): View[] {
  const layers = [view];
  for (let layer = decodeEscapes(view); layer && layers.length <= MOST_LAYERS; layer = decodeEscapes(layer))
    layers.push(layer);
  return layers;
}

interface SeenView {
  view: View;
  /** Whether it is the text itself, except for escapes. */
  isText: boolean;
}

function* decoded(view: View, depth: number): Generator<SeenView> {
  yield { view, isText: depth === 0 };
  const text = depth === 0 ? view : textIn(view);
  if (!text) return;
  let last = text;
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const next = decodeEscapes(last);
    if (!next) break;
    last = next;
    yield { view: last, isText: depth === 0 };
  }
  if (depth === MOST_DECODED) return;
  for (const decode of [fromBase64, fromHex, fromLists, fromQuotedPrintable]) {
    for (const each of decode(last)) yield* decoded(each, depth + 1);
  }
  // Searches for dumps before escapes are decoded, because that would shift their columns.
  for (const each of fromDumps(text)) yield* decoded(each, depth + 1);
  if (last !== text) for (const each of fromDumps(last)) yield* decoded(each, depth + 1);
}

/** Generates all views of a text: unchanged, without its escapes, and decoded, to the depth of encodings that servers use. */
export const viewsOf = (text: string): Generator<SeenView> => decoded(toView(text), 0);
