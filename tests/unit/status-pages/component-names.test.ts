import { describe, expect, it } from 'vitest';
import {
  componentNames,
  defaultName,
  namesAddress,
  publicTitle,
} from '@/server/status-pages/components/component-names';

const http = (name: string, target = 'shop.example/health') => ({ name, type: 'http' as const, target });

describe('namesAddress', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['api.shop.example/health', 'api.shop.example/health'],
    ['https://shop.example:8443/', 'shop.example:8443'],
    ['127.0.0.1:4598', '127.0.0.1:4598'],
    ['[2001:db8::7]:443', '[2001:db8::7]:443'],
    ['2001:db8::7', '2001:db8::7'],
    ['localhost', 'localhost'],
    ['db-primary:5432', 'db-primary:5432'],
    ['db-primary', 'db-primary'],
    ['northwind.example MX', 'northwind.example MX'],
    ['Shop (shop.example)', 'shop.example'],
    ['Shop at 10.0.0.7, Berlin', 'shop.example'],
    ['old.shop.example', 'new.shop.example'],
    ['postgres://db/shop', 'db:5432'],
  ])('recognizes %s as an address', (name, target) => expect(namesAddress({ name, target })).toBe(true));

  it.each([
    ['Checkout', 'checkout'],
    ['Shop, search & mail', 'shop.example'],
    ['Mail: sending', 'mail.example:25'],
    ['API (v2)', 'api.example/v2'],
    ['Backup at 03:00', 'pings'],
    ['Zahlung…', 'shop.example'],
    ['API v2.0', 'api.example'],
  ])('recognizes %s as a name', (name, target) => expect(namesAddress({ name, target })).toBe(false));
});

describe('componentNames', () => {
  it('never uses an address as the default', () => {
    expect(defaultName(http('shop.example'))).toBe('Website');
    expect(defaultName({ name: '127.0.0.1:4598', type: 'tcp', target: '127.0.0.1:4598' })).toBe('Service');
    expect(defaultName(http('Checkout'))).toBe('Checkout');
  });

  it('prefers the entered name, and numbers duplicate generic names', () => {
    const monitors = [
      { ...http('a.example'), displayName: null },
      { ...http('Website 2'), displayName: null },
      { ...http('b.example'), displayName: null },
      { ...http('c.example'), displayName: 'Checkout' },
      { ...http('d.example'), displayName: 'status.example' },
    ];
    expect(componentNames(monitors)).toEqual(['Website', 'Website 2', 'Website 3', 'Checkout', 'status.example']);
  });

  it('numbers thousands of the same name in time linear in their number', () => {
    const monitors = Array.from({ length: 10_000 }, (_, index) => ({ ...http(`${index}.example`), displayName: null }));
    const from = process.cpuUsage();
    expect(componentNames(monitors).at(-1)).toBe('Website 10000');
    // Counting from 2 for each takes more than 5 s.
    expect(process.cpuUsage(from).user / 1e6).toBeLessThan(2);
  });
});

describe('publicTitle', () => {
  const monitor = { name: 'shop-1', target: 'shop.example' };
  it.each([
    ['shop-1 is down', 'Checkout is down'],
    ['shop.example is degraded', 'Checkout is degraded'],
    ['Payments fail', 'Payments fail'],
    ['Search is down', 'Search is down'],
  ])('turns "%s" into "%s"', (title, expected) => expect(publicTitle(title, monitor, 'Checkout')).toBe(expected));
});
