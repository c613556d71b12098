import { MonitorStatus } from '@/server/monitor-types/schema';

/** The list's filters, stored in the URL. */
export interface Filters {
  status: MonitorStatus | null;
  search: string;
}

/** Reads the filters from search parameters; ignores invalid values. */
export function readFilters(get: (name: string) => string | null): Filters {
  const status = MonitorStatus.safeParse(get('status'));
  return { status: status.success ? status.data : null, search: (get('q') ?? '').slice(0, 200).trim() };
}

export function overviewInput({ status, search }: Filters) {
  return { limit: 100, ...(status && { status }), ...(search && { search }) };
}

/** The search parameters of the filters, without a question mark. */
export function filtersToQuery({ status, search }: Filters): string {
  const query = new URLSearchParams();
  if (status) query.set('status', status);
  if (search) query.set('q', search);
  return query.toString();
}
