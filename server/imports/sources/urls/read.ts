import { SaxesParser } from 'saxes';
import { digest } from '../../convert/conversion';
import { nameOfAddress } from '../../convert/name';
import { toPlain } from '../../convert/plain';
import { decoded } from '../../convert/rows';
import { cut, type DraftBuilder, MOST_OBJECTS, UnreadableFile } from '../../draft';

const OTHER = 'This file is not a sitemap: it has no url with loc.';
/** The maximum depth of elements. A sitemap has four levels with its extensions. */
const MOST_LEVELS = 10;
const MOST_NAME_CHARACTERS = 100;

/**
 * Parses the addresses of pages in a sitemap (sitemaps.org, protocol 0.9).
 * @throws UnreadableFile
 */
function pagesOf(xml: string): string[] {
  const pages: string[] = [];
  const open: string[] = [];
  let text = '';
  const parser = new SaxesParser({ position: true });
  parser.on('error', ({ message }) => {
    throw new UnreadableFile(`This file is not valid XML: ${cut(message, 200)}`);
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    if (open.length > MOST_LEVELS || name.length > MOST_NAME_CHARACTERS) throw new UnreadableFile(OTHER);
    text = '';
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('cdata', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    const [root, entry] = open;
    const isAddress = open.length === 3 && open[2] === 'loc';
    open.pop();
    if (!isAddress) return;
    if (root === 'sitemapindex' && entry === 'sitemap') {
      throw new UnreadableFile(`This is an index of sitemaps. Upload one of them, such as ${cut(text, 200)}.`);
    }
    if (root !== 'urlset' || entry !== 'url') return;
    if (pages.length > MOST_OBJECTS) throw new UnreadableFile(`A sitemap can have at most ${MOST_OBJECTS} pages.`);
    pages.push(text.trim());
  });
  parser.write(xml).close();
  if (pages.length === 0) throw new UnreadableFile(OTHER);
  return pages;
}

/** Returns the lines of a text without empty lines and comments (#). */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Reads a list of addresses, one per line, or a sitemap. */
export function readUrls(file: Buffer, builder: DraftBuilder): void {
  const text = decoded(file, 'This file is not text in UTF-8.').trim();
  const isSitemap = text.startsWith('<');
  const addresses = isSitemap ? pagesOf(text) : linesOf(text);
  if (addresses.length === 0) throw new UnreadableFile('This file has no addresses.');
  builder.draft.instance = 'list';
  for (const address of addresses) {
    const name = nameOfAddress(address) || 'Address';
    builder.addMonitor({ key: digest(address), name, from: isSitemap ? 'page' : 'address' }, () => {
      const { notes, ...typed } = toPlain('', { address });
      return { input: { ...typed, name }, notes };
    });
  }
  builder.draft.notes.push('Each monitor alerts all channels of the team, and is checked at the usual interval.');
}
