'use client';

import './globals.css';
import ErrorPage from '@/app/error';

/** Replaces the whole document if the root layout fails. */
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
