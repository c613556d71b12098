import { cn } from '@/app/_components/cn';

const shapes = {
  arrow: <path d="M3 8h10M9 4l4 4-4 4" />,
  channels: <path d="M14 2 7.2 8.8M14 2 9.8 14l-2.6-5.2L2 6.2 14 2Z" />,
  chat: <path d="M2.5 3h11v8H7l-3 2.5V11H2.5V3Z" />,
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.2" />
      <path d="M10.5 5.5v-3h-8v8h3" />
    </>
  ),
  'chevron-down': <path d="m4 6 4 4 4-4" />,
  download: <path d="M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10" />,
  edit: <path d="m9.8 3.6 2.6 2.6M2.5 13.5l.6-3.1 7.9-7.9a1 1 0 0 1 1.4 0l1.1 1.1a1 1 0 0 1 0 1.4l-7.9 7.9-3.1.6Z" />,
  eye: (
    <>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
  filter: <path d="M2 4h12M4.5 8h7M6.5 12h3" />,
  hook: (
    <>
      <circle cx="8" cy="4" r="2" />
      <circle cx="3.8" cy="11.5" r="2" />
      <circle cx="12.2" cy="11.5" r="2" />
      <path d="m7 5.8-2.2 4M9 5.8l2.2 4M5.8 11.5h4.4" />
    </>
  ),
  incidents: <path d="M3 14V2.5M3 3h9.5l-2 3.25 2 3.25H3" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.8" />
      <path d="m7 9 6.5-6.5M11 5l2 2" />
    </>
  ),
  mail: (
    <>
      <rect x="1.75" y="3" width="12.5" height="10" rx="1.5" />
      <path d="m2 4.5 6 4.2 6-4.2" />
    </>
  ),
  maintenance: (
    <path
      d="M9.6 4.2a3 3 0 0 1 3.9-1.6l-2 2 .9 1.9 1.9.5 1-1.2a3.2 3.2 0 0 1-4.4 2.6L5.2 14.1a1.5 1.5 0 0 1-2.1-2.1l5.7-5.6a3 3 0 0 1 .8-2.2Z"
      transform="translate(-.6 0)"
    />
  ),
  monitors: <path d="M1.75 8h2.5l2-5 3.5 10 2-5h2.5" />,
  more: (
    <>
      <circle cx="3" cy="8" r=".8" fill="currentColor" />
      <circle cx="8" cy="8" r=".8" fill="currentColor" />
      <circle cx="13" cy="8" r=".8" fill="currentColor" />
    </>
  ),
  note: (
    <>
      <path d="M3 2.5h10v8.2L10.2 13.5H3v-11Z" />
      <path d="M5.5 6h5M5.5 8.5h3" />
    </>
  ),
  'on-call': (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  pages: (
    <>
      <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
      <path d="M2 6h12M5 9h6M5 11h3" />
    </>
  ),
  panel: (
    <>
      <rect x="2" y="2.5" width="12" height="11" rx="1.5" />
      <path d="M6 2.5v11" />
    </>
  ),
  pause: <path d="M5.5 3v10M10.5 3v10" />,
  play: <path d="M4.5 3v10l8-5-8-5Z" />,
  plus: <path d="M8 3v10M3 8h10" />,
  refresh: <path d="M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 1.8v2.9h-2.9" />,
  link: (
    <path d="M6.5 9.5l3-3M7.5 4.5l1.2-1.2a2.85 2.85 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.2 1.2a2.85 2.85 0 0 1-4-4L4.5 7.5" />
  ),
  'chevron-left': <path d="m10 4-4 4 4 4" />,
  'chevron-right': <path d="m6 4 4 4-4 4" />,
  reports: <path d="M2.5 13.5h11M4.5 11V7.5M8 11V3M11.5 11V5.5" />,
  rows: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  rss: (
    <>
      <path d="M3 8a5 5 0 0 1 5 5M3 3.5A9.5 9.5 0 0 1 12.5 13" />
      <circle cx="3.6" cy="12.4" r=".9" fill="currentColor" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3.5 3.5" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="1.9" />
      <circle cx="6" cy="11.5" r="1.9" />
    </>
  ),
  share: <path d="M9.5 2.5H13.5V6.5M13 3 7.5 8.5M11.5 9.5v4h-9v-9h4" />,
  tag: (
    <>
      <path d="M2 2.5h5.2L14 9.3 9.3 14 2.5 7.2 2 2.5Z" />
      <circle cx="5.2" cy="5.4" r=".7" fill="currentColor" />
    </>
  ),
  team: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.75 13.5c.4-2.6 2-4 4.25-4s3.85 1.4 4.25 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.9c1.3.5 2.1 1.7 2.3 3.6" />
    </>
  ),
  trash: <path d="M2.5 4.5h11M6.5 4.5v-2h3v2M4 4.5l.7 9h6.6l.7-9" />,
  chevrons: <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />,
  x: <path d="m4 4 8 8M12 4l-8 8" />,
};

export type IconName = keyof typeof shapes;

/** A line icon of 16 px (`small`: 14 px) in the color of the text. Decorative: nearby text or the control's label has the meaning. */
export function Icon({ name, small, className }: { name: IconName; small?: boolean; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={cn(
        'shrink-0 fill-none stroke-current stroke-[1.5] [stroke-linecap:round] [stroke-linejoin:round]',
        small ? 'size-3.5' : 'size-4',
        className,
      )}
    >
      {shapes[name]}
    </svg>
  );
}
