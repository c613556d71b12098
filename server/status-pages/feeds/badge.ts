import type { Overall, PublicStatusPage } from '../schema';
import { escapeXml } from './xml';

/** The word on a badge: the overall status, as the page shows it. */
const words: Record<Overall, Overall> = {
  operational: 'operational',
  maintenance: 'maintenance',
  degraded: 'degraded',
  down: 'down',
  unknown: 'unknown',
};

/** Colors with a contrast of at least 4.5:1 to white text. */
const colours = {
  operational: '#1a7f37',
  maintenance: '#0550ae',
  degraded: '#9a6700',
  down: '#b01116',
  unknown: '#57606a',
};

const LABEL_WIDTH = 46;
/** The approximate width of a character at 11 px. */
const LETTER = 6.6;

/** Returns the overall status as an SVG badge, which is readable in grayscale too. */
export function badge({ title, overall }: Pick<PublicStatusPage, 'title' | 'overall'>): string {
  const word = words[overall];
  const width = Math.round(word.length * LETTER + 16);
  const total = LABEL_WIDTH + width;
  const name = escapeXml(`${title}: ${word}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" role="img" aria-label="${name}">
  <title>${name}</title>
  <clipPath id="r"><rect width="${total}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${LABEL_WIDTH}" height="20" fill="#24292f"/>
    <rect x="${LABEL_WIDTH}" width="${width}" height="20" fill="${colours[word]}"/>
  </g>
  <g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle" aria-hidden="true">
    <text x="${LABEL_WIDTH / 2}" y="14">status</text>
    <text x="${LABEL_WIDTH + width / 2}" y="14">${word}</text>
  </g>
</svg>
`;
}
