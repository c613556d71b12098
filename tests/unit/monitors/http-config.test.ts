import { describe, expect, it } from 'vitest';
import { HttpConfig } from '@/server/monitors/schema';

function parse(property: string) {
  const assertions = [{ source: 'json', property, operator: 'exists' }];
  return HttpConfig.safeParse({ url: 'http://example.test/', assertions });
}

describe('a JSON path of an assertion', () => {
  it.each(['$.status', '$..services[?@.name == "a..b..c..d"].up', '$[?match(@.name, "a.*") && count($..*) > 0]'])(
    '%s is taken',
    (path) => expect(parse(path).success).toBe(true),
  );

  it.each([
    ['$[', 'unclosed'],
    ['status', 'such as $.status'],
    ['$.a[?none(@)]', 'such as $.status'],
    ['$..a..b..c', 'more than 2'],
    ['$..a[?count($..*) > 0 && count(@..*) > 0]', 'more than 2'],
  ])('%s is refused where it stands', (path, message) => {
    expect(parse(path).error?.issues).toMatchObject([
      { path: ['assertions', 0, 'property'], message: expect.stringContaining(message) },
    ]);
  });
});
