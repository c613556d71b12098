'use client';

import { createElement, useEffect, useState } from 'react';
import { Failed } from '@/app/_components/failed';
import { Loading, Skeleton } from '@/app/_components/ui/skeleton';

type State = 'loading' | 'ready' | 'failed';

/** The API viewer, a custom element of the package openapi-explorer. Loaded after the page. */
export function Reference({ document }: { document: string }) {
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    import('openapi-explorer').then(
      () => setState('ready'),
      () => setState('failed'),
    );
  }, []);
  if (state === 'failed') {
    return (
      <Failed title="Could not load the API reference" className="m-4">
        You can still open the OpenAPI document.
      </Failed>
    );
  }
  if (state === 'loading') {
    return (
      <Loading label="Loading the API reference" className="grid gap-3 p-6">
        <Skeleton className="w-48" />
        <Skeleton className="w-80" />
      </Loading>
    );
  }
  // Colors come from reference.css, except these two, which the element requires as hexadecimal values.
  return createElement('openapi-explorer', {
    'spec-url': document,
    'server-url': window.location.origin,
    'hide-server-selection': 'true',
    'primary-color': '#075468',
    'secondary-color': '#075468',
    'default-schema-tab': 'body',
  });
}
