'use client';

import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { toast } from '@/app/_components/toast/toast';

/** Shown in place of a part that could not be loaded: nothing but a message, each time that it is opened. */
function NotLoaded() {
  useEffect(() => {
    toast.error('A part of this page could not be loaded. Check your connection, and reload the page.');
  }, []);
  return null;
}

/**
 * A part of a page, such as a dialog, whose code is loaded when it is rendered for the first time. The rest of the page goes on meanwhile, and also if
 * the code cannot be loaded, as after a deployment.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotLoaded) }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when its module is loaded
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
