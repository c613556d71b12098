import { describe, expect, it } from 'vitest';
import { readUrls } from '@/app/(dashboard)/(team)/monitors/new/urls/_components/read-urls';

describe('readUrls', () => {
  it('completes addresses and suggests names', () => {
    expect(readUrls('https://www.shop.example/\n\n  blog.example/feed  \r\n127.0.0.1:8080')).toEqual({
      monitors: [
        { url: 'https://www.shop.example/', name: 'shop.example' },
        { url: 'https://blog.example/feed', name: 'blog.example/feed' },
        { url: 'http://127.0.0.1:8080', name: '127.0.0.1:8080' },
      ],
      skipped: [],
    });
  });

  it('skips repetitions and what is no URL, and says why', () => {
    const list = readUrls(
      'https://shop.example\nHTTPS://Shop.example/\nftp://shop.example\nhttps://a:b@shop.example\n:::\nhttps://shop.example/not a url',
    );
    expect(list).toEqual({
      monitors: [{ url: 'https://shop.example', name: 'shop.example' }],
      skipped: [
        { text: 'HTTPS://Shop.example/', reason: 'It is in the list twice.' },
        { text: 'ftp://shop.example', reason: expect.stringMatching(/./) },
        { text: 'https://a:b@shop.example', reason: 'Enter the username and password under auth, not in the URL.' },
        { text: ':::', reason: expect.stringMatching(/./) },
        { text: 'https://shop.example/not a url', reason: 'This is not a URL.' },
      ],
    });
  });

  it('refuses an empty list, one that is too long, and one with too many characters', () => {
    expect(readUrls(' \n ')).toEqual({ fault: 'Enter at least one URL.' });
    const many = Array.from({ length: 51 }, (_, at) => `https://${at}.example`).join('\n');
    expect(readUrls(many)).toEqual({ fault: 'Enter at most 50 URLs at once; these are 51.' });
    expect(readUrls('a'.repeat(100_001))).toEqual({ fault: 'The list is longer than 100,000 characters.' });
  });
});
