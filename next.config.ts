import type { NextConfig } from 'next';

const development = process.env.NODE_ENV === 'development';

// Next writes its start-up data into inline scripts, so those stay allowed; everything else comes from here.
const policy = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${development ? " 'unsafe-eval'" : ''}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  // `npm run check` checks the types, of the tests too; a start needs only what it runs.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'nodemailer', 'ws'],
  headers: async () => [
    // Public status pages have a stricter policy, from proxy.ts and their route handlers.
    { source: '/((?!status/).*)', headers: [{ key: 'content-security-policy', value: policy }] },
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
  rewrites: async () => ({
    // What a page itself finds missing is drawn by scripts alone; what no page has for an address needs none.
    beforeFiles: [
      {
        source: '/status/:slug',
        has: [{ type: 'header', key: 'x-upwatch-found', value: 'false' }],
        destination: '/status/:slug/not/found',
      },
    ],
  }),
  redirects: async () => [{ source: '/dashboard', destination: '/monitors', permanent: false }],
};

export default config;
