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
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'nodemailer', 'ws'],
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
