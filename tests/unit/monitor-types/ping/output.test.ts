import { describe, expect, it } from 'vitest';
import { parsePing, pingFault } from '@/server/monitor-types/ping/output';

describe('ping output', () => {
  it.each([
    [
      'iputils',
      '3 packets transmitted, 3 received, 0% packet loss, time 411ms\nrtt min/avg/max/mdev = 0.018/0.022/0.031/0.006 ms\n',
      { sent: 3, received: 3, averageMs: 0.022 },
    ],
    [
      'iputils, with errors and duplicates',
      '4 packets transmitted, 1 received, +2 duplicates, +1 errors, 75% packet loss, time 600ms\nrtt min/avg/max/mdev = 1.0/12.5/20/0 ms, pipe 3',
      { sent: 4, received: 1, averageMs: 12.5 },
    ],
    [
      'BusyBox',
      '3 packets transmitted, 2 packets received, 33% packet loss\nround-trip min/avg/max = 0.874/29.903/58.932 ms\n',
      { sent: 3, received: 2, averageMs: 29.903 },
    ],
    [
      'macOS',
      '3 packets transmitted, 3 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 14.1/15.2/16.3/0.9 ms\n',
      { sent: 3, received: 3, averageMs: 15.2 },
    ],
    [
      'no replies',
      '3 packets transmitted, 0 received, 100% packet loss, time 2030ms\n',
      { sent: 3, received: 0, averageMs: null },
    ],
    ['none', 'ping: bad number', null],
  ])('%s', (_name, output, summary) => {
    expect(parsePing(output)).toEqual(summary);
  });
});

describe('ping start errors', () => {
  it.each([
    [
      127,
      "env: 'ping': No such file or directory",
      'The ping command is not installed on the machine that runs the check',
    ],
    [126, "env: 'ping': Permission denied", 'ping may not run here'],
    [1, 'ping: permission denied (are you root?)', /lacks the right to open ICMP sockets$/],
    [2, 'ping: socktype: SOCK_RAW\nping: socket: Operation not permitted', /lacks the right to open ICMP sockets$/],
    [2, 'ping: connect: Network is unreachable', 'This machine has no route to that network'],
    [1, 'ping: invalid option -- i\nUsage: ping', 'ping of this machine does not know the options it was given'],
    [3, 'something odd\nand more', 'ping could not be run: something odd'],
    [null, '', 'ping could not be run'],
  ])('%s %s', (code, stderr, cause) => {
    expect(pingFault(code, stderr)).toMatch(cause);
  });
});
