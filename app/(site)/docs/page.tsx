import type { Metadata } from 'next';
import Link from 'next/link';
import { Brand } from '@/app/_components/shell/brand';
import { Reference } from './_components/reference';
import './reference.css';

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Reference of the Upwatch API with examples for curl and JavaScript.',
};

const document = '/api/v1/openapi.json';

/** The API reference, rendered from the OpenAPI document. */
export default function DocsPage() {
  return (
    <div className="reference-page">
      <header className="flex items-center gap-4 border-border border-b bg-surface px-4">
        <Link href="/" aria-label="Upwatch">
          <Brand />
        </Link>
        <h1 className="whitespace-nowrap text-muted max-sm:text-lead">API reference</h1>
        <a className="ml-auto text-accent-fg" href={document}>
          OpenAPI <span className="max-sm:hidden">document</span>
        </a>
      </header>
      {/* The viewer has its own main element. */}
      <div className="min-h-0 overflow-hidden">
        <noscript>
          <p className="p-4">
            This page needs JavaScript. The same content is in the <a href={document}>OpenAPI document</a>.
          </p>
        </noscript>
        <Reference document={document} />
      </div>
    </div>
  );
}
