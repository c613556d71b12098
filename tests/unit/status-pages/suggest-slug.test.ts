import { describe, expect, it } from 'vitest';
import { suggestSlug } from '@/app/(dashboard)/(team)/status-pages/_components/suggest-slug';

describe('suggestSlug', () => {
  it.each([
    ['Northwind Cloud', 'northwind-cloud'],
    ['  Äpfel & Öl!  ', 'apfel-ol'],
    ['日本', ''],
    ['A', ''],
    ['x'.repeat(100), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ])('turns %s into %s', (title, slug) => {
    expect(suggestSlug(title)).toBe(slug);
  });
});
