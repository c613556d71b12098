// @ts-check
// For everything but pages: no inline scripts. Pages get a policy with a nonce from proxy.ts.
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @type {import('next').NextConfig} */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  // `npm run check` checks the types, of the tests too; a start needs only what it runs.
  typescript: { ignoreBuildErrors: true },
  // Loaded once from node_modules: bundled, pages and route handlers would each keep their own copies in memory.
  serverExternalPackages: [
    '@modelcontextprotocol/server',
    '@node-rs/argon2',
    '@prisma/adapter-pg',
    '@prisma/client',
    '@trpc/server',
    '@upstash/redis',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    'croner',
    'dns-packet',
    'nodemailer',
    'pg',
    'pino',
    'stripe',
    'web-push',
    'ws',
    'zod',
  ],
  headers: async () => [
    { source: '/:path*', headers: [{ key: 'content-security-policy', value: policy }] },
    {
      source: '/:path*',
      headers: [
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'referrer-policy', value: 'same-origin' },
        { key: 'x-frame-options', value: 'DENY' },
        { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=()' },
      ],
    },
  ],
  redirects: async () => [{ source: '/dashboard', destination: '/monitors', permanent: false }],
};

export default config;
