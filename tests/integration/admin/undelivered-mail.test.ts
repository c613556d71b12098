import { expect, it } from 'vitest';
import { sendMail } from '@/server/platform/mail';
import { rest, signUp } from '@/tests/support/rest';

it('pages through undelivered mail for administrators, latest first, and denies everybody else', async () => {
  const admin = await signUp();
  const { teamId } = admin;
  const subjects = ['First', 'Second', 'Third'];
  for (const subject of subjects) {
    await sendMail({ to: 'kim@example.test', subject, text: `${subject} text`, teamId });
  }
  const list = (token: string, query: string) => rest('GET', `/admin/mail${query}`, { token });

  const { status, body } = await list(admin.token, '?limit=2');
  expect(status).toBe(200);
  expect(body).toEqual({
    mails: ['Third', 'Second'].map((subject) => ({
      id: expect.any(String),
      to: 'kim@example.test',
      subject,
      text: `${subject} text`,
      createdAt: expect.stringMatching(/Z$/),
    })),
    nextCursor: body.mails[1].id,
  });
  const second = (await list(admin.token, `?limit=2&cursor=${body.nextCursor}`)).body;
  expect([second.mails.map(({ subject }: { subject: string }) => subject), second.nextCursor]).toEqual([
    ['First'],
    null,
  ]);
  expect((await list((await signUp()).token, '')).status).toBe(403);
});
