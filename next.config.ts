import type { NextConfig } from 'next';

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true },
  serverExternalPackages: ['@node-rs/argon2', 'pg', 'pino', 'nodemailer'],
};

export default config;
