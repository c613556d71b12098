import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { assertCertificates } from '@/server/monitor-types/config/assert-certificates';
import { maskConfig, sealConfig } from '@/server/monitor-types/config/config-secrets';
import { HttpConfig, TcpConfig } from '@/server/monitor-types/schema';
import { readClientKey } from '@/server/platform/client-key';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';
import { dsaKey, unbalancedRsaKey } from '@/tests/support/costly-keys';

const { cert, key } = selfSignedCertificate;
const url = 'https://shop.example/';
const own = { clientCertificate: cert, clientKey: key };
const unreadable = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----';

function pemOfNew(type: 'rsa' | 'ec' | 'ed25519' | 'x25519' | 'rsa-pss', options: object): string {
  const generate = generateKeyPairSync as (
    type: string,
    options: object,
  ) => { privateKey: ReturnType<typeof createPrivateKey> };
  return String(generate(type, options).privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

describe('the private key of a client certificate', () => {
  it.each([
    ['rsa', { modulusLength: 2_048 }],
    ['ec', { namedCurve: 'P-256' }],
    ['ec', { namedCurve: 'P-384' }],
    ['ec', { namedCurve: 'P-521' }],
    ['ed25519', {}],
  ] as const)('can be %s %o', (type, options) => {
    expect(readClientKey(pemOfNew(type, options))?.asymmetricKeyType).toBe(type);
  });

  it('can have the form of its own algorithm', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(readClientKey(String(privateKey.export({ type: 'pkcs1', format: 'pem' })))?.asymmetricKeyType).toBe('rsa');
    const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(readClientKey(String(ec.export({ type: 'sec1', format: 'pem' })))?.asymmetricKeyType).toBe('ec');
  });

  it.each([
    ['ec', { namedCurve: 'secp256k1' }],
    ['rsa', { modulusLength: 4_104 }],
    ['rsa-pss', { modulusLength: 2_048 }],
    ['x25519', {}],
  ] as const)('cannot be %s %o', (type, options) => {
    expect(readClientKey(pemOfNew(type, options))).toBeNull();
  });

  it('cannot have a prime that is longer than its modulus requires', () => {
    expect(readClientKey(unbalancedRsaKey(128))?.asymmetricKeyType).toBe('rsa');
    const long = unbalancedRsaKey(3_000);
    expect(createPrivateKey(long).asymmetricKeyType).toBe('rsa');
    expect(readClientKey(long)).toBeNull();
  });

  it('cannot be DSA, which is not even read, because that could take hours', () => {
    // OpenSSL reads a short one.
    const short = dsaKey(64, 8);
    expect(createPrivateKey(short).asymmetricKeyType).toBe('dsa');
    for (const label of ['', 'RSA ', 'EC ']) {
      expect(readClientKey(short.replaceAll('PRIVATE KEY', `${label}PRIVATE KEY`))).toBeNull();
    }
    const cpu = process.cpuUsage();
    for (let count = 0; count < 100; count += 1) {
      expect(() => assertCertificates({ ...own, clientKey: dsaKey(2_000, 1_000) })).toThrow('Enter an RSA key');
    }
    // One of them takes OpenSSL longer than these hundred.
    const many = process.cpuUsage(cpu).user;
    const one = process.cpuUsage();
    createPrivateKey(dsaKey(2_000, 1_000));
    expect(process.cpuUsage(one).user).toBeGreaterThan(many / 100);
  });
});

describe('certificates of a config', () => {
  it.each([
    ['one authority', { caCertificate: cert }],
    ['several authorities', { caCertificate: `${cert}\n${trustedCertificate.cert}\n` }],
    ['a client certificate with its key', own],
    ['a stored key', { clientCertificate: cert, clientKey: '••••----' }],
    ['none', {}],
  ])('accept %s', (_what, config) => {
    expect(HttpConfig.safeParse({ url, ...config }).error).toBeUndefined();
    expect(() => assertCertificates(config)).not.toThrow();
  });

  it.each([
    ['an authority that cannot be read', { caCertificate: unreadable }, 'config.caCertificate'],
    ['an authority of which the second cannot be read', { caCertificate: cert + unreadable }, 'config.caCertificate'],
    ['a client certificate that cannot be read', { ...own, clientCertificate: unreadable }, 'config.clientCertificate'],
    ['the key of another certificate', { ...own, clientKey: trustedCertificate.key }, 'config.clientKey'],
  ])('reject %s', (_what, config, path) => {
    expect(HttpConfig.safeParse({ url, ...config }).error).toBeUndefined();
    expect(() => assertCertificates(config)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', issues: [expect.objectContaining({ path })] }),
    );
  });

  it.each([
    ['caCertificate', { caCertificate: 'shop.example' }],
    ['caCertificate', { caCertificate: key }],
    ['caCertificate', { caCertificate: Array.from({ length: 60 }, () => cert).join('\n') }],
    ['clientKey', { clientCertificate: cert }],
    ['clientCertificate', { clientKey: key }],
    ['clientKey', { ...own, clientKey: key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE') }],
    ['certificatePin', { certificatePin: 'ab:cd' }],
    ['certificatePin', { certificatePin: 'ab'.repeat(32), url: 'http://shop.example/' }],
    ['clientCertificate', { ...own, url: 'http://shop.example/' }],
  ])('have a schema that rejects %s %#', (field, config) => {
    const { error } = HttpConfig.safeParse({ url, ...config });
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });

  it('are checked in linear time', () => {
    const started = performance.now();
    const text = `-----BEGIN CERTIFICATE-----${'A \n'.repeat(10_000)}`;
    expect(TcpConfig.safeParse({ host: 'a.test', port: 1, caCertificate: text }).success).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('have a key that is stored encrypted and shown as its mask', () => {
    const sealed = sealConfig({ type: 'http', config: HttpConfig.parse({ url, ...own }) });
    expect(JSON.stringify(sealed)).not.toContain(key.split('\n')[1]);
    const shown = maskConfig('http', sealed);
    expect(shown).toMatchObject({ clientCertificate: cert, clientKey: '••••----' });
    const again = { type: 'http' as const, config: HttpConfig.parse(shown) };
    expect(sealConfig(again, sealed)).toMatchObject({ clientKey: sealed.clientKey });
    const elsewhere = { ...again, config: { ...again.config, url: 'https://evil.example/' } };
    expect(() => sealConfig(elsewhere, sealed)).toThrow('Enter the private key again');
    const renewed = { ...again, config: { ...again.config, clientCertificate: trustedCertificate.cert } };
    expect(() => sealConfig(renewed, sealed)).toThrow('Enter the private key again');
  });
});
