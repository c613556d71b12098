import type { State } from '@/app/_components/status/states';

/** The URLs of the assets. */
export interface DocumentProps {
  title: string;
  description?: string;
  /** The inline script that runs before the first paint. The policy contains its hash. */
  early: string;
  style: string;
  font: string;
  script?: string;
  /** The state of the icon. Without it, the product's icon. */
  state?: State;
  links?: { rel: string; type?: string; href: string }[];
  children: React.ReactNode;
}

/** Color and shape of the icon. Not from variables, because an image has none. */
const icons: Partial<Record<State, string>> = {
  up: '<circle cx="8" cy="8" r="7" fill="#1a7f37"/><path d="M4.9 8.3l2.1 2.1 4.1-4.6" fill="none" stroke="#fff" stroke-width="1.8"/>',
  degraded:
    '<path d="M8 1.2 15.4 14.6H.6Z" fill="#b35900"/><path d="M8 6v3.6M8 11.2v1.8" stroke="#fff" stroke-width="1.8"/>',
  down: '<rect x="1" y="1" width="14" height="14" rx="2.5" fill="#b01116"/><path d="M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6" stroke="#fff" stroke-width="1.9"/>',
};

function iconOf(state: State | undefined): string {
  const shape = state && icons[state];
  if (!shape) return '/icon.svg';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${shape}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The HTML document of the public status pages. */
export function Document(props: DocumentProps) {
  const { title, description, early, style, font, script, state, links = [], children } = props;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{title}</title>
        {description ? <meta name="description" content={description} /> : null}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
        <script dangerouslySetInnerHTML={{ __html: early }} />
        <link rel="icon" href={iconOf(state)} />
        <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={style} />
        {links.map((link) => (
          <link key={link.rel + link.href} {...link} />
        ))}
        {script ? <script src={script} defer /> : null}
      </head>
      <body>{children}</body>
    </html>
  );
}
