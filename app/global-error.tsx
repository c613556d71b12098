'use client';

import './globals.css';
import ErrorPage from '@/app/error';

/** Stands in for everything, the root layout included, when that failed. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Could not load this page · Upwatch</title>
        <ErrorPage {...props} />
      </body>
    </html>
  );
}
