import { createHash } from 'node:crypto';
import { runBounded } from '@/server/api/bounded';
import type { StatusRenderer } from '@/server/api/status-server/renderer';
import { policy, renderNotice } from './render';
import { renderPageTask } from './render-page-task';

/** The built files that the pages load. */
export interface Files {
  style: Uint8Array;
  script: Uint8Array;
  font: Uint8Array;
}

function named(stem: string, extension: string, content: Uint8Array): string {
  return `${stem}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}.${extension}`;
}

/** The renderer of public status pages for the web process. */
export function createRenderer({ style, script, font }: Files): StatusRenderer {
  const names = { style: named('status', 'css', style), script: named('status', 'js', script), font: 'geist.woff2' };
  const address = (name: string) => `/status/assets/${name}`;
  const addresses = { style: address(names.style), script: address(names.script), font: address(names.font) };
  return {
    policy,
    assets: {
      [names.style]: { type: 'text/css; charset=utf-8', content: style },
      [names.script]: { type: 'text/javascript; charset=utf-8', content: script },
      [names.font]: { type: 'font/woff2', content: font },
    },
    page: (page, delay, team) => runBounded(renderPageTask, { page, addresses, delay }, { team }),
    notice: (what) => renderNotice(what, addresses),
  };
}
