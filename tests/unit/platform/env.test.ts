import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnvError, parseEnv, unknownVariables } from '@/server/platform/env';

const s3 = { S3_BUCKET: 'objects', S3_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test',
  STRIPE_WEBHOOK_SECRET: 'whsec',
  STRIPE_PRICE_PRO: 'price_1',
  STRIPE_PRICE_BUSINESS: 'price_2',
};

describe('parseEnv', () => {
  it('requires no variable and has a default for every required value', () => {
    expect(parseEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      appUrl: 'http://127.0.0.1:3000',
      signups: 'open',
      allowPrivateTargets: false,
      dataDir: path.resolve('.data'),
      trustedProxies: [],
      region: 'default',
      workerConcurrency: 200,
      mailFrom: 'Upwatch <upwatch@localhost>',
      lineApiBaseUrl: 'https://api.line.me',
      development: false,
      logLevel: 'info',
      requestLog: true,
      dnsServers: [],
      egressCanaries: [
        { host: '1.1.1.1', port: 443 },
        { host: '8.8.8.8', port: 443 },
        { host: '9.9.9.9', port: 443 },
      ],
      rdapBootstrapUrl: 'https://data.iana.org/rdap/dns.json',
      rawRetentionDays: 14,
      rateLimitPerMinute: 600,
      authRateLimitPerMinute: 20,
      pageRateLimitPerMinute: 600,
      mailPerTeamPerDay: 200,
      mailPerAddressPerDay: 10,
    });
  });

  it('parses egress check targets, or none', () => {
    const list = ' a.example:53, [2606:4700::1111]:443';
    expect(parseEnv({ EGRESS_CANARIES: list }).egressCanaries).toEqual([
      { host: 'a.example', port: 53 },
      { host: '2606:4700::1111', port: 443 },
    ]);
    expect(parseEnv({ EGRESS_CANARIES: 'off' }).egressCanaries).toEqual([]);
  });

  it('parses name servers with and without a port', () => {
    const list = '192.0.2.53, [2001:db8::53]:5353';
    expect(parseEnv({ DNS_SERVERS: list }).dnsServers).toEqual(['192.0.2.53', '[2001:db8::53]:5353']);
  });

  it('treats an empty value as unset', () => {
    expect(parseEnv({ PORT: '', DATABASE_URL: ' ', SMTP_URL: '', S3_BUCKET: '', STRIPE_API_BASE: '' })).toEqual(
      parseEnv({}),
    );
  });

  it.each([
    ['?sslmode=require', '?sslmode=verify-full'],
    ['?connect_timeout=5&sslmode=prefer', '?connect_timeout=5&sslmode=verify-full'],
    ['?sslmode=verify-ca', '?sslmode=verify-full'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
    ['', ''],
  ])("spells out the driver's defaults for DATABASE_URL%s", (given, meant) => {
    const url = 'postgresql://me:p%40ss%2Fw@db.example:6432/up%20watch';
    expect(parseEnv({ DATABASE_URL: url + given }).databaseUrl).toBe(url + meant);
  });

  it('accepts several hosts in DATABASE_URL, as libpq does', () => {
    const url = 'postgresql://me:p%40ss@one.example:6432,[2001:db8::1],three/up?target_session_attrs=read-write';
    expect(parseEnv({ DATABASE_URL: `${url}&sslmode=require` }).databaseUrl).toBe(`${url}&sslmode=verify-full`);
  });

  it('ignores variables of other programs', () => {
    expect(parseEnv({ PATH: '/bin', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', S3_FORCE: 'x' })).toEqual(
      parseEnv({}),
    );
  });

  it.each([
    [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://127.0.0.1:8080'],
    [{ HOST: '::' }, 'http://127.0.0.1:3000'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ HOST: 'status.internal' }, 'http://status.internal:3000'],
    [{ APP_URL: 'https://Up.Example.com/' }, 'https://up.example.com'],
    [{ APP_URL: 'https://up.example.com:8443' }, 'https://up.example.com:8443'],
  ])('derives from %o the URL %s', (source, appUrl) => {
    expect(parseEnv(source).appUrl).toBe(appUrl);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('parses ALLOW_PRIVATE_TARGETS=%s', (value, expected) => {
    expect(parseEnv({ ALLOW_PRIVATE_TARGETS: value }).allowPrivateTargets).toBe(expected);
  });

  it('parses the groups', () => {
    const env = parseEnv({
      ...s3,
      ...stripe,
      UPSTASH_REDIS_REST_URL: 'https://r.example',
      UPSTASH_REDIS_REST_TOKEN: 't',
    });
    expect(env.upstash).toEqual({ url: 'https://r.example', token: 't' });
    expect(env.s3).toEqual({ bucket: 'objects', region: 'eu-west-1', accessKeyId: 'id', secretAccessKey: 'secret' });
    expect(env.stripe).toEqual({
      secretKey: 'sk_test',
      webhookSecret: 'whsec',
      pricePro: 'price_1',
      priceBusiness: 'price_2',
    });
  });

  it('requires no region for a service of its own', () => {
    const { S3_REGION: _, ...rest } = s3;
    expect(parseEnv({ ...rest, S3_ENDPOINT: 'http://127.0.0.1:9000' }).s3?.region).toBe('us-east-1');
  });

  const wrong: [string, Record<string, string>][] = [
    ['PORT', { PORT: 'abc' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '3000.5' }],
    ['PORT', { PORT: '-1' }],
    ['HOST', { HOST: '127.0.0.1:3000' }],
    ['HOST', { HOST: 'http://x' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:pw@localhost/db' }],
    ['DATABASE_URL', { DATABASE_URL: 'nonsense' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://one:5432,two:many/up' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgresql://one,two/up?target_session_attrs=any' }],
    ['APP_URL', { APP_URL: 'up.example.com' }],
    ['APP_URL', { APP_URL: 'https://example.com/up' }],
    ['APP_URL', { APP_URL: 'javascript:alert(1)' }],
    ['APP_SECRET', { APP_SECRET: 'short' }],
    ['APP_SECRET_PREVIOUS', { APP_SECRET_PREVIOUS: 'short' }],
    ['SIGNUPS', { SIGNUPS: 'closed' }],
    ['ALLOW_PRIVATE_TARGETS', { ALLOW_PRIVATE_TARGETS: 'yes please' }],
    ['DEFAULT_PLAN', { DEFAULT_PLAN: 'gold' }],
    ['REGION', { REGION: 'EU West' }],
    ['WORKER_CONCURRENCY', { WORKER_CONCURRENCY: '0' }],
    ['EGRESS_CANARIES', { EGRESS_CANARIES: '1.1.1.1' }],
    ['EGRESS_CANARIES', { EGRESS_CANARIES: 'a.example:443,b.example:70000' }],
    ['DNS_SERVERS', { DNS_SERVERS: 'dns.example' }],
    ['DNS_SERVERS', { DNS_SERVERS: '192.0.2.53,' }],
    ['SMTP_URL', { SMTP_URL: 'http://mail.example' }],
    ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
    ['MAIL_FROM', { MAIL_FROM: 'A <a@b.example>\r\nBcc: <c@d.example>' }],
    ['LINE_API_BASE_URL', { LINE_API_BASE_URL: 'ftp://line' }],
    ['CHANNEL_API_GATEWAY', { CHANNEL_API_GATEWAY: 'gateway.example' }],
    ['UPSTASH_REDIS_REST_TOKEN', { UPSTASH_REDIS_REST_URL: 'https://r.example' }],
    ['UPSTASH_REDIS_REST_URL', { UPSTASH_REDIS_REST_TOKEN: 't' }],
    ['UPSTASH_REDIS_REST_URL', { UPSTASH_REDIS_REST_URL: 'redis://r.example', UPSTASH_REDIS_REST_TOKEN: 't' }],
    ['S3_BUCKET', { S3_ENDPOINT: 'https://s3.example' }],
    ['S3_BUCKET', { ...s3, S3_BUCKET: 'Not/A/Bucket' }],
    ['S3_REGION', { ...s3, S3_REGION: '' }],
    ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: 's3.example' }],
    ['AWS_SECRET_ACCESS_KEY', { ...s3, AWS_SECRET_ACCESS_KEY: '' }],
    ['STRIPE_WEBHOOK_SECRET', { ...stripe, STRIPE_WEBHOOK_SECRET: '' }],
    ['STRIPE_PRICE_BUSINESS', { ...stripe, STRIPE_PRICE_BUSINESS: '' }],
    ['STRIPE_SECRET_KEY', { STRIPE_API_BASE: 'http://127.0.0.1:12111' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['RDAP_BOOTSTRAP_URL', { RDAP_BOOTSTRAP_URL: 'data.iana.org' }],
    ['RAW_RETENTION_DAYS', { RAW_RETENTION_DAYS: '0' }],
    ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: 'many' }],
    ['MAIL_PER_TEAM_PER_DAY', { MAIL_PER_TEAM_PER_DAY: '1.5' }],
    ['MAIL_PER_ADDRESS_PER_DAY', { MAIL_PER_ADDRESS_PER_DAY: '-1' }],
    ['AUTH_RATE_LIMIT_PER_MINUTE', { AUTH_RATE_LIMIT_PER_MINUTE: '-5' }],
    ['PAGE_RATE_LIMIT_PER_MINUTE', { PAGE_RATE_LIMIT_PER_MINUTE: '1.5' }],
  ];

  /** The message of the error that parsing throws. */
  function errorOf(source: Record<string, string>): EnvError {
    try {
      parseEnv(source);
    } catch (error) {
      if (error instanceof EnvError) return error;
    }
    throw new Error('These variables were accepted.');
  }

  it.each(wrong)('reports %s in one line for %o', (name, source) => {
    expect(errorOf(source).message).toMatch(new RegExp(`^${name} must [^\\n]+\\.$`));
  });

  it('reports every invalid value and every missing variable in one line', () => {
    const failure = errorOf({ PORT: 'abc', SIGNUPS: 'closed', S3_ENDPOINT: 's3.example', S3_BUCKET: 'objects' });
    expect(failure.message.split(/(?<=\.) /)).toEqual([
      'PORT must be a whole number from 1 to 65535.',
      'SIGNUPS must be one of open, invite.',
      'S3_ENDPOINT must be an http:// or https:// address.',
      'AWS_ACCESS_KEY_ID must be set too, because S3_BUCKET is.',
      'AWS_SECRET_ACCESS_KEY must be set too, because S3_BUCKET is.',
    ]);
  });

  it('names an unknown variable beside a wrong value', () => {
    expect(errorOf({ PORT: 'abc', SIGNUP: 'invite' }).message).toBe(
      'PORT must be a whole number from 1 to 65535. SIGNUP is no setting of Upwatch and changes nothing. Did you mean SIGNUPS?',
    );
  });

  it.each(wrong)('never prints the value of %s, which may be a secret, for %o', (_name, source) => {
    const { message } = errorOf(source);
    const values = Object.values(source).filter((value) => value.length > 3);
    expect(values.filter((value) => message.includes(value))).toEqual([]);
  });

  it('allows turning limits off', () => {
    const off = { RATE_LIMIT_PER_MINUTE: '0', AUTH_RATE_LIMIT_PER_MINUTE: '0', PAGE_RATE_LIMIT_PER_MINUTE: '0' };
    const env = parseEnv(off);
    expect([env.rateLimitPerMinute, env.authRateLimitPerMinute, env.pageRateLimitPerMinute]).toEqual([0, 0, 0]);
  });
});

describe('unknownVariables', () => {
  it.each([
    ['SIGNUP', 'SIGNUPS'],
    ['Signups', 'SIGNUPS'],
    ['UPWATCH_PORT', 'PORT'],
    ['UPWATCH_SIGNUP', 'SIGNUPS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
    ['SMTP_URI', 'SMTP_URL'],
  ])('suggests for %s the setting %s', (name, meant) => {
    expect(unknownVariables({ [name]: 'x', SIGNUPS: 'open' })).toEqual([{ name, meant }]);
  });

  it('ignores variables of other programs, and empty ones', () => {
    const others = [
      'HOME',
      'PATH',
      'USER',
      'SHELL',
      'LANG',
      'TERM',
      'PWD',
      'HOSTNAME',
      'LOGNAME',
      'NODE_OPTIONS',
      'TZ',
    ];
    const source = Object.fromEntries(
      [...others, 'AWS_REGION', 'AWS_PROFILE', 'npm_config_cache'].map((name) => [name, 'x']),
    );
    expect(unknownVariables({ ...source, SIGNUP: '' })).toEqual([]);
  });
});
