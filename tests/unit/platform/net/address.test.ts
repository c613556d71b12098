import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '@/server/platform/net';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '169.253.0.1',
  '192.167.0.1',
  '198.17.255.255',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::808:808',
  '2002:808:808::1',
];

const PRIVATE: Record<string, string[]> = {
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'unique-local and metadata': ['fc00::1', 'fd00:ec2::254', 'fdff::1'],
  'site-local': ['fec0::1'],
  shared: ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.192', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:c0a8:1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:c0a8:101::1'],
  Teredo: ['2001:0:7f00:1::', '2001:0:808:808:0:0:80ff:fffe', '2001:0:808:808:0:0:5601:5601'],
  'outside of 2000::/3': ['4000::1', '5f00::1', '100::1', '1::1', 'e000::1'],
  'of a cloud': ['168.63.129.16'],
  'no address': [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '[::1]',
    ' 8.8.8.8',
  ],
};

describe('isPublicAddress', () => {
  it.each(PUBLIC)('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  describe.each(Object.entries(PRIVATE))('%s', (_kind, addresses) => {
    it.each(addresses)('rejects "%s"', (address) => {
      expect(isPublicAddress(address)).toBe(false);
    });
  });
});
