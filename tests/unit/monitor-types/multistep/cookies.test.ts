import { describe, expect, it } from 'vitest';
import { CookieJar } from '@/server/monitor-types/multistep/cookies';

const shop = new URL('https://shop.test/account/login');

function jarOf(...lines: string[]): { jar: CookieJar; noted: string[] } {
  const noted: string[] = [];
  const jar = new CookieJar((value) => noted.push(value));
  jar.store(shop, lines);
  return { jar, noted };
}

const sent = (jar: CookieJar, url: string) => jar.headerFor(new URL(url));

describe('CookieJar', () => {
  it('sends cookies back to the host that set them, longer paths first', () => {
    const { jar, noted } = jarOf('a=1; Path=/', 'b=2', 'c="x=y"; Path=/account; HttpOnly');
    expect(sent(jar, 'https://shop.test/account/orders')).toBe('b=2; c="x=y"; a=1');
    expect(sent(jar, 'https://shop.test/accounts')).toBe('a=1');
    expect(sent(jar, 'https://eu.shop.test/')).toBeNull();
    expect(noted).toEqual(['1', '2', '"x=y"']);
  });

  it('sends a cookie of a domain to its subdomains, and a secure one over https only', () => {
    const { jar } = jarOf('a=1; Domain=.shop.test; Path=/', 'b=2; Path=/; Secure');
    expect(sent(jar, 'https://eu.shop.test/')).toBe('a=1');
    expect(sent(jar, 'http://shop.test/')).toBe('a=1');
    expect(sent(jar, 'https://othershop.test/')).toBeNull();
  });

  it.each([
    ['another host', 'a=1; Domain=other.test'],
    ['a whole top-level domain', 'a=1; Domain=test'],
    ['no name', '=1'],
    ['no pair', 'a'],
    ['more than 4 KiB', `a=${'x'.repeat(5_000)}`],
  ])('ignores a cookie for %s', (_name, line) => {
    expect(sent(jarOf(line).jar, 'https://shop.test/account/')).toBeNull();
  });

  it.each(['Max-Age=0', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'])('deletes a cookie with %s', (attribute) => {
    const { jar } = jarOf('a=1; Path=/');
    jar.store(shop, [`a=; Path=/; ${attribute}`]);
    expect(sent(jar, 'https://shop.test/')).toBeNull();
  });

  it('replaces a cookie of the same name', () => {
    expect(sent(jarOf('a=1; Path=/', 'a=2; Path=/').jar, 'https://shop.test/')).toBe('a=2');
  });

  it('keeps at most 50 cookies with 16 Ki characters', () => {
    const many = jarOf(...Array.from({ length: 200 }, (_, index) => `c${index}=1`)).jar;
    expect(sent(many, shop.href)?.split('; ')).toHaveLength(50);
    const large = jarOf(...Array.from({ length: 20 }, (_, index) => `c${index}=${'x'.repeat(4_000)}`)).jar;
    expect(sent(large, shop.href)?.length).toBeLessThan(17 * 1024);
  });
});
