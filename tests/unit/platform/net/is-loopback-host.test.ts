import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '@/server/platform/net';

const hostname = (url: string) => new URL(url).hostname;

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'up.localhost',
    'localhost.',
    '127.0.0.1',
    '127.1',
    '127.9.8.7',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('accepts %s', (host) => expect(isLoopbackHost(hostname(`http://${host}:3000`))).toBe(true));

  it.each(['up.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '0.0.0.0', '[::2]', '[::]'])(
    'rejects %s',
    (host) => expect(isLoopbackHost(hostname(`https://${host}`))).toBe(false),
  );
});
