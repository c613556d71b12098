import { describe, expect, it } from 'vitest';
import { calendar } from '@/server/status-pages/feeds/icalendar';
import { page } from './pages';

const window = {
  id: 'a'.repeat(32),
  title: 'Router; new, faster\nin Zürich',
  startsAt: '2026-11-26T02:00:00.000Z',
  endsAt: '2026-11-26T02:45:00.000Z',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  sequence: 7,
  componentIds: [],
};

describe('calendar', () => {
  it('has an event for each occurrence, its texts escaped and its times in UTC', () => {
    const text = calendar(page({ maintenances: [window], pastMaintenances: [{ ...window, id: 'b'.repeat(32) }] }));
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toContain('\r\nDTSTART:20261126T020000Z\r\nDTEND:20261126T024500Z\r\n');
    expect(text).toContain('\r\nSEQUENCE:7\r\n');
    expect(text).toContain('\r\nSUMMARY:Router\\; new\\, faster\\nin Zürich\r\n');
  });

  it('leaves out the end of an event that ends within the second of its start', () => {
    const startsAt = '2026-11-26T02:00:00.100Z';
    const endsAt = (time: string) => calendar(page({ maintenances: [{ ...window, startsAt, endsAt: time }] }));
    expect(endsAt('2026-11-26T02:00:00.900Z')).not.toContain('DTEND');
    expect(endsAt('2026-11-26T02:00:01.000Z')).toContain('\r\nDTEND:20261126T020001Z\r\n');
  });

  it('ends every line with CRLF, and folds lines of more than 75 octets between characters', () => {
    const title = 'ü'.repeat(100);
    const text = calendar(page({ maintenances: [{ ...window, title }] }));
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lines = text.split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}`);
  });
});
