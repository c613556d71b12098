import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import type { MonitorFields } from './monitor-fields';

/** Fills in a name from the target until the person enters one. */
export function useSuggestedName(name: string, wanted: boolean) {
  const { setValue, formState } = useFormContext<MonitorFields>();
  const isNamed = formState.dirtyFields.name === true;
  useEffect(() => {
    if (wanted && !isNamed) setValue('name', name.slice(0, 120));
  }, [wanted, isNamed, name, setValue]);
}
