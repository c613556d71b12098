import { describe, expect, it } from 'vitest';
import { assertCertificates } from '@/server/monitor-types/config/assert-certificates';
import { maskConfig, sealConfig } from '@/server/monitor-types/config/config-secrets';
import { HttpConfig, TcpConfig } from '@/server/monitor-types/schema';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';

const { cert, key } = selfSignedCertificate;
const url = 'https://shop.example/';
const own = { clientCertificate: cert, clientKey: key };
const unreadable = '-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----';

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
    expect(() => sealConfig(elsewhere, sealed)).toThrow('Enter this secret again');
  });
});
