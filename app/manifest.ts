import type { MetadataRoute } from 'next';

/** What a system that installs Upwatch as an app is told (Web Application Manifest). */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/monitors',
    name: 'Upwatch',
    short_name: 'Upwatch',
    description: 'Uptime monitoring that a team trusts with its nights.',
    start_url: '/monitors',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f8f9',
    theme_color: '#075468',
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    ],
  };
}
