import type { State } from '@/app/_components/status/states';

/** The shape of each status. `--cut` is the color of the surface behind it. */
export const glyphShapes: Record<State, React.ReactNode> = {
  down: (
    <>
      <rect x="1" y="1" width="14" height="14" rx="2.5" fill="currentColor" />
      <path d="M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6" stroke="var(--cut)" strokeWidth="1.9" strokeLinecap="round" />
    </>
  ),
  degraded: (
    <>
      <path
        d="M8 2.2 14.4 13.6H1.6Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M8 6v3.6" stroke="var(--cut)" strokeWidth="1.8" strokeLinecap="round" />
      <circle cx="8" cy="12.1" r="1.1" fill="var(--cut)" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path
        d="M6.1 6.4c.1-1 .9-1.7 1.95-1.7 1.1 0 1.95.7 1.95 1.7 0 1.35-1.95 1.5-1.95 2.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <circle cx="8.05" cy="11.4" r="1" fill="currentColor" />
    </>
  ),
  maintenance: (
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M4.6 1.6h6.8a1 1 0 0 1 .87.5l3.2 5.4a1 1 0 0 1 0 1l-3.2 5.4a1 1 0 0 1-.87.5H4.6a1 1 0 0 1-.87-.5L.53 8.5a1 1 0 0 1 0-1l3.2-5.4a1 1 0 0 1 .87-.5ZM8 4.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2Z"
    />
  ),
  paused: (
    <>
      <rect x="3" y="2" width="3.6" height="12" rx="1" fill="currentColor" />
      <rect x="9.4" y="2" width="3.6" height="12" rx="1" fill="currentColor" />
    </>
  ),
  pending: (
    <circle
      cx="8"
      cy="8"
      r="6.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeDasharray="3.2 3.29"
      strokeLinecap="butt"
    />
  ),
  up: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="M4.9 8.3l2.1 2.1 4.1-4.6"
        fill="none"
        stroke="var(--cut)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
};
