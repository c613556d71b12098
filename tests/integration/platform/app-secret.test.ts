import { afterEach, describe, expect, it } from 'vitest';
import { keyIdOf } from '@/server/platform/crypto';
import { AppSecretError, assertFits, claimSecret, readFingerprint } from '@/server/platform/database/app-secret';
import { db } from '@/server/platform/db';
import { extraDatabase, testDatabase } from '@/tests/support/database';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `the ${name} secret of this test`) as [
  string,
  string,
  string,
];
const url = testDatabase();

afterEach(() => db.appSecret.deleteMany());

describe('claimSecret', () => {
  it('accepts one of many secrets that claim an empty database at once', async () => {
    const secrets = Array.from({ length: 8 }, (_, index) => `secret number ${index} of this test`);
    const claims = await Promise.allSettled(secrets.map((secret) => claimSecret(url, { present: secret })));
    const winners = secrets.filter((_, index) => claims[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await readFingerprint(url)).toBe(keyIdOf(winners[0] ?? ''));
  });

  it('rejects another secret in one line that names APP_SECRET and shows neither', async () => {
    await claimSecret(url, { present: FIRST });
    await claimSecret(url, { present: FIRST });
    const failure = await claimSecret(url, { present: SECOND }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppSecretError);
    expect(String(failure)).toMatch(
      /^AppSecretError: APP_SECRET is not the secret that this database was set up with: set .*$/,
    );
    expect(String(failure)).not.toContain('secret of this test');
    expect(() => assertFits(keyIdOf(FIRST), { present: SECOND })).toThrow(AppSecretError);
    expect(await readFingerprint(url)).toBe(keyIdOf(FIRST));
  });

  it('rotates from the previous secret, after which the previous one alone is rejected', async () => {
    await claimSecret(url, { present: FIRST });
    await expect(claimSecret(url, { present: SECOND, previous: THIRD })).rejects.toBeInstanceOf(AppSecretError);
    await Promise.all([
      claimSecret(url, { present: SECOND, previous: FIRST }),
      claimSecret(url, { present: SECOND, previous: FIRST }),
    ]);
    await expect(claimSecret(url, { present: FIRST })).rejects.toBeInstanceOf(AppSecretError);
    await claimSecret(url, { present: SECOND });
    expect(() => assertFits(keyIdOf(FIRST), { present: SECOND, previous: FIRST })).not.toThrow();
  });
});

it('reads no fingerprint from a database that is not migrated', async () => {
  const { url: empty, drop } = await extraDatabase({ migrated: false });
  try {
    expect(await readFingerprint(empty)).toBeNull();
  } finally {
    await drop();
  }
});
