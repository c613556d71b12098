import { describe, expect, it } from 'vitest';
import { toMessage } from '@/server/notifications/messages/to-message';
import { alertMail } from '@/server/notifications/providers/email/alert-mail';
import { composeMail } from '@/server/platform/mail/compose';
import { eventMail, exampleMails, groupMail, reader } from '@/tests/support/example-mails';

const count = (text: string, part: string) => text.split(part).length - 1;

/** The visible text of a mail. */
function shownIn(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/<!--.*?-->|<style>.*?<\/style>/gs, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '');
}

describe('every mail', () => {
  it.each(Object.entries(exampleMails()))(
    'of kind "%s" shows the same as text and as HTML, with one button',
    (_kind, content) => {
      const { subject, text, html } = composeMail(content);
      const { title, reason, paragraphs = [], facts = [], notes = [], button, footer } = content;
      const values = facts.flatMap(({ label, value }) => [label, value]);
      for (const each of [title, ...(reason ? [reason] : []), ...paragraphs, ...values, ...notes]) {
        expect(text).toContain(each);
        expect(shownIn(html)).toContain(each);
      }
      expect(count(html, 'class="button"')).toBe(button ? 1 : 0);
      if (button) expect(html).toContain(`<a href="${button.url}"`);
      if (button) expect(text.split('\n')).toContain(button.url);
      expect(footer.length).toBeGreaterThan(0);
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(html).not.toMatch(/display:\s*(flex|grid)|<script|<img|<link/);
      // Gmail cuts a mail after 102 KB.
      expect(html.length).toBeLessThan(40_000);
    },
  );

  it('begins its subject with the state of the incident', () => {
    const subjects = Object.fromEntries(Object.entries(exampleMails()).map(([kind, { subject }]) => [kind, subject]));
    expect(subjects).toMatchObject({
      down: '[Down] Checkout: 503, expected 200–299 · 2 of 3 regions: fra, iad',
      degraded: '[Degraded] Checkout: p95 of 2.4 s over 1 s for 5 min',
      certificate: '[Certificate] Checkout: The certificate expires in 9 days',
      reminder: '[Still down] Checkout: 503, expected 200–299 · 2 of 3 regions: fra, iad',
      'on call': '[On call] Down: Checkout: 503, expected 200–299 · 2 of 3 regions: fra, iad',
      acknowledged: '[Acknowledged] Checkout: Jonas Weber is working on it',
      recovered: '[Resolved] Checkout: up again after 14 min',
      'resolved by hand': '[Resolved] Checkout: resolved after 14 min',
      'manual incident': '[Incident] Orders are late',
      group: '[Down] 30 monitors are down',
      maintenance: '[Maintenance] Planned: Database upgrade',
      'failing channel, to owners': 'The channel #ops-alerts is failing',
    });
  });

  it('shows times in the zone of the reader, and in UTC without one', () => {
    const { facts = [] } = eventMail('incident.opened');
    expect(facts[0]).toEqual({ label: 'Since', value: 'Mon 23 Nov 2026, 03:06:42 CET' });
    const { maintenance } = exampleMails();
    expect(maintenance?.facts?.[0]?.value).toBe('Tue 24 Nov 2026, 02:00:00 – 04:00:00 CET');
    const data = { incident: { id: 'i', type: 'downtime', startedAt: '2026-11-23T02:06:42.000Z' }, monitor: null };
    const message = toMessage(
      'd',
      { type: 'incident.opened', timestamp: data.incident.startedAt, data },
      { id: 'c', type: 'email' },
    );
    expect(alertMail(message).facts?.[0]?.value).toBe('Mon 23 Nov 2026, 02:06:42 UTC');
    expect(alertMail(message, { ...reader, timeZone: 'Asia/Tokyo' }).facts?.[0]?.value).toMatch(/11:06:42 GMT\+9$/);
  });

  it('escapes everything that users and targets write', () => {
    const evil = `</title><script>alert(1)</script>"'&`;
    const incident = { cause: evil, title: evil };
    const { html } = composeMail(eventMail('incident.opened', { monitor: { id: 'm', name: evil } }, incident));
    expect(html).not.toContain('<script');
    expect(count(html, '</title>')).toBe(1);
    expect(shownIn(html)).toContain(evil);
    const names = { ...reader, teamName: evil, channelName: evil };
    const message = toMessage(
      'd',
      { type: 'channel.test', timestamp: '', data: { incident: null, monitor: null } },
      { id: 'c', type: 'email' },
    );
    expect(composeMail(alertMail(message, names)).html).not.toContain('<script');
  });

  it('bounds the texts of targets and names every monitor of a large group', () => {
    const { html } = composeMail(eventMail('incident.opened', {}, { cause: 'x<'.repeat(500_000) }));
    expect(html.length).toBeLessThan(40_000);
    const { facts = [], notes = [] } = groupMail(1_000);
    expect(facts).toHaveLength(15);
    expect(notes.join()).toContain('And 985 more');
    expect(notes.join()).toContain('Mail 999');
  });

  it('shows the texts of a template instead of its own', () => {
    const templates = [{ event: 'incident.opened' as const, subject: 'SEV {{incident.severity}}', body: 'Call 112.' }];
    const data = {
      incident: { id: 'i', type: 'downtime', severity: 'critical' as const, startedAt: '2026-11-23T02:06:42.000Z' },
      monitor: null,
    };
    const payload = { type: 'incident.opened' as const, timestamp: data.incident.startedAt, data };
    const { subject, paragraphs, facts } = alertMail(toMessage('d', payload, { id: 'c', type: 'email', templates }));
    expect({ subject, paragraphs, facts }).toEqual({
      subject: 'SEV critical',
      paragraphs: ['Call 112.'],
      facts: undefined,
    });
  });

  it('follows the color scheme of the mail program', () => {
    const { html } = composeMail(eventMail('incident.opened'));
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });
});
