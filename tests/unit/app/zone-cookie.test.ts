import { expect, it } from 'vitest';
import { toTimeZone } from '@/app/_components/time/zone-cookie';

it('accepts the time zone of a browser', () => {
  expect(toTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
});

it('writes a time zone in one way', () => {
  expect(toTimeZone('eUROPE/bERLIN')).toBe('Europe/Berlin');
});

it.each([undefined, '', 'Mars/Olympus', `${'a'.repeat(60)}/berlin`, '<script>'])('ignores a cookie of %s', (text) => {
  expect(toTimeZone(text)).toBeNull();
});
