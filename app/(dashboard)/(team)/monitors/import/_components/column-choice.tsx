import { Section } from '@/app/_components/page';
import { Select } from '@/app/_components/ui/select';
import { type Columns, type CsvField, csvFields } from '@/server/imports/schema';
import type { Table } from './read-table';

const labels: Record<CsvField, string> = {
  url: 'Address',
  name: 'Name',
  type: 'Type',
  port: 'Port',
  interval: 'Interval',
  timeout: 'Timeout',
  tags: 'Tags',
  expectedStatus: 'Expected status codes',
  method: 'Method',
  keyword: 'Response contains',
  active: 'Active',
};

/** Values of a select cannot be empty. */
const NONE = '-';
const asValue = (column: string) => `=${column}`;

/** Which column of a table has which setting, with an example of each. */
export function ColumnChoice({
  table: { header, example },
  columns,
  onChange,
}: {
  table: Table;
  columns: Columns;
  onChange: (columns: Columns) => void;
}) {
  const options = [
    { value: NONE, label: 'Not in the file' },
    ...header.map((column) => ({ value: asValue(column), label: column })),
  ];
  return (
    <Section title="Columns">
      <p className="mb-2 text-muted">Choose the column of each setting. The example is from the first row.</p>
      <ul className="divide-y border-y">
        {csvFields.map((field) => {
          const column = columns[field] || null;
          return (
            <li
              key={field}
              className="grid items-center gap-x-4 gap-y-1 py-2 sm:grid-cols-[minmax(0,0.8fr)_minmax(0,1fr)_minmax(0,1.2fr)]"
            >
              <span className="font-medium">{labels[field]}</span>
              <Select
                aria-label={`Column of ${labels[field]}`}
                options={options}
                value={column === null ? NONE : asValue(column)}
                onValueChange={(value) => onChange({ ...columns, [field]: value === NONE ? '' : value.slice(1) })}
              />
              <span className="mono truncate text-small text-muted">
                {column === null ? '' : example[header.indexOf(column)]}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
