import './globals.css';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { themeCookie, toTheme } from '@/app/_components/theme';
import { RenderedAtProvider } from '@/app/_components/time/time';
import { VisitedZoneProvider } from '@/app/_components/time/time-zone';
import { toTimeZone, zoneCookie } from '@/app/_components/time/zone-cookie';
import { Toaster } from '@/app/_components/toast/toaster';
import { TrpcProvider } from '@/app/_trpc/provider';

export const metadata: Metadata = {
  title: { default: 'Upwatch', template: '%s · Upwatch' },
  description: 'Uptime monitoring, alerts and status pages for teams.',
  icons: { icon: '/icon.svg', apple: '/icon-192.png' },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, viewportFit: 'cover' };

/** The root layout: fonts, theme (from a cookie, to avoid a flash), API client and toasts. */
export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const choices = await cookies();
  const theme = toTheme(choices.get(themeCookie)?.value);
  const zone = toTimeZone(choices.get(zoneCookie)?.value);
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-theme={theme === 'system' ? undefined : theme}
      suppressHydrationWarning
    >
      <body>
        <RenderedAtProvider value={Date.now()}>
          <VisitedZoneProvider value={zone}>
            <TrpcProvider>
              {children}
              <Toaster />
            </TrpcProvider>
          </VisitedZoneProvider>
        </RenderedAtProvider>
      </body>
    </html>
  );
}
