import type { IncidentFilter } from '@/app/_components/incidents/incident-list';

export type Show = 'all' | 'open' | 'resolved';

export const shows: { value: Show; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
];

/** The filter in the URL; all incidents by default. */
export function readShow(value: string | string[] | null | undefined): Show {
  return shows.find((each) => each.value === value)?.value ?? 'all';
}

/** The input of the API call. */
export function filterOf(show: Show): IncidentFilter {
  switch (show) {
    case 'all':
      return {};
    case 'open':
      return { status: 'unresolved' };
    case 'resolved':
      return { status: 'resolved' };
    default:
      return show satisfies never;
  }
}
