import { describe, expect, it } from 'vitest';
import { evaluate } from '@/server/checks/evaluate';
import { HttpConfig, TcpConfig, type TypedConfig } from '@/server/monitors/schema';
import { answer, observation } from './observations';

function http(changes: Record<string, unknown> = {}): TypedConfig {
  return { type: 'http', config: HttpConfig.parse({ url: 'http://example.test/', ...changes }) };
}

const tcp: TypedConfig = { type: 'tcp', config: TcpConfig.parse({ host: 'example.test', port: 25 }) };
const status = (statusCode: number) => observation({ answer: answer({ statusCode }) });

describe('http', () => {
  it.each([
    ['a status in the range', http(), status(204), 'up', null],
    ['a status outside of it', http(), status(503), 'down', 'Expected status 200-299, got 503'],
    ['a status that is named', http({ expectedStatus: ['301', '500-599'] }), status(301), 'up', null],
    ['the end of a range', http({ expectedStatus: ['301', '500-599'] }), status(599), 'up', null],
    [
      'a status of no range',
      http({ expectedStatus: ['301', '500-599'] }),
      status(302),
      'down',
      'Expected status 301, 500-599, got 302',
    ],
    [
      'a status assertion instead of the range',
      http({ assertions: [{ source: 'status', operator: 'equals', value: 503 }] }),
      status(503),
      'up',
      null,
    ],
    [
      'another assertion beside the range',
      http({ assertions: [{ source: 'latency', operator: 'lessThan', value: 1000 }] }),
      status(503),
      'down',
      'Expected status 200-299, got 503',
    ],
    [
      'an assertion that does not hold',
      http({ assertions: [{ source: 'body', operator: 'exists' }] }),
      status(200),
      'down',
      'Expected body to be there',
    ],
    ['as slow as allowed', http({ degradedAfterMs: 42 }), status(200), 'up', null],
    ['slower', http({ degradedAfterMs: 41 }), status(200), 'degraded', 'Answered in 42 ms, more than 41 ms'],
    ['slow and wrong', http({ degradedAfterMs: 41 }), status(500), 'down', 'Expected status 200-299, got 500'],
    [
      'no connection',
      http(),
      observation({ outcome: 'failed', error: 'Connection refused', answer: null }),
      'down',
      'Connection refused',
    ],
    [
      'a check that could not be made',
      http(),
      observation({ outcome: 'unknown', error: 'The network cannot be reached', answer: null }),
      'unknown',
      'The network cannot be reached',
    ],
  ] as const)('%s', (_name, target, seen, verdict, error) => {
    expect(evaluate(target, seen)).toEqual({ status: verdict, error });
  });
});

describe('tcp', () => {
  it('is up where all went well, and down where not', () => {
    expect(evaluate(tcp, observation({ answer: null }))).toEqual({ status: 'up', error: null });
    const refused = observation({ outcome: 'failed', error: 'Connection refused', answer: null });
    expect(evaluate(tcp, refused)).toEqual({ status: 'down', error: 'Connection refused' });
  });
});
